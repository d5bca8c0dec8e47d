import UnitAPI

extension DrumMachine {
    /// The factory presets. Starting and stopping, and the level, are up to the player.
    static let factoryPresets = FactoryPreset.list([
        "rock-ballad": ["pattern": "rock", "tempo": 72, "accent": 5, "decay": 130],
        "hard-rock": ["pattern": "rock", "tempo": 132, "accent": 6, "tune": -1, "decay": 110],
        "house": ["pattern": "four-on-the-floor", "tempo": 124, "swing": 54, "decay": 85],
        "techno": ["pattern": "four-on-the-floor", "tempo": 138, "tune": -2, "decay": 60, "width": 30],
        "bossa": ["pattern": "bossa-nova", "tempo": 126, "accent": 3, "tune": 2, "decay": 70],
        "blues": ["pattern": "shuffle", "tempo": 92, "accent": 5],
        "funky": ["pattern": "funk", "tempo": 104, "swing": 55, "accent": 7, "tune": 1, "decay": 70],
        "hip-hop": ["pattern": "half-time", "tempo": 88, "swing": 60, "tune": -4, "decay": 130],
    ])
}

extension DrumSynth {
    static let factoryPresets = FactoryPreset.list([
        "tight": ["kick-decay": 55, "snare-decay": 55, "tom-decay": 50, "hat-decay": 60, "cymbal-decay": 70, "kick-click": 70],
        "deep": [
            "kick-tune": -5, "kick-decay": 190, "kick-click": 20, "snare-tune": -4, "snare-decay": 130, "tom-tune": -4,
            "tom-decay": 150,
        ],
        "electro": [
            "kick-tune": -3, "kick-decay": 240, "kick-click": 10, "snare-tune": 3, "snares": 75, "hat-tune": 4, "hat-decay": 50,
            "tom-tune": 3, "tom-decay": 160,
        ],
        "large-room": ["kick-decay": 140, "snare-decay": 180, "snares": 65, "tom-decay": 180, "cymbal-decay": 150, "width": 90],
        "soft": [
            "kick-click": 10, "kick-level": -2, "snare-level": -5, "snares": 30, "hat-level": -5, "cymbal-level": -6,
            "velocity-curve": 1.5,
        ],
    ])
}

extension SquareWave {
    static let factoryPresets = FactoryPreset.list([
        "chip-lead": ["pulse-width": 25, "attack": 0.0005, "decay": 0.15, "sustain": 75, "release": 0.03, "vibrato-depth": 40],
        "chip-bass": ["pulse-width": 50, "attack": 0.0005, "decay": 0.35, "sustain": 40, "release": 0.04],
        "reeds": ["pulse-width": 35, "attack": 0.05, "decay": 0.3, "sustain": 85, "release": 0.12],
        "organ": ["pulse-width": 50, "attack": 0.005, "decay": 0.01, "sustain": 100, "release": 0.05],
        "pluck": ["pulse-width": 12, "attack": 0.0005, "decay": 0.4, "sustain": 0, "release": 0.3],
        "swell": ["pulse-width": 40, "attack": 0.8, "decay": 1, "sustain": 80, "release": 1.5],
    ])
}

extension Oscillator {
    /// Test tones. Whether it runs, and how it fades, are up to the player.
    static let factoryPresets = FactoryPreset.list([
        "tuning-a": ["shape": "sine", "frequency": 440, "level": -20, "phase": 0],
        "line-up": ["shape": "sine", "frequency": 1_000, "level": -18, "phase": 0],
        "mains-hum": ["shape": "saw", "frequency": 50, "level": -40, "phase": 0],
        "wrong-phase": ["shape": "sine", "frequency": 440, "level": -20, "phase": 180],
    ])
}

extension Noise {
    /// The factory presets. Starting and stopping, and the fades, are up to the player.
    static let factoryPresets = FactoryPreset.list([
        "hiss": ["colour": "white", "level": -50, "correlation": 0],
        "rain": ["colour": "pink", "level": -36, "correlation": 10],
        "surf": ["colour": "brown", "level": -28, "correlation": 40],
        "loudspeaker-test": ["colour": "pink", "level": -20, "correlation": 100],
    ])
}
