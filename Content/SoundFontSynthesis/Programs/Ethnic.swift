/// Programs 104...111: strings, tongues, pipes and bows from many places.
enum Ethnic {
    /// Sympathetic shimmer and a bridge that grazes: the upper partials bloom after the pluck.
    static let sitar = Multisample([52, 64]) { key in
        let f = ExactMath.frequency(key: Double(key))
        var noise = NoiseSource(seed: key + 900)
        var partials = Partial.harmonics(of: f, below: 8500) { n, hertz in
            (0.25 + abs(ExactMath.sine(turns: Double(n) * 0.045))) / (1 + hertz / 4500) * (0.6 + 0.8 * noise.uniform())
        }
        for i in partials.indices {
            partials[i].decay = 3 + 2.5 * partials[i].ratio * f / 1000
            partials[i].attack = 0.004 * min(20, partials[i].ratio)
        }
        let drone = [1.5, 2.0, 2.5, 3.0].map {
            Partial($0 * 1.002, 0.12, phase: 0.2, decay: 2, attack: 0.1, persists: false)
        }
        return Tone(
            partials + drone, body: 0.5, loop: 0.15, rate: 18000, attack: 0.001, wander: 0.08,
            bursts: [NoiseBurst(-12, .bandpass, 3200, duration: 0.02)]
        ).sample("Sitar \(key)", key: key)
    }

    static func plucked(
        _ name: String, roots: [Int], position: Double, brightness: Double, decay: Double, body: Double,
        burst: NoiseBurst
    ) -> Multisample {
        Multisample(roots) { key in
            PluckedString(
                position: position, brightness: brightness, decay: decay, softness: 7000, body: body, rate: 20000,
                bursts: [burst]
            ).sample("\(name) \(key)", key: key, seed: 17)
        }
    }

    static let banjo = plucked(
        "Banjo", roots: [52, 66], position: 0.1, brightness: 0.92, decay: 6, body: 0.3,
        burst: NoiseBurst(-8, .bandpass, 900, q: 1.5, duration: 0.05))
    static let shamisen = plucked(
        "Shamisen", roots: [55, 69], position: 0.07, brightness: 0.82, decay: 18, body: 0.25,
        burst: NoiseBurst(-4, .bandpass, 1300, q: 1.2, duration: 0.04))
    static let koto = plucked(
        "Koto", roots: [55, 71], position: 0.15, brightness: 0.9, decay: 5, body: 0.35,
        burst: NoiseBurst(-14, .bandpass, 2200, duration: 0.025))
    static let kalimba = Multisample(
        stereo: [60, 75],
        Mallets.struck(
            "Kalimba", [(1, 1, 0), (5.4, 0.25, 70), (2.0, 0.08, 12), (9.2, 0.06, 140)], body: 0.18, rate: 22050,
            bursts: [
                NoiseBurst(-14, .bandpass, 700, q: 1.5, duration: 0.05),
                NoiseBurst(-20, .bandpass, 4000, duration: 0.015),
            ]))
    static let bagpipe = Multisample([60, 74]) { key in
        let f = ExactMath.frequency(key: Double(key))
        let partials = Partial.harmonics(of: f, below: 8500) { n, hertz in
            (0.2 + 1 / (1 + (hertz - 1400) * (hertz - 1400) / 900_000)) / ExactMath.power(Double(n), 0.35)
                / (1 + hertz / 5000)
        }
        return Tone(partials, body: 0.04, loop: 0.25, rate: 18000, attack: 0.015, wander: 0.06).sample(
            "Bagpipe \(key)", key: key)
    }
    static let shanai = Reeds.reed(
        "Shanai", roots: [66], slope: 0.35,
        Formants(floor: 0.2, [(1500, 700, 1), (3200, 900, 0.7)]), wander: 0.1, breath: -40)

    static var programs: [Program] {
        [
            Program(
                104, "Sitar", sitar, .filter(6000, velocity: -2400), .filterSweep(900, decay: 3),
                .decaying(7, release: 0.8), .fasterUp(30), .pitchSweep(20, decay: 0.15)),
            Program(
                105, "Banjo", banjo, .filter(15000, velocity: -4400), .filterSweep(1200, decay: 1.2),
                .decaying(4, release: 0.48), .fasterUp(40)),
            Program(
                106, "Shamisen", shamisen, .filter(5500, velocity: -2400), .filterSweep(1200, decay: 0.8),
                .decaying(2.2, release: 0.5), .fasterUp(40)),
            Program(
                107, "Koto", koto, .filter(4800, velocity: -2600), .filterSweep(1200, decay: 1.8),
                .decaying(5, release: 0.9), .fasterUp(45)),
            Program(
                108, "Kalimba", kalimba, .filter(9000, velocity: -2600), .decaying(2.4, release: 0.6), .fasterUp(45)),
            Program(
                109, "Bagpipe",
                [
                    Layer(bagpipe, [.filter(8000, velocity: 0), .envelope(attack: 0.02, release: 0.14), .quieter(2)]),
                    Layer(
                        bagpipe,
                        [
                            .filter(3500, velocity: 0), .envelope(attack: 0.05, release: 0.08), .tuned(-12, cents: 3),
                            .quieter(9),
                        ]),
                ]),
            Program(
                110, "Fiddle", Bowed.violin, .filter(11000, velocity: -1500), .envelope(attack: 0.035, release: 0.3),
                .vibrato(6.2, cents: 10, delay: 0.25)),
            Program(
                111, "Shanai", shanai, .filter(8000, velocity: -1500), .envelope(attack: 0.03, release: 0.2),
                .vibrato(5.8, cents: 18, delay: 0.25)),
        ]
    }
}
