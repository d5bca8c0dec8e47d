/// Metal of the drum kits: strokes with their noise, which ring on as endless loops with envelopes.
enum Cymbals {
    static let crash = Multisample(
        MetalPlate(
            [(200, -34), (400, -22), (800, -15), (1600, -10), (3000, -3), (5000, 0), (9000, -2), (12000, -4), (18000, -10)],
            density: 0.85, lumps: 0.55, body: 0.5, fall: 12, rise: 0.018,
            stick: Strike(
                [.init(310, -26, 0.3), .init(470, -24, 0.3)],
                bursts: [NoiseBurst(-14, .highpass, 3000, duration: 0.05)], duration: 0.5)
        ).sample("Crash", seed: 61))
    static let ride = Multisample(
        MetalPlate(
            [(200, -30), (420, -22), (800, -22), (1600, -16), (3000, -9), (5500, -2), (9500, 1), (14000, -5), (19000, -15)],
            density: 0.5, lumps: 0.95, body: 0.45, fall: 20, rise: 0.004,
            stick: Strike(
                [
                    .init(618, -18, 0.9), .init(1463, -19, 0.8), .init(2310, -14, 0.8), .init(3127, -11, 0.75),
                    .init(4483, -9, 0.7), .init(5876, -9, 0.6), .init(7391, -10, 0.55), .init(9217, -12, 0.5),
                ],
                bursts: [
                    NoiseBurst(-1, .highpass, 5000, duration: 0.05), NoiseBurst(-10, .bandpass, 2500, q: 0.5, duration: 0.03),
                ], duration: 0.45)
        ).sample("Ride", seed: 62))
    static let hat = Multisample(
        MetalPlate(
            [(200, -30), (700, -24), (1500, -20), (3000, -12), (6000, -3), (9000, 0), (13000, 0), (20000, -4)],
            density: 0.9, lumps: 0.5, body: 0.08, fall: 30, rise: 0.001,
            stick: Strike([], bursts: [NoiseBurst(-4, .highpass, 4000, duration: 0.015)], duration: 0.08), count: 16384
        ).sample("Hi-hat", seed: 63))

    static let tick = Strike(
        [.init(5200, -16, 0.04), .init(7300, -18, 0.03)],
        bursts: [
            NoiseBurst(-4, .highpass, 5000, duration: 0.03), NoiseBurst(-14, .bandpass, 1500, q: 0.5, duration: 0.02),
        ], duration: 0.05, rate: 44100
    ).sample("Tick")
    /// The cup, where a few modes ring out of the wash.
    static let bell = Strike(
        [
            .init(783, -13, 1.6), .init(1191, -9, 2), .init(2357, -2, 1.9), .init(2391, -8, 1.6), .init(3543, -3, 1.5),
            .init(4735, -7, 1.2), .init(6208, -7, 1), .init(8120, -12, 0.7), .init(10240, -15, 0.5),
        ],
        bursts: [
            NoiseBurst(-8, .highpass, 4500, duration: 0.03), NoiseBurst(-20, .bandpass, 5500, q: 0.4, duration: 0.8),
        ], duration: 1, rate: 26000
    ).sample("Ride bell")
}
