import DSP

/// A piece of a keyboard and what it plays: splits and layers are zones beside and upon each other.
///
/// In a patch with zones, keyboards are heard through them alone: a key in none is silent, one in two sounds twice. Events of
/// no key (controllers, bends, pedals, programs) reach every zone of its keyboard.
public struct Zone: Hashable, Sendable {
    /// The name that surfaces show; unique in its patch.
    public var name: String
    /// The keyboard: a part of its name, or its identity (`usb:0499:1617`); nil means any.
    public var keyboard: String?
    /// The channels that it listens to, 1-16; empty: all.
    public var channels = PartList()
    /// The keys that it has.
    public var keys = KeySpan.all
    /// The velocities at which a key must be struck for the zone, at least and at most, 1...127.
    public var softest: UInt8 = 1
    public var hardest: UInt8 = 127
    /// Semitones by which it plays higher, -127...127; a key that does not exist there is silent.
    public var transpose = 0
    /// The curve that velocities follow.
    public var velocity = TouchCurve.straight
    /// The curve that the pressure of keys and channels follows.
    public var pressure = TouchCurve.straight
    /// Controllers that do not get through, 0...127.
    public var ignoredControllers: Set<Int> = []
    /// True if program changes and banks of the keyboard get through.
    public var passesPrograms = true
    /// The unit that it plays, and no other; nil means all units of the channel.
    public var unit: String?
    /// A MIDI port of the system that it plays, beside the unit or alone: a part of its name, or its identity; nil means none.
    public var output: String?
    /// The channel of that unit, 1...16: 1 if it is left out. Without a unit, and of the output, the channel on which it
    /// plays: that of the keyboard if it is left out.
    public var channel: Int?
    /// The sound that it begins with: a bank (0...127, or 128 for drum kits) and a program (0...127), as the SoundFont
    /// numbers them; nil means what is there.
    public var bank: Int?
    public var program: Int?

    /// Creates a zone of all keys of every keyboard.
    public init(_ name: String) { self.name = name }

    /// The part of its unit that it names in `patch`, a flattened one, numbered from 0; `PartRouting` knows on which part
    /// that is played. nil if it names no unit, or the unit has no such part.
    func saidPart(in patch: Patch) -> Int? {
        guard let unit else { return nil }
        let parts = patch[unit: unit].map { patch.heardParts(of: $0).sorted } ?? []
        let place = (channel ?? 1) - 1
        return parts.indices.contains(place) ? parts[place] : nil
    }

    /// Finds what is wrong with the zone in `patch`, a flattened one; nil if nothing is.
    package func fault(in patch: Patch) -> String? {
        if !channels.sorted.allSatisfy({ $0 < 16 }) { return "channels are 1-16" }
        if softest < 1 || softest > hardest || hardest > 127 { return "velocities are 1-127, the softest first" }
        if !(-127...127).contains(transpose) { return "a transposition is -127...127 semitones" }
        if !velocity.isValid || !pressure.isValid { return "a curve is 0...10, its bounds 1...127, the lower first" }
        if !ignoredControllers.allSatisfy({ (0...127).contains($0) }) { return "controllers are 0...127" }
        if let channel, !(1...16).contains(channel) { return "a channel is 1-16" }
        if let bank, !(0...128).contains(bank) { return "a bank is 0...127, or 128 for drum kits" }
        if let program, !(0...127).contains(program) { return "a program is 0...127" }
        if let output {
            if output.isEmpty || output.lowercased() == "any" { return "name the MIDI port that it plays out to" }
            let hasSound = bank != nil || program != nil
            if hasSound, channel == nil { return "give the channel on which the sound is chosen outside" }
            if unit == nil, bank == 128 { return "outside there is no bank 128; give one of 0...127" }
        }
        guard let unit else { return nil }
        guard let found = patch[unit: unit] else {
            return "there is no unit \(unit); there are \(patch.units.map(\.name).joined(separator: ", "))"
        }
        let heard = patch.heardParts(of: found)
        if heard.isEmpty, let source = patch.connections.first(where: { $0.to.unit == unit })?.from.unit, found.parts.isEmpty,
            found.role?.isPlayed == true
        {
            return "\(unit) hears \(source), and no keyboard; let the zone play \(source), or give \(unit) parts: 1-16 as well"
        }
        if heard.isEmpty { return "\(unit) hears no part; if it is an instrument, give it some, 1-16 for example" }
        if saidPart(in: patch) == nil {
            let count = heard.parts.count
            return "\(unit) hears \(count) part\(count == 1 ? "" : "s"), and so it has no channel \(channel ?? 1)"
        }
        return nil
    }
}

extension TouchCurve {
    /// True if the curve's numbers are ones that can be.
    fileprivate var isValid: Bool { (0...10).contains(exponent) && low >= 1 && low <= high && high <= 127 }
}
