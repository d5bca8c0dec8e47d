/// A parameter that a System Exclusive message can write: its address, its name, and whether Carillon follows it.
///
/// The tables (`ExclusiveParameter+Roland`, `ExclusiveParameter+Yamaha`) list every address of GS and XG that a module's
/// sound depends on, with its effect here; `UnfollowedMusic` counts by them. Control side.
package struct ExclusiveParameter: Sendable {
    enum Standing: Sendable, Hashable {
        case followed
        /// A module would sound otherwise, unless a value is what holds anyway.
        case notFollowed
        /// Not audible, or only through another parameter that is set by itself: names, displays, reserves.
        case notSound
    }

    /// The value at which a module sounds as Carillon does without the message.
    enum Resting: Sendable, Hashable {
        case none
        case values(Set<UInt8>)
        /// The channel that the address names by its second byte.
        case ownChannel
    }

    /// The address in hexadecimal; x is any digit, a range all numbers in it: `40 1x 30-37`.
    let address: String
    let name: String
    let standing: Standing
    let resting: Resting
    private let ranges: [ClosedRange<UInt8>], masks: [UInt8]

    init(_ address: String, _ name: String, _ standing: Standing, _ resting: Resting = .none) {
        (self.address, self.name, self.standing, self.resting) = (address, name, standing, resting)
        var ranges: [ClosedRange<UInt8>] = [], masks: [UInt8] = []
        for part in address.split(separator: " ") {
            let ends = part.split(separator: "-")
            var mask: UInt8 = 0xFF
            func number(_ text: Substring) -> UInt8 {
                text.enumerated().reduce(0) { sum, digit in
                    if digit.element == "x" { mask &= digit.offset == 0 ? 0x0F : 0xF0 }
                    return sum << 4 | UInt8(digit.element.hexDigitValue ?? 0)
                }
            }
            let low = number(ends[0]), high = number(ends[ends.count - 1])
            ranges.append(low...max(low, high))
            masks.append(mask)
        }
        (self.ranges, self.masks) = (ranges, masks)
    }

    func matches(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        ranges[0].contains(first & masks[0]) && ranges[1].contains(second & masks[1]) && ranges[2].contains(third & masks[2])
    }

    /// The parameter of a table that has the address; the first that matches counts.
    static func find(_ address: [UInt8], in table: [ExclusiveParameter]) -> Int? {
        table.firstIndex { $0.matches(address[0], address[1], address[2]) }
    }
}
