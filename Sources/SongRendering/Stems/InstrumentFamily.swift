import MIDI
import SoundFonts

/// The families of instruments, as General MIDI has them, and drums before all.
enum InstrumentFamily {
    /// The names, in the order of stems.
    package static let names = [
        "Drums", "Piano", "Chromatic Percussion", "Organ", "Guitar", "Bass", "Strings", "Ensemble", "Brass", "Reed", "Pipe",
        "Synth Lead", "Synth Pad", "Synth Effects", "Ethnic", "Percussive", "Sound Effects",
    ]

    /// The place of a preset's family among the names.
    static func place(of request: PresetRequest) -> Int { request.isDrums ? 0 : 1 + request.program / 8 }
}
