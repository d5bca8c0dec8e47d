import UnitAPI

// What is switched by the patch itself stays with it: the key input of compressor and gate, and their look-ahead.

extension Compressor {
    static let factoryPresets = FactoryPreset.list([
        "vocal": [
            "threshold": -24, "ratio": 3, "knee": 8, "attack": 0.006, "release": 0.12, "detector": "rms", "low-cut": 100,
            "make-up": 5,
        ],
        "drum-punch": [
            "threshold": -18, "ratio": 4, "knee": 3, "attack": 0.025, "release": 0.09, "detector": "peak", "make-up": 5,
        ],
        "bass": ["threshold": -22, "ratio": 5, "knee": 6, "attack": 0.012, "release": 0.2, "detector": "rms", "make-up": 6],
        "mix-glue": [
            "threshold": -14, "ratio": 2, "knee": 10, "attack": 0.03, "release": 0.3, "detector": "rms", "low-cut": 90,
            "make-up": 2,
        ],
        "parallel": ["threshold": -38, "ratio": 10, "knee": 6, "attack": 0.001, "release": 0.15, "make-up": 12, "mix": 40],
        "night": ["threshold": -34, "ratio": 4, "knee": 12, "attack": 0.004, "release": 0.5, "detector": "rms", "make-up": 10],
        "brick-wall": ["threshold": -6, "limiting": "on", "knee": 0, "attack": 0.0001, "release": 0.06, "make-up": 0],
    ])
}

extension Gate {
    static let factoryPresets = FactoryPreset.list([
        "drums": [
            "threshold": -30, "hysteresis": 4, "range": 80, "attack": 0.0003, "hold": 0.04, "release": 0.08, "low-cut": 40,
        ],
        "voice": [
            "threshold": -48, "hysteresis": 8, "range": 30, "attack": 0.003, "hold": 0.2, "release": 0.25, "low-cut": 100,
        ],
        "hum": ["threshold": -55, "hysteresis": 6, "range": 24, "attack": 0.002, "hold": 0.25, "release": 0.4, "low-cut": 180],
        "staccato": ["threshold": -22, "hysteresis": 2, "range": 120, "attack": 0.0005, "hold": 0.02, "release": 0.02],
        "gentle": ["threshold": -42, "hysteresis": 10, "range": 12, "attack": 0.01, "hold": 0.1, "release": 0.5],
    ])
}

extension Widener {
    static let factoryPresets = FactoryPreset.list([
        "wide": ["width": 140, "mono-below": 20, "mono": "off"],
        "very-wide": ["width": 180, "mono-below": 120, "mono": "off"],
        "narrow": ["width": 50, "mono-below": 20, "mono": "off"],
        "vinyl": ["width": 100, "mono-below": 150, "mono": "off"],
        "mono": ["width": 100, "mono-below": 20, "mono": "on"],
    ])
}

extension Distortion {
    static let factoryPresets = FactoryPreset.list([
        "warm": ["curve": "tube", "drive": 6, "tone": 9_000, "output": -5, "mix": 100],
        "crunch": ["curve": "tube", "drive": 16, "tone": 5_500, "output": -11, "mix": 100],
        "overdrive": ["curve": "soft", "drive": 22, "tone": 5_000, "output": -13, "mix": 100],
        "fuzz": ["curve": "hard", "drive": 33, "tone": 3_500, "output": -16, "mix": 100],
        "edge": ["curve": "hard", "drive": 12, "tone": 8_000, "output": -9, "mix": 40],
        "folded": ["curve": "fold", "drive": 14, "tone": 7_000, "output": -10, "mix": 100],
    ])
}

extension Filter {
    static let factoryPresets = FactoryPreset.list([
        "telephone": ["type": "band-pass", "slope": "12-db", "cutoff": 1_100, "resonance": 0.8, "mix": 100],
        "next-room": ["type": "low-pass", "slope": "24-db", "cutoff": 420, "resonance": 0.7071, "mix": 100],
        "transistor-radio": ["type": "band-pass", "slope": "24-db", "cutoff": 1_600, "resonance": 1, "mix": 85],
        "wah": ["type": "band-pass", "slope": "12-db", "cutoff": 900, "resonance": 5, "mix": 100],
        "acid": ["type": "low-pass", "slope": "24-db", "cutoff": 520, "resonance": 9, "mix": 100],
        "rumble-cut": ["type": "high-pass", "slope": "24-db", "cutoff": 70, "resonance": 0.7071, "mix": 100],
    ])
}
