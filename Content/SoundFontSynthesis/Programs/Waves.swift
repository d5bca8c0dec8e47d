/// Plain periodic waves that several families share.
enum Waves {
    private static let roots = [29, 41, 53, 65, 77, 89, 101]

    /// One wave over the keyboard, band-limited per zone.
    static func wave(_ name: String, rate: Double = 32000, _ level: @escaping (Int, Double) -> Double) -> Multisample {
        Multisample(roots) { key in
            let f = ExactMath.frequency(key: Double(key))
            let partials = (1...max(1, min(100, Int(0.42 * rate / f)))).map {
                Partial(Double($0), level($0, Double($0) * f))
            }
            return Tone(partials, body: 0.002, loop: 0.02, rate: rate, attack: 0).sample("\(name) \(key)", key: key)
        }
    }

    static let sine = wave("Sine", rate: 22050) { n, _ in n == 1 ? 1 : 0 }
    static let triangle = wave("Triangle") { n, _ in n % 2 == 1 ? (n % 4 == 1 ? 1 : -1) / Double(n * n) : 0 }
    static let square = wave("Square") { n, _ in n % 2 == 1 ? 1 / Double(n) : 0 }
    static let saw = wave("Saw") { n, _ in 1 / Double(n) }
    static let pulse = wave("Pulse") { n, _ in ExactMath.sine(turns: Double(n) * 0.125) / Double(n) }
    /// Only the upper harmonics: an edge on top of another sound.
    static let edge = wave("Edge") { n, hertz in hertz > 1500 ? 1 / Double(n).squareRoot() : 0 }

    /// Saws of several detuned players.
    static let superSaw = Multisample([36, 48, 60, 72, 84]) { key in
        Ensemble(spread: 14, count: 8192) { n, _ in 1 / Double(n) }.sample("Supersaw \(key)", key: key, seed: 5)
    }

    /// Noise with its weight below 3 kHz, the same pitch on every key unless scaled.
    static let noise: Multisample = {
        var source = NoiseSource(seed: 99)
        return Multisample(
            Sample.turning(
                "Noise", Biquad(.lowpass, frequency: 3000, q: 0.5, rate: 24000).filterLoop(source.frames(12000)),
                rate: 24000, key: 60))
    }()
}
