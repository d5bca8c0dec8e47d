import DSP

// [render]

/// The sounds of the kit by General MIDI's percussion keys, 35...81.
///
/// Each is a few numbers for `DrumVoice`, found by ear and by what such instruments are: a membrane falls in pitch, a bar has
/// two sines out of tune, snares and shells are noise, metal is squares. Source of keys and names: General MIDI 2, appendix B
/// (percussion sound set), which also says what ends what.
enum DrumSounds {
    /// The group of a drum: drums of one number end each other; 0 is none.
    @_noLocks static func group(of key: UInt8) -> Int {
        switch key {
        case 42, 44, 46: 1
        case 71, 72: 2
        case 73, 74: 3
        case 78, 79: 4
        case 80, 81: 5
        default: 0
        }
    }

    @_noLocks static func setting(of key: UInt8) -> DrumKitSettings.Group {
        switch key {
        case 35, 36: .kick
        case 37, 38, 39, 40: .snare
        case 41, 43, 45, 47, 48, 50: .toms
        case 42, 44, 46: .hats
        case 49, 51, 52, 53, 55, 57, 59: .cymbals
        default: .percussion
        }
    }

    @_noLocks static func recipe(of key: UInt8, _ settings: DrumKitSettings) -> DrumRecipe {
        switch key {
        case 35: kick(46, 0.6, settings)
        case 36: kick(52, 0.45, settings)
        case 37: rim()
        case 38: snare(185, 0.2, settings)
        case 39: clap()
        case 40: snare(225, 0.3, settings)
        case 41: tom(73, 60)
        case 43: tom(87, 40)
        case 45: tom(104, 20)
        case 47: tom(123, -10)
        case 48: tom(147, -30)
        case 50: tom(175, -50)
        case 42: hat(0.08, 1)
        case 44: hat(0.05, 0.7)
        case 46: hat(0.7, 1)
        case 49: cymbal(1.6, 1, 4_500, -60)
        case 57: cymbal(1.4, 1.12, 5_200, 60)
        case 55: cymbal(0.6, 1.3, 6_000, -30)
        case 52: cymbal(1.1, 0.86, 3_000, 50)
        case 51: ride(1.2, 1, 60)
        case 59: ride(1.1, 1.08, 40)
        case 53: bell()
        default: percussion(key)
        }
    }

    @_noLocks private static func kick(_ frequency: Double, _ decay: Double, _ settings: DrumKitSettings) -> DrumRecipe {
        DrumRecipe(
            tone: .init(frequency: frequency, level: 0.9, decay: decay, bend: 4, bendTime: 0.014),
            noise: .init(level: 0.5 * settings.click, decay: 0.02, response: .bandPass, frequency: 2_500))
    }

    @_noLocks private static func snare(_ frequency: Double, _ noise: Double, _ settings: DrumKitSettings) -> DrumRecipe {
        DrumRecipe(
            tone: .init(
                frequency: frequency, second: frequency * 1.78, level: 0.5, secondLevel: 0.25, decay: 0.16, bend: 1.4,
                bendTime: 0.012),
            noise: .init(level: 1.1 * settings.snares, decay: noise, frequency: 1_800), level: 0.85, pan: -5)
    }

    @_noLocks private static func rim() -> DrumRecipe {
        DrumRecipe(
            tone: .init(frequency: 1_670, second: 455, level: 0.45, secondLevel: 0.35, decay: 0.045),
            noise: .init(level: 0.3, decay: 0.012, frequency: 3_000), pan: 15)
    }

    /// Many hands are not together: three bursts, then the room.
    @_noLocks private static func clap() -> DrumRecipe {
        DrumRecipe(
            noise: .init(
                level: 1.6, decay: 0.22, burstDecay: 0.03, bursts: 4, spacing: 0.0105, response: .bandPass, frequency: 1_150,
                quality: 1.3), pan: -15)
    }

    @_noLocks private static func tom(_ frequency: Double, _ pan: Float) -> DrumRecipe {
        // The second mode of a membrane, (1,1).
        DrumRecipe(
            tone: .init(
                frequency: frequency, second: frequency * 1.59, level: 0.6, secondLevel: 0.12, decay: 0.5, bend: 1.7,
                bendTime: 0.04),
            noise: .init(level: 0.12, decay: 0.06, response: .lowPass, frequency: 2_500), pan: pan)
    }

    @_noLocks private static func hat(_ decay: Double, _ level: Double) -> DrumRecipe {
        DrumRecipe(
            noise: .init(level: 0.16 * level, decay: decay * 0.8, frequency: 8_000),
            metal: .init(level: 2.2 * level, decay: decay, frequency: 7_000), pan: 35)
    }

