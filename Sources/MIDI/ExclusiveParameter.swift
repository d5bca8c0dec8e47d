/// A parameter that a System Exclusive message can write: its address, its name, and whether Carillon follows it.
///
/// The tables (`ExclusiveParameter+Roland`, `ExclusiveParameter+Yamaha`) list every address of GS and XG that a module's
/// sound depends on, with its effect here; `UnfollowedMusic` counts by them. Control side.
package struct ExclusiveParameter: Sendable {
    /// What a message to the address does.
    enum Meaning: Sendable, Hashable {
        /// A controller of the part, by its number: the later of both counts.
        case controller(UInt8)
        /// Controller 10, and at 0 another place with each note.
        case pan
        /// Controllers 126 (0) and 127.
        case mono
        case program
        /// A setting of the part that no controller has.
        case part(PartParameter)
        /// Two nibbles: tenths of a hertz.
        case pitchOffset
        /// Semitones above 64.
        case bendRange
        /// A row of switches, in this order.
        case receives([ReceiveSwitch])
        /// A source of the controller matrix; the destinations in a row.
        case matrix(ControlSource, [ControlDestination])
        case drum(DrumControl)
        case mode, scale
        /// The channel that the part hears, in songs.
        case receiveChannel
        case masterTune, masterVolume, masterPan, transpose
        /// A reset, by these values.
        case reset(SystemReset, UInt8)
        /// An effect that all parts share, or the equalizer of the sum.
        case effects
        /// An insertion effect: its type, a parameter, a part that goes through it.
        case insertion
        /// A module would sound otherwise, unless a value is what holds anyway; the reason is given.
        case unfollowed(String)
        /// Not audible, or only through another parameter that is set by itself: names, displays, reserves.
        case silent
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
    let meaning: Meaning
    let resting: Resting
    let ranges: [ClosedRange<UInt8>]
    private let masks: [UInt8]

    init(_ address: String, _ name: String, _ meaning: Meaning, _ resting: Resting = .none) {
        (self.address, self.name, self.meaning, self.resting) = (address, name, meaning, resting)
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

    /// True if a message to it changes what is heard here.
    var isFollowed: Bool {
        switch meaning {
        case .unfollowed, .silent: false
        default: true
        }
    }

    /// True if only songs follow it: a keyboard plays the channels that it has.
    var isOfSongs: Bool { meaning == .receiveChannel }

    /// False if it would not be audible by itself.
    var isSound: Bool { meaning != .silent }

    /// How many addresses it stands for; parts, keys and drum maps count once.
    var count: Int { zip(ranges, masks).reduce(1) { $1.1 == 0xFF ? $0 * $1.0.count : $0 } }

    /// The first of its third bytes.
    var first: UInt8 { ranges[2].lowerBound }

    func matches(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        ranges[0].contains(first & masks[0]) && ranges[1].contains(second & masks[1]) && ranges[2].contains(third & masks[2])
    }

    /// The parameter of a table that has the address; the first that matches counts.
    static func find(_ address: [UInt8], in table: [ExclusiveParameter]) -> Int? {
        table.firstIndex { $0.matches(address[0], address[1], address[2]) }
    }
}
