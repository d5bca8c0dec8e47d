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
        var recipe = DrumRecipe()
        recipe.tone.frequency = frequency
        recipe.tone.level = 0.9
        recipe.tone.decay = decay
        recipe.tone.bend = 4
        recipe.tone.bendTime = 0.014
        recipe.noise.level = 0.5 * settings.click
        recipe.noise.decay = 0.02
        recipe.noise.response = .bandPass
        recipe.noise.frequency = 2_500
        return recipe
    }

    @_noLocks private static func snare(_ frequency: Double, _ noise: Double, _ settings: DrumKitSettings) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.tone.frequency = frequency
        recipe.tone.second = frequency * 1.78
        recipe.tone.level = 0.5
        recipe.tone.secondLevel = 0.25
        recipe.tone.decay = 0.16
        recipe.tone.bend = 1.4
        recipe.tone.bendTime = 0.012
        recipe.noise.level = 1.1 * settings.snares
        recipe.noise.decay = noise
        recipe.noise.frequency = 1_800
        recipe.level = 0.85
        recipe.pan = -5
        return recipe
    }

    @_noLocks private static func rim() -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.tone.frequency = 1_670
        recipe.tone.second = 455
        recipe.tone.level = 0.45
        recipe.tone.secondLevel = 0.35
        recipe.tone.decay = 0.045
        recipe.noise.level = 0.3
        recipe.noise.decay = 0.012
        recipe.noise.frequency = 3_000
        recipe.pan = 15
        return recipe
    }

    /// Many hands are not together: three bursts, then the room.
    @_noLocks private static func clap() -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.noise.level = 1.6
        recipe.noise.decay = 0.22
        recipe.noise.burstDecay = 0.03
        recipe.noise.bursts = 4
        recipe.noise.spacing = 0.0105
        recipe.noise.response = .bandPass
        recipe.noise.frequency = 1_150
        recipe.noise.quality = 1.3
        recipe.pan = -15
        return recipe
    }

    @_noLocks private static func tom(_ frequency: Double, _ pan: Float) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.tone.frequency = frequency
        recipe.tone.second = frequency * 1.59    // the second mode of a membrane, (1,1)
        recipe.tone.level = 0.6
        recipe.tone.secondLevel = 0.12
        recipe.tone.decay = 0.5
        recipe.tone.bend = 1.7
        recipe.tone.bendTime = 0.04
        recipe.noise.level = 0.12
        recipe.noise.decay = 0.06
        recipe.noise.response = .lowPass
        recipe.noise.frequency = 2_500
        recipe.pan = pan
        return recipe
    }

    @_noLocks private static func hat(_ decay: Double, _ level: Double) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.metal.level = 2.2 * level
        recipe.metal.decay = decay
        recipe.metal.frequency = 7_000
        recipe.noise.level = 0.16 * level
        recipe.noise.decay = decay * 0.8
        recipe.noise.frequency = 8_000
        recipe.pan = 35
        return recipe
    }

    @_noLocks private static func cymbal(_ decay: Double, _ tune: Double, _ frequency: Double, _ pan: Float) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.metal.level = 0.8
        recipe.metal.decay = decay
        recipe.metal.tune = tune
        recipe.metal.frequency = frequency
        recipe.noise.level = 0.4
        recipe.noise.decay = decay * 0.8
        recipe.noise.frequency = frequency
        recipe.pan = pan
        return recipe
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
