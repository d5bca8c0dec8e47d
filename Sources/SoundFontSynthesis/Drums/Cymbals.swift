/// Metal of the drum kits, as endless loops with envelopes and as short strokes.
enum Cymbals {
    static let crash = Multisample(MetalPlate(centre: 4200, width: 1.6, density: 0.8).sample("Crash", seed: 61))
    static let ride = Multisample(
        MetalPlate(centre: 5200, width: 1.3, density: 0.05, count: 8192).sample("Ride", seed: 62))
    static let hat = Multisample(
        MetalPlate(centre: 8800, width: 0.9, density: 0.35, count: 16384, rate: 36000).sample("Hi-hat", seed: 63))

    /// The stick on the hat and the ping of the ride.
    static let tick = Strike(
        [.init(5200, -16, 0.04), .init(7300, -18, 0.03)], bursts: [NoiseBurst(-4, .highpass, 5000, duration: 0.03)],
        duration: 0.05, rate: 40000
    ).sample("Tick")
    static let ping = Strike(
        [
            .init(620, -14, 0.5), .init(1460, -10, 0.6), .init(2310, -6, 0.7), .init(3120, -6, 0.7),
            .init(4480, -8, 0.5),
            .init(5870, -10, 0.4),
        ], bursts: [NoiseBurst(-12, .highpass, 4000, duration: 0.03)], duration: 0.33, rate: 18000
    ).sample("Ping")
    static let bell = Strike(
        [
            .init(780, -8, 0.7), .init(1190, -4, 0.8), .init(2350, -2, 0.8), .init(3540, -5, 0.6), .init(4730, -9, 0.5),
            .init(6200, -12, 0.4),
        ], bursts: [NoiseBurst(-14, .highpass, 4000, duration: 0.02)], duration: 0.38, rate: 16000
    ).sample("Ride bell")
}