    @_noLocks private static func cymbal(_ decay: Double, _ tune: Double, _ frequency: Double, _ pan: Float) -> DrumRecipe {
        DrumRecipe(
            noise: .init(level: 0.4, decay: decay * 0.8, frequency: frequency),
            metal: .init(level: 0.8, decay: decay, tune: tune, frequency: frequency), pan: pan)
    }

    @_noLocks private static func ride(_ decay: Double, _ tune: Double, _ pan: Float) -> DrumRecipe {
        var recipe = cymbal(decay, 1.21 * tune, 6_500, pan)
        recipe.noise.level = 0.1
        recipe.tone.frequency = 3_270 * tune
        recipe.tone.second = 4_710 * tune
        recipe.tone.level = 0.08
        recipe.tone.secondLevel = 0.06
        recipe.tone.decay = 0.4
        return recipe
    }

    @_noLocks private static func bell() -> DrumRecipe {
        var recipe = ride(1, 1, 55)
        recipe.metal.level = 0.25
        recipe.tone.frequency = 1_050
        recipe.tone.second = 1_640
        recipe.tone.level = 0.25
        recipe.tone.secondLevel = 0.2
        recipe.tone.decay = 0.9
        return recipe
    }
}

/// The smaller instruments, keys 54 and 56...81.
extension DrumSounds {
    @_noLocks private static func percussion(_ key: UInt8) -> DrumRecipe {
        switch key {
        case 54: tambourine()
        case 56: cowbell()
        case 58: vibraslap()
        case 60: membrane(400, 0.13, 0.15, -35)
        case 61: membrane(300, 0.16, 0.15, -25)
        case 62: membrane(245, 0.07, 0.2, 25)
        case 63: membrane(220, 0.3, 0.08, 30)
        case 64: membrane(165, 0.35, 0.08, 40)
        case 65: bar(320, 505, 0.3, 0.3, -20)
        case 66: bar(235, 371, 0.35, 0.3, -30)
        case 67: bar(910, 1_345, 0.35, 0, 45)
        case 68: bar(655, 968, 0.4, 0, 40)
        case 69: shaker(6_500, 0.012, 0.09, -45)
        case 70: shaker(5_500, 0.004, 0.05, 45)
        case 71: whistle(0.2)
        case 72: whistle(0.7)
        case 73: scrape(9, 0.008)
        case 74: scrape(26, 0.011)
        case 75: bar(2_500, 3_980, 0.06, 0, -10)
        case 76: bar(1_150, 1_830, 0.07, 0, 20)
        case 77: bar(780, 1_240, 0.08, 0, 25)
        case 78: cuica(520, 0.8, 0.12)
        case 79: cuica(390, 1.5, 0.3)
        case 80: triangle(0.12)
        case 81: triangle(2.2)
        default: DrumRecipe()
        }
    }

    @_noLocks private static func membrane(_ frequency: Double, _ decay: Double, _ slap: Double, _ pan: Float) -> DrumRecipe {
        DrumRecipe(
            tone: .init(
                frequency: frequency, second: frequency * 1.59, level: 0.5, secondLevel: 0.1, decay: decay, bend: 1.2,
                bendTime: 0.012),
            noise: .init(level: slap, decay: 0.03, response: .bandPass, frequency: 1_500), pan: pan)
    }

    /// Two sines out of tune: bells, blocks, sticks; with noise, a drum of metal.
    @_noLocks private static func bar(
        _ first: Double, _ second: Double, _ decay: Double, _ noise: Double, _ pan: Float
    ) -> DrumRecipe {
        DrumRecipe(
            tone: .init(frequency: first, second: second, level: 0.35, secondLevel: 0.2, decay: decay),
            noise: .init(level: noise, decay: 0.08, frequency: 2_500), pan: pan)
    }

    @_noLocks private static func triangle(_ decay: Double) -> DrumRecipe {
        var recipe = bar(4_650, 6_990, decay, 0, -50)
        recipe.level = 0.45
        return recipe
    }

    @_noLocks private static func shaker(_ frequency: Double, _ attack: Double, _ decay: Double, _ pan: Float) -> DrumRecipe {
        DrumRecipe(noise: .init(level: 0.7, decay: decay, attack: attack, frequency: frequency), pan: pan)
    }

    @_noLocks private static func tambourine() -> DrumRecipe {
        var recipe = shaker(7_500, 0, 0.22, 30)
        recipe.noise.level = 0.4
        recipe.noise.bursts = 2
        recipe.noise.spacing = 0.014
        recipe.metal.level = 0.6
        recipe.metal.decay = 0.2
        recipe.metal.tune = 2.3
        recipe.metal.frequency = 8_000
        return recipe
    }

