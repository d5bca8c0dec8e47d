/// Carillon's own General MIDI SoundFont: 128 programs and eight drum kits, all synthesised here and dedicated to the
/// public domain (CC0 1.0).
public enum CarillonSoundFont {
    /// The programs by family, in the order of General MIDI.
    public static var programs: [Program] {
        let families = [
            Pianos.programs, Mallets.programs, Organs.programs, Guitars.programs, Basses.programs, Bowed.programs,
            Strings.programs, Brass.programs, Reeds.programs, Pipes.programs, Leads.programs, Pads.programs,
            SynthEffects.programs, Ethnic.programs, Percussive.programs, SoundEffects.programs, DrumKits.programs,
        ]
        return families.flatMap { $0 }.map { program in
            var program = program
            let isKit = program.bank == 128
            program.trim = isKit ? Program.headroom : min(Loudness.trims[program.number], program.loudest)
            return program
        }
    }

    /// The SoundFont file of `programs`; of all programs, the bytes of `soundfonts/carillon.sf2`.
    public static func bytes(of programs: [Program] = programs) -> [UInt8] {
        SoundFontWriter.bytes(
            name: "Carillon GM", copyright: "CC0 1.0 Universal: no rights reserved",
            comment: "Synthesised by make-soundfont of the Carillon package; no recording was used.", programs: programs
        )
    }
}
