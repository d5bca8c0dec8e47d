import UnitAPI

/// Parameters of every unit that plays SoundFonts, declared once.
extension ParameterSpec {
    /// Level of all voices.
    package static var soundFontGain: ParameterSpec {
        ParameterSpec(
            "gain", 0...10, default: 0.2, unit: .ratio,
            help: "Level of all voices, as a factor; 0.2 leaves room for many of them.")
    }

    /// The parameter for the number of voices that may sound.
    package static func soundFontPolyphony(default voices: Float) -> ParameterSpec {
        ParameterSpec(
            "polyphony", 1...4096, default: voices, unit: .voices, applies: .atStart,
            help: "How many voices may sound at once; a stereo piano takes two for a note.")
    }

    /// The parameter for the way in which samples are read between their frames.
    package static var soundFontInterpolation: ParameterSpec {
        .choice(
            "interpolation", interpolations, default: 2, applies: .atStart,
            help: "How samples are read between their frames: better sounds cleaner and costs more.")
    }

    /// The parameter for the way in which the sampler reads between frames: it has more of them than libfluidsynth.
    package static var samplerInterpolation: ParameterSpec {
        .choice(
            "interpolation", interpolations + ["sinc-16", "sinc-32"], default: 2, applies: .atStart,
            help: "How samples are read between their frames: better sounds cleaner and costs more. The last two, 16 and 32 "
                + "points wide, also take away what would fold back where a sample is played above its pitch.")
    }

    /// The parameter for the number from which chance comes, and the turns of regions.
    package static var samplerSeed: ParameterSpec {
        ParameterSpec(
            "seed", 0...16_777_215, default: 0, applies: .atStart,
            help: "Where round robin, random and alternate regions of SFZ begin: the same number gives the same sound.")
    }

    private static var interpolations: [String] { ["none", "linear", "4th-order", "7th-order"] }
}