    @_noLocks private static func cowbell() -> DrumRecipe {
        DrumRecipe(metal: .init(level: 0.9, decay: 0.35, count: 2, response: .bandPass, frequency: 850, quality: 1), pan: 15)
    }

    @_noLocks private static func vibraslap() -> DrumRecipe {
        var recipe = scrape(22, 0.021)
        recipe.noise.level = 1.8
        recipe.noise.burstShare = 0.87
        recipe.noise.frequency = 2_700
        recipe.noise.quality = 5
        recipe.pan = -40
        return recipe
    }

    @_noLocks private static func scrape(_ bursts: Int, _ spacing: Double) -> DrumRecipe {
        DrumRecipe(
            noise: .init(
                level: 1.1, decay: 0.04, burstDecay: spacing * 1.5, bursts: bursts, spacing: spacing, response: .bandPass,
                frequency: 3_200, quality: 2), pan: -30)
    }

    /// Two sines that beat, as the pea in it does, and breath.
    @_noLocks private static func whistle(_ decay: Double) -> DrumRecipe {
        var recipe = bar(2_330, 2_362, decay, 0.05, 35)
        recipe.noise.decay = decay
        return recipe
    }

    @_noLocks private static func cuica(_ frequency: Double, _ bend: Double, _ decay: Double) -> DrumRecipe {
        var recipe = membrane(frequency, decay, 0.05, -20)
        recipe.tone.second = frequency * 2
        recipe.tone.secondLevel = 0.25
        recipe.tone.bend = bend
        recipe.tone.bendTime = 0.06
        return recipe
    }
}

/// The recipe of a synthesized drum: sines that fall in pitch, noise through a filter, and a cluster of squares.
///
/// Here, because a debug build proves an initializer without annotation in the file that declares it only.
struct DrumRecipe: BitwiseCopyable {
    /// Two sines: a membrane, a bar, a block of wood.
    struct Tone: BitwiseCopyable {
        /// Hertz; of the second one too, which is silent at level 0.
        var frequency = 0.0, second = 0.0
        /// Amplitudes.
        var level = 0.0, secondLevel = 0.0
        /// Seconds for a fall by 60 dB.
        var decay = 0.1
        /// The factor by which the pitch is higher at the stroke, and the seconds in which the excess falls to 1 / e.
        var bend = 1.0, bendTime = 0.01
    }

    /// White noise through a filter of second order, in one burst or several.
    struct Noise: BitwiseCopyable {
        /// Amplitude; of each further burst as a share of the one before.
        var level = 0.0, burstShare = 1.0
        /// Seconds for a fall by 60 dB after the last burst, and between bursts.
        var decay = 0.1, burstDecay = 0.05
        /// Seconds to its height.
        var attack = 0.0
        /// The number of bursts, at least 1, and the seconds from one to the next.
        var bursts = 1, spacing = 0.01
        /// The filter.
        var response = StateVariableFilter.Response.highPass, frequency = 1_000.0, quality = 0.7
    }

    /// Squares that have nothing in common, through two filters of second order in a row.
    struct Metal: BitwiseCopyable {
        /// Amplitude, and the seconds for a fall by 60 dB.
        var level = 0.0, decay = 0.1
        /// A factor on all frequencies, and how many squares there are: 6, or the upper two.
        var tune = 1.0, count = 6
        /// The filters: the first with this response, the second a high-pass at the same frequency.
        var response = StateVariableFilter.Response.highPass, frequency = 7_000.0, quality = 0.7
    }

    /// The three parts.
    var tone = Tone(), noise = Noise(), metal = Metal()
    /// Amplitude of all of it.
    var level = 1.0
    /// The pan, -100...100.
    var pan: Float = 0

    /// Moves all pitches by semitones, filters of noise and metal along.
    @_noLocks mutating func tune(_ semitones: Double) {
        if semitones == 0 { return }
        let factor = DeterministicMath.exp2(semitones * (1.0 / 12))
        tone.frequency *= factor
        tone.second *= factor
        noise.frequency *= factor
        metal.tune *= factor
        metal.frequency *= factor
    }

    /// Makes all decays `factor` times as long.
    @_noLocks mutating func stretch(_ factor: Double) {
        tone.decay *= factor
        noise.decay *= factor
        metal.decay *= factor
    }

    /// Seconds until all of it has fallen by 100 dB.
    var length: Double {
        @_noLocks get {
            let bursts = Double(Int32(truncatingIfNeeded: noise.bursts &- 1)) * noise.spacing + noise.attack
            var longest = tone.level > 0 || tone.secondLevel > 0 ? tone.decay : 0
            if noise.level > 0 { longest = max(longest, noise.decay + bursts * 0.6) }
            if metal.level > 0 { longest = max(longest, metal.decay) }
            return longest * (100.0 / 60)
        }
    }
}
