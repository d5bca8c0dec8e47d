import Carillon

/// The keys of a typewriter as keys of an instrument, as trackers have them: `z s x d c ...` are the octave from middle C,
/// `q 2 w 3 e ...` the one above.
///
/// A terminal reports only that a key was pressed. So a note lasts half a second; or it is held until the next one.
struct TypingKeys: Equatable {
    private(set) var isOn = false
    /// True if a note is held until the next one.
    private(set) var isHolding = false

    /// Octaves by which letters play higher than from middle C, -5...3: so that they reach every zone of a keyboard.
    private(set) var octave = 0

    /// Seconds that a note takes.
    static let length = 0.5
    private static let velocity = 100
    private static let lowest = 60
    private static let lower = Array("zsxdcvgbhnjm"), upper = Array("q2w3er5t6y7ui9o0p")

    /// The MIDI key of a character; nil if it plays none.
    static func key(of character: Character) -> Int? {
        if let place = lower.firstIndex(of: character) { return lowest + place }
        return upper.firstIndex(of: character).map { lowest + 12 + $0 }
    }

    mutating func commands(for key: Key, channel: Int) -> [ControlCommand]? {
        guard isOn, case .character(let character) = key else { return nil }
        if character == " " { return [.releaseNotes] }
        if character == "(" || character == ")" {
            octave = min(max(octave + (character == "(" ? -1 : 1), -5), 3)
            return []
        }
        if let played = Self.key(of: character).map({ $0 + 12 * octave }) {
            return [
                .note(
                    channel: channel, key: played, velocity: Self.velocity, seconds: isHolding ? nil : Self.length)
            ]
        }
        // A neighbour of a note that does something else would surprise.
        return character != "k" && (("a"..."z").contains(character) || ("0"..."9").contains(character)) ? [] : nil
    }

    mutating func toggle() -> [ControlCommand] {
        isOn.toggle()
        return isOn ? [] : [.releaseNotes]
    }

    mutating func toggleHold() -> [ControlCommand] {
        isHolding.toggle()
        return isHolding ? [] : [.releaseNotes]
    }
}
