/// Controllers by the names that musicians know. Source: MIDI 1.0 Detailed Specification 4.2, table III.
extension Controller {
    /// The name of the controller: `sustain pedal`; nil for a number that the standard leaves open.
    package var name: String? {
        if let name = Self.names[rawValue] { return name }
        return (32..<64).contains(rawValue) ? Self.names[rawValue - 32].map { "\($0), lower byte" } : nil
    }

    private static let names: [UInt8: String] = [
        0: "bank select", 1: "modulation wheel", 2: "breath", 4: "foot pedal", 5: "portamento time", 6: "data entry",
        7: "volume", 8: "balance", 10: "pan", 11: "expression", 12: "effect control 1", 13: "effect control 2",
        16: "general purpose 1", 17: "general purpose 2", 18: "general purpose 3", 19: "general purpose 4",
        64: "sustain pedal", 65: "portamento", 66: "sostenuto pedal", 67: "soft pedal", 68: "legato", 69: "second sustain pedal",
        70: "sound variation", 71: "resonance", 72: "release time", 73: "attack time", 74: "brightness", 75: "decay time",
        76: "vibrato rate", 77: "vibrato depth", 78: "vibrato delay", 79: "sound controller 10",
        80: "general purpose 5", 81: "general purpose 6", 82: "general purpose 7", 83: "general purpose 8",
        84: "portamento control", 88: "fine velocity", 91: "reverb send", 92: "tremolo depth", 93: "chorus send",
        94: "delay send", 95: "phaser depth", 96: "data increment", 97: "data decrement",
        98: "non-registered parameter, lower byte", 99: "non-registered parameter", 100: "registered parameter, lower byte",
        101: "registered parameter", 120: "all sound off", 121: "reset all controllers", 122: "local control",
        123: "all notes off", 124: "omni off", 125: "omni on", 126: "mono", 127: "poly",
    ]
}
