import UnitAPI

extension GraphicEqualizer {
    /// The names that music players have long used, with curves of our own: decibels of the ten octaves from 31.5 Hz to 16
    /// kHz. The level goes down by the height of the highest slider, so that full scale stays full scale.
    static let factoryPresets = [
        curve("acoustic", 4.5, 4.5, 3.5, 1, 1.5, 1.5, 3, 3.5, 3, 2),
        curve("bass-booster", 6, 5.5, 4.5, 3, 1.5, 0, 0, 0, 0, 0),
        curve("bass-reducer", -6, -5.5, -4.5, -3, -1.5, 0, 0, 0, 0, 0),
        curve("classical", 4, 3.5, 3, 2.5, -1, -1.5, 0, 2, 3, 3.5),
        curve("dance", 4, 6, 4.5, 0, 1, 3, 4.5, 4, 3, 0),
        curve("deep", 4.5, 3.5, 2, 0.5, 2.5, 2, 1, -2, -3.5, -4.5),
        curve("electronic", 4, 3.5, 1, -0.5, -2, 2, 0.5, 1, 3.5, 4.5),
        curve("flat", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        curve("hip-hop", 5, 4, 1.5, 2.5, -1, -1, 1.5, -0.5, 2, 3),
        curve("jazz", 3.5, 3, 1.5, 2, -1.5, -1.5, 0, 1.5, 3, 3.5),
        curve("latin", 4, 3, 0, 0, -1.5, -1.5, -1.5, 0.5, 3, 4.5),
        curve("loudness", 6, 4.5, 1, 0, -2, 0, -0.5, -4, 4, 1.5),
        curve("lounge", -3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1),
        curve("piano", 3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5),
        curve("pop", -1.5, -1, 0.5, 2, 4, 4, 2, 0, -1, -1.5),
        curve("r-and-b", 3, 6, 5, 1.5, -2, -1.5, 2, 2.5, 3, 3.5),
        curve("rock", 5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5),
        curve("small-speakers", 5, 4, 3.5, 2.5, 1, 0, -1, -2.5, -3.5, -4),
        curve("spoken-word", -5, -2.5, -0.5, 1, 3, 4.5, 4.5, 4, 2, 0),
        curve("treble-booster", 0, 0, 0, 0, 0, 1.5, 3, 4.5, 5.5, 6),
        curve("treble-reducer", 0, 0, 0, 0, 0, -1.5, -3, -4.5, -5.5, -6),
        curve("vocal-booster", -1.5, -2.5, -2, 1.5, 3.5, 4, 3.5, 2, 0.5, -1.5),
    ]

    private static func curve(_ name: String, _ gains: Float...) -> FactoryPreset {
        // Between two sliders that are up the curve is a little higher than both, beside steps as well.
        let highest = max(gains.max() ?? 0, 0), isFlat = gains.allSatisfy { $0 == 0 }
        let level: Float = highest > 0 ? -highest - 0.5 : isFlat ? 0 : -0.2
        return FactoryPreset(name, ["gain": .list(gains.map { .number($0) }), "level": .number(level)])
    }
}
