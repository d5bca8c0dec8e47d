/// A set of parts: port * 16 + channel, 0...255. As text it counts from 1: `1-16, 26`.
public struct PartList: Hashable, Sendable, CustomStringConvertible {
    /// The parts, from 0.
    public private(set) var parts: Set<Int> = []

    /// No part.
    public init() {}

    /// These parts.
    ///
    /// Precondition: each is 0...255.
    public init(_ parts: some Sequence<Int>) { for part in parts { insert(part) } }

    /// True if the list holds no part.
    public var isEmpty: Bool { parts.isEmpty }
    /// The parts in order.
    public var sorted: [Int] { parts.sorted() }

    /// Adds a part.
    ///
    /// Precondition: `part` is 0...255.
    public mutating func insert(_ part: Int) {
        precondition((0...255).contains(part), "a part is 0...255")
        parts.insert(part)
    }

    /// The parts in ranges, counted from 1.
    public var description: String {
        var ranges: [ClosedRange<Int>] = []
        for part in sorted {
            if let last = ranges.last, last.upperBound == part - 1 {
                ranges[ranges.count - 1] = last.lowerBound...part
            } else {
                ranges.append(part...part)
            }
        }
        return ranges.map { range in
            range.count == 1 ? "\(range.lowerBound + 1)" : "\(range.lowerBound + 1)-\(range.upperBound + 1)"
        }.joined(separator: ", ")
    }

    /// Reads what `description` writes; nil for anything else.
    public init?(_ text: String) {
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = piece.split(separator: "-", omittingEmptySubsequences: false).map { bound in
                Int(bound.drop { $0 == " " })
            }
            guard (1...2).contains(bounds.count), let low = bounds[0], let high = bounds[bounds.count - 1],
                (1...256).contains(low), (low...256).contains(high)
            else { return nil }
            for part in low...high { insert(part - 1) }
        }
    }
}
