/// The case of one seed: a mutated file and what is done with it. The same for ever, as long as the corpus is the same.
struct FuzzCase {
    enum Trial: String, CaseIterable {
        case song = "song"
        /// A random song that is valid by the letter: what is read is what was written, and nothing is repaired.
        case valid = "valid"
        case songOnSoundFont = "song on SoundFont"
        /// A patch is read, written, saved, and plays where it can.
        case patch = "patch"
        case soundFont = "SoundFont"
        /// A damaged SF2, SF3, DLS, SFZ or RMID file is read whole, and one in ten plays.
        case font = "font"
        case largeSoundFont = "large SoundFont"
        case songCommand = "song through the command"
        case soundFontCommand = "SoundFont through the command"

        var isSong: Bool {
            switch self {
            case .song, .valid, .songOnSoundFont, .songCommand: true
            case .patch, .soundFont, .font, .largeSoundFont, .soundFontCommand: false
            }
        }
    }

    let seed: Int
    let trial: Trial
    let bytes: [UInt8]
    let sampleRate: Int
    let blockFrames: Int
    /// False one time in fifty: the corpus itself must pass too.
    let isMutated: Bool
    var kind = FontSeed.Kind.sf2
    /// An audio file that an SFZ file names, damaged too; nil: both are whole.
    var sample: (name: String, bytes: [UInt8])?

    var ending: String { trial.isSong ? "mid" : trial == .patch ? "yaml" : kind.rawValue }

    /// - Parameter only: the trial for every seed; nil: what the seed says.
    init(seed: Int, corpus: Corpus, only: Trial? = nil) {
        var random = RandomSource(seed: UInt64(truncatingIfNeeded: seed))
        let drawn = Self.trial(random.below(1_000), corpus), trial = only ?? drawn
        sampleRate = random.pick([8_000, 22_050, 44_100, 48_000, 48_000, 96_000])
        blockFrames = random.pick([64, 512, 512, 1_000, 4_096])
        isMutated = !random.oneIn(50) && trial != .valid
        self.seed = seed
        self.trial = trial
        if trial == .valid {
            bytes = ValidSong(seed: seed).bytes
            return
        }
        if trial == .patch {
            let original = random.pick(corpus.patches), other = random.pick(corpus.patches)
            var mutator = TextMutator(random: random)
            bytes = isMutated ? mutator.mutated(original, with: other) : original
            return
        }
        if trial == .font {
            let seed = random.pick(corpus.fonts), other = random.pick(corpus.fonts).bytes
            kind = seed.kind
            guard isMutated else {
                bytes = seed.bytes
                return
            }
            if seed.kind == .sfz {
                if random.oneIn(4) {
                    let chosen = random.pick(FontSeed.samples)
                    var mutator = Mutator(kind: .soundFont, random: random)
                    sample = (chosen.name, mutator.mutated(chosen.bytes, with: other))
                    random = mutator.random
                }
                var mutator = TextMutator(random: random, tokens: TextMutator.opcodes)
                bytes = mutator.mutated(seed.bytes, with: other)
            } else {
                var mutator = Mutator(kind: .soundFont, random: random)
                bytes = mutator.mutated(seed.bytes, with: other)
            }
            return
        }
        let family = trial.isSong ? corpus.songs : trial == .largeSoundFont ? corpus.largeSoundFonts : corpus.soundFonts
        let original = random.pick(family), other = random.pick(family)
        var mutator = Mutator(kind: trial.isSong ? .song : .soundFont, random: random)
        bytes = isMutated ? mutator.mutated(original, with: other) : original
    }

    private static func trial(_ draw: Int, _ corpus: Corpus) -> Trial {
        switch draw {
        case ..<380: .song
        case ..<400: .valid
        case ..<450: .patch
        case ..<550: .songOnSoundFont
        case ..<750: .soundFont
        case ..<985: .font
        case ..<989: corpus.largeSoundFonts.isEmpty ? .soundFont : .largeSoundFont
        case ..<995: .songCommand
        default: .soundFontCommand
        }
    }
}
