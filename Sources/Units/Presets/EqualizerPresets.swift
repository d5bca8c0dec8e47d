import UnitAPI

extension Equalizer {
    /// The presets that an engineer reaches for first. Bands that a preset leaves alone stay at 0 dB at their usual places.
    static let factoryPresets = FactoryPreset.list([
        "warmth": [
            "frequency": [110, 220, 350, 800, 1_800, 3_200, 8_000, 9_000], "gain": [2.5, 1.5, 0, 0, 0, -1, 0, -3], "level": -2.5,
        ],
        "presence": [
            "frequency": [60, 150, 300, 800, 1_800, 4_500, 8_000, 12_000], "gain": [0, 0, -2, 0, 0, 4, 0, 1.5],
            "q": [0.7071, 1, 1, 1, 1, 0.8, 1, 0.7071], "level": -4,
        ],
        "air": ["gain": [0, 0, 0, 0, 0, 0, 0, 5], "level": -5],
        "mud-cut": [
            "frequency": [60, 150, 320, 800, 1_800, 4_000, 8_000, 12_000], "gain": [0, 0, -5, 0, 0, 0, 0, 0],
            "q": [0.7071, 1, 1.2, 1, 1, 1, 1, 0.7071],
        ],
        "telephone": [
            "type": ["high-pass", "high-pass", "peak", "peak", "peak", "peak", "low-pass", "low-pass"],
            "frequency": [300, 300, 350, 800, 1_600, 4_000, 3_400, 3_400], "gain": [0, 0, 0, 0, 4, 0, 0, 0], "level": -4,
        ],
        "vocal": [
            "type": ["high-pass", "peak", "peak", "peak", "peak", "peak", "peak", "high-shelf"],
            "frequency": [90, 150, 280, 800, 1_800, 3_500, 7_000, 12_000], "gain": [0, 0, -2.5, 0, 0, 3, -1.5, 2], "level": -3,
        ],
        "kick": [
            "type": ["high-pass", "peak", "peak", "peak", "peak", "peak", "peak", "low-pass"],
            "frequency": [30, 65, 350, 800, 1_800, 3_500, 8_000, 12_000], "gain": [0, 5, -6, 0, 0, 3, 0, 0], "level": -5.5,
        ],
        "hum-50": [
            "type": ["notch", "notch", "notch", "notch", "peak", "peak", "peak", "high-shelf"],
            "frequency": [50, 100, 150, 200, 1_800, 4_000, 8_000, 12_000], "q": [12, 12, 12, 12, 0.7071, 0.7071, 0.7071, 0.7071],
        ],
    ])
}
