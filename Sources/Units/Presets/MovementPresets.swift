import UnitAPI

// Settings of effects that swing, for well-known names. Mix and level stay as the patch has them, unless the sound is made by
// the mixture itself.

extension Chorus {
    static let factoryPresets = FactoryPreset.list([
        "gentle": ["rate": 0.3, "depth": 0.0015, "delay": 0.012, "feedback": 0],
        "wide": ["rate": 0.5, "depth": 0.004, "delay": 0.018, "feedback": 0],
        "ensemble": ["rate": 0.9, "depth": 0.0028, "delay": 0.016, "feedback": 12],
        "twelve-string": ["rate": 0.25, "depth": 0.001, "delay": 0.022, "feedback": 0],
        "seasick": ["rate": 1.6, "depth": 0.007, "delay": 0.02, "feedback": 20],
        "metallic": ["rate": 0.15, "depth": 0.001, "delay": 0.004, "feedback": 70],
    ])
}

extension Flanger {
    static let factoryPresets = FactoryPreset.list([
        "jet": ["manual": 0.0025, "depth": 95, "rate": 0.1, "feedback": 75, "stereo-phase": 90, "mix": 50],
        "tape": ["manual": 0.004, "depth": 90, "rate": 0.07, "feedback": 0, "stereo-phase": 0, "mix": 50],
        "shimmer": ["manual": 0.001, "depth": 60, "rate": 0.6, "feedback": 35, "stereo-phase": 120, "mix": 40],
        "hollow": ["manual": 0.003, "depth": 80, "rate": 0.15, "feedback": -70, "stereo-phase": 90, "mix": 50],
        "wobble": ["manual": 0.005, "depth": 50, "rate": 3.5, "feedback": 20, "stereo-phase": 180, "mix": 50],
        "pipe": ["manual": 0.0045, "depth": 0, "rate": 0.2, "feedback": 85, "stereo-phase": 0, "mix": 50],
    ])
}

extension Phaser {
    static let factoryPresets = FactoryPreset.list([
        "slow-sweep": [
            "stages": "six", "frequency": 600, "depth": 2, "rate": 0.12, "feedback": 45, "stereo-phase": 60, "mix": 50,
        ],
        "electric-piano": [
            "stages": "four", "frequency": 900, "depth": 1.2, "rate": 0.7, "feedback": 25, "stereo-phase": 90, "mix": 50,
        ],
        "funk-guitar": [
            "stages": "four", "frequency": 1_100, "depth": 1.5, "rate": 1.4, "feedback": 50, "stereo-phase": 0, "mix": 50,
        ],
        "liquid": [
            "stages": "twelve", "frequency": 700, "depth": 2.2, "rate": 0.25, "feedback": 70, "stereo-phase": 120, "mix": 50,
        ],
        "rotor": ["stages": "six", "frequency": 800, "depth": 0.6, "rate": 6.2, "feedback": 10, "stereo-phase": 180, "mix": 50],
        "vowels": [
            "stages": "eight", "frequency": 500, "depth": 1, "rate": 0.5, "feedback": -60, "stereo-phase": 30, "mix": 50,
        ],
    ])
}

extension Tremolo {
    static let factoryPresets = FactoryPreset.list([
        "valve-amplifier": ["rate": 5.2, "depth": 55, "shape": "sine", "stereo-phase": 0],
        "auto-pan": ["rate": 0.5, "depth": 90, "shape": "sine", "stereo-phase": 180],
        "electric-piano": ["rate": 3.4, "depth": 65, "shape": "triangle", "stereo-phase": 180],
        "helicopter": ["rate": 11, "depth": 95, "shape": "triangle", "stereo-phase": 60],
        "chopper": ["rate": 8, "depth": 100, "shape": "square", "stereo-phase": 0],
        "breathing": ["rate": 0.2, "depth": 50, "shape": "sine", "stereo-phase": 0],
    ])
}

extension RotarySpeaker {
    static let factoryPresets = FactoryPreset.list([
        "chorale": ["speed": "slow", "horn-slow": 0.8, "drum-slow": 0.7, "crossover": 800, "angle": 120],
        "tremolo": ["speed": "fast", "horn-fast": 6.7, "drum-fast": 5.7, "crossover": 800, "angle": 120],
        "brake": ["speed": "brake", "crossover": 800, "angle": 120],
        "guitar-cabinet": [
            "speed": "fast", "horn-fast": 5.6, "drum-fast": 5.6, "horn-depth": 0, "drum-depth": 90, "crossover": 4_000,
            "angle": 90,
        ],
        "wide-horn": [
            "speed": "fast", "horn-fast": 6.9, "drum-fast": 5.9, "horn-level": 2, "drum-level": -3, "crossover": 600,
            "angle": 180,
        ],
    ])
}

extension AutoWah {
    static let factoryPresets = FactoryPreset.list([
        "funk-guitar": [
            "type": "band-pass", "manual": 350, "resonance": 4, "sensitivity": 14, "range": 3, "attack": 0.008,
            "release": 0.12, "depth": 0,
        ],
        "clavinet": [
            "type": "low-pass", "manual": 300, "resonance": 5, "sensitivity": 12, "range": 3.5, "attack": 0.004,
            "release": 0.2, "depth": 0,
        ],
        "bass": [
            "type": "low-pass", "manual": 120, "resonance": 3, "sensitivity": 10, "range": 3, "attack": 0.02,
            "release": 0.25, "depth": 0,
        ],
        "closing": [
            "type": "band-pass", "manual": 2_400, "resonance": 3, "sensitivity": 12, "range": -3, "attack": 0.01,
            "release": 0.3, "depth": 0,
        ],
        "rocking": ["type": "peak", "manual": 800, "resonance": 4, "range": 0, "rate": 2, "depth": 1.2],
    ])
}

extension Vibrato {
    static let factoryPresets = FactoryPreset.list([
        "singer": ["rate": 5.8, "depth": 45],
        "strings": ["rate": 6.2, "depth": 18],
        "organ": ["rate": 6.9, "depth": 12],
        "worn-tape": ["rate": 0.6, "depth": 14],
        "theremin": ["rate": 6.5, "depth": 85],
    ])
}

extension RingModulator {
    static let factoryPresets = FactoryPreset.list([
        "robot": ["frequency": 55, "mix": 100],
        "bells": ["frequency": 620, "mix": 60],
        "radio": ["frequency": 1_900, "mix": 40],
        "pulsing": ["frequency": 6, "mix": 100],
    ])
}
