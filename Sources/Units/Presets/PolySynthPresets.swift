import UnitAPI

extension PolySynth {
    /// Sounds by their purpose. All leave mode and polyphony alone, which are fixed when the unit is made: a bass or a lead
    /// needs `mode: mono` beside it.
    static let factoryPresets = FactoryPreset.list([
        "bass": [
            "osc-1-shape": "saw", "osc-1-octave": -1, "osc-2-shape": "square", "osc-2-octave": -1, "osc-2-fine": -5,
            "osc-2-level": 60, "cutoff": 160, "resonance": 25, "filter-envelope": 30, "key-follow": 30, "decay": 0.6,
            "sustain": 60, "release": 0.08, "filter-decay": 0.28, "filter-sustain": 15, "filter-release": 0.1, "gain": -10,
        ],
        "acid-bass": [
            "osc-1-shape": "saw", "osc-1-octave": -1, "osc-2-level": 0, "cutoff": 110, "resonance": 75, "filter-envelope": 54,
            "key-follow": 20, "decay": 0.5, "sustain": 50, "release": 0.05, "filter-decay": 0.4, "filter-sustain": 0,
            "filter-release": 0.1, "amount": [0, 40, 20, 0], "gain": -7,
        ],
        "pad": [
            "osc-1-fine": -6, "osc-2-fine": 8, "cutoff": 700, "slope": "12", "resonance": 8, "filter-envelope": 14, "attack": 0.9,
            "decay": 2, "sustain": 85, "release": 3.5, "filter-attack": 1.4, "filter-decay": 3, "filter-sustain": 60,
            "filter-release": 4, "lfo-shape": "triangle", "lfo-rate": 0.25, "lfo-delay": 0.5,
            "destination": ["osc-2-pitch", "cutoff", "cutoff", "pan"], "source": ["lfo", "velocity", "pressure", "random"],
            "amount": [1, 10, 20, 40], "gain": -8,
        ],
        "pluck": [
            "osc-1-shape": "saw", "osc-2-shape": "square", "osc-2-octave": 1, "osc-2-level": 35, "cutoff": 350, "resonance": 15,
            "filter-envelope": 44, "key-follow": 70, "attack": 0.0005, "decay": 1.3, "sustain": 0, "release": 0.6,
            "filter-attack": 0.0005, "filter-decay": 0.5, "filter-sustain": 0, "filter-release": 0.5, "gain": -6,
        ],
        "lead": [
            "osc-1-shape": "saw", "osc-2-shape": "square", "osc-2-fine": 9, "osc-2-width": 35, "cutoff": 2_600, "resonance": 30,
            "filter-envelope": 14, "key-follow": 80, "attack": 0.004, "decay": 0.4, "sustain": 90, "release": 0.12,
            "filter-decay": 0.5, "filter-sustain": 50, "lfo-rate": 5.6, "lfo-delay": 0.4,
            "destination": ["pulse-width", "cutoff", "cutoff", "pitch"], "amount": [0, 20, 20, 1.5], "osc-2-level": 60,
            "gain": -7,
        ],
        "brass": [
            "osc-1-shape": "saw", "osc-2-shape": "saw", "osc-2-fine": 5, "cutoff": 300, "resonance": 10, "filter-envelope": 42,
            "key-follow": 60, "attack": 0.06, "decay": 0.4, "sustain": 85, "release": 0.15, "filter-attack": 0.15,
            "filter-decay": 0.5, "filter-sustain": 55, "filter-release": 0.2, "amount": [0, 35, 20, 0], "osc-2-level": 55,
            "gain": -5,
        ],
        "strings": [
            "osc-1-fine": -7, "osc-2-fine": 9, "cutoff": 2_800, "slope": "12", "resonance": 5, "filter-envelope": 6,
            "attack": 0.28, "decay": 1, "sustain": 90, "release": 1.1, "filter-attack": 0.4, "filter-sustain": 80,
            "lfo-rate": 5.2, "lfo-delay": 0.6, "amount": [0, 10, 20, 0.8], "gain": -9,
        ],
        "keys": [
            "osc-1-shape": "triangle", "osc-2-shape": "sine", "osc-2-octave": 2, "osc-2-fine": 2, "osc-2-level": 16,
            "cutoff": 1_800, "slope": "12", "resonance": 0, "filter-envelope": 18, "key-follow": 60, "attack": 0.001, "decay": 6,
            "sustain": 0, "release": 0.5, "filter-decay": 1.5, "filter-sustain": 10, "amount": [0, 30, 20, 0], "gain": -6,
        ],
        "organ": [
            "osc-1-shape": "square", "osc-1-level": 70, "osc-2-shape": "sine", "osc-2-octave": 1, "osc-2-fine": 0,
            "osc-2-level": 60, "cutoff": 3_000, "slope": "12", "resonance": 0, "filter-envelope": 0, "key-follow": 100,
            "attack": 0.004, "decay": 0.01, "sustain": 100, "release": 0.06, "amount": [0, 0, 0, 0], "velocity-curve": 0,
            "gain": -12,
        ],
        "bells": [
            "osc-1-shape": "sine", "osc-2-shape": "sine", "osc-2-octave": 1, "osc-2-semitones": 7, "osc-2-fine": 18,
            "osc-2-level": 45, "cutoff": 9_000, "slope": "12", "resonance": 0, "filter-envelope": 0, "attack": 0.0005, "decay": 7,
            "sustain": 0, "release": 4, "amount": [0, 10, 0, 0], "gain": -8,
        ],
    ])
}
