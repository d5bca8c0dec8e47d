import DSP

// [render]

/// The smaller instruments, keys 54 and 56...81.
extension DrumSounds {
    @_noLocks static func percussion(_ key: UInt8) -> DrumRecipe {
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
        var recipe = DrumRecipe()
        recipe.tone.frequency = frequency
        recipe.tone.second = frequency * 1.59
        recipe.tone.level = 0.5
        recipe.tone.secondLevel = 0.1
        recipe.tone.decay = decay
        recipe.tone.bend = 1.2
        recipe.tone.bendTime = 0.012
        recipe.noise.level = slap
        recipe.noise.decay = 0.03
        recipe.noise.response = .bandPass
        recipe.noise.frequency = 1_500
        recipe.pan = pan
        return recipe
    }

    /// Two sines out of tune: bells, blocks, sticks; with noise, a drum of metal.
    @_noLocks private static func bar(
        _ first: Double, _ second: Double, _ decay: Double, _ noise: Double, _ pan: Float
    ) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.tone.frequency = first
        recipe.tone.second = second
        recipe.tone.level = 0.35
        recipe.tone.secondLevel = 0.2
        recipe.tone.decay = decay
        recipe.noise.level = noise
        recipe.noise.decay = 0.08
        recipe.noise.frequency = 2_500
        recipe.pan = pan
        return recipe
    }

    @_noLocks private static func triangle(_ decay: Double) -> DrumRecipe {
        var recipe = bar(4_650, 6_990, decay, 0, -50)
        recipe.level = 0.45
        return recipe
    }

    @_noLocks private static func shaker(_ frequency: Double, _ attack: Double, _ decay: Double, _ pan: Float) -> DrumRecipe {
        var recipe = DrumRecipe()
        recipe.noise.level = 0.7
        recipe.noise.attack = attack
        recipe.noise.decay = decay
        recipe.noise.frequency = frequency
        recipe.pan = pan
        return recipe
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
        var recipe = DrumRecipe()
        recipe.metal.level = 0.9
        recipe.metal.count = 2
        recipe.metal.decay = 0.35
        recipe.metal.response = .bandPass
        recipe.metal.frequency = 850
        recipe.metal.quality = 1
        recipe.pan = 15
        return recipe
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
        var recipe = DrumRecipe()
        recipe.noise.level = 1.1
        recipe.noise.bursts = bursts
        recipe.noise.spacing = spacing
        recipe.noise.burstDecay = spacing * 1.5
        recipe.noise.decay = 0.04
        recipe.noise.response = .bandPass
        recipe.noise.frequency = 3_200
        recipe.noise.quality = 2
        recipe.pan = -30
        return recipe
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
