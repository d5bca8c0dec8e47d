/// Remarks as text for any surface: at most three lines, and a fourth that says where the rest is.
///
/// More remarks than lines are folded first: those of one kind about one subject are one line with their number.
public struct RemarkLines: Sendable, Hashable {
    /// The most lines for remarks.
    public static let most = 3

    /// The lines, without the one for the rest.
    public private(set) var lines: [String] = []
    /// Remarks that no line quotes.
    public private(set) var hidden: [Remark] = []

    public init(_ remarks: [Remark]) {
        let sorted = remarks.sortedByKind
        guard sorted.count > Self.most else {
            lines = sorted.map(\.description)
            return
        }
        var groups: [(first: Remark, rest: [Remark])] = [], places: [Remark.Kind: [String: Int]] = [:]
        for remark in sorted {
            if let place = places[remark.kind]?[remark.subject] {
                groups[place].rest.append(remark)
            } else {
                places[remark.kind, default: [:]][remark.subject] = groups.count
                groups.append((remark, []))
            }
        }
        for (place, group) in groups.enumerated() {
            if place >= Self.most {
                hidden += [group.first] + group.rest
                continue
            }
            hidden += group.rest
            lines.append(group.rest.isEmpty ? group.first.description : Self.folded([group.first] + group.rest))
        }
    }

    /// Returns the lines, and one for what they leave out.
    ///
    /// - Parameter command: where the hidden remarks can be read, as it is typed; nil means nowhere.
    public func text(_ command: ([Remark]) -> String?) -> [String] {
        if hidden.isEmpty { return lines }
        return lines + ["and \(hidden.count) more" + (command(hidden).map { ": \($0)" } ?? "")]
    }

    /// Several remarks of one kind about one subject.
    private static func folded(_ remarks: [Remark]) -> String {
        let first = remarks[0], times = remarks.reduce(0) { $0 + $1.count }
        let what =
            switch first.kind {
            case .missing: "things are missing"
            case .notFollowed: "things are not followed"
            case .substituted: "things are substituted"
            case .cut: "things are cut"
            case .repaired: "faults are repaired"
            case .level: "remarks on the level"
            }
        let total = times > remarks.count ? ", \(times) times in all" : ""
        return (first.subject.isEmpty ? "" : "\(first.subject): ")
            + "\(remarks.count) \(what)\(total), the first: \(first.sentence)"
    }
}

extension Sequence<Remark> {
    /// The remarks in the order in which they are shown: by kind, within a kind as they are.
    public var sortedByKind: [Remark] { Remark.Kind.allCases.flatMap { kind in filter { $0.kind == kind } } }
}
