/// Programs 8...15: bars, bells and struck strings, each by its modes.
enum Mallets {
    /// Modes as ratio, level and extra decay in decibels per second; the first stays in the loop.
    static func struck(
        _ name: String, _ modes: [(Double, Double, Double)], body: Double = 0.4, loop: Double = 0.03,
        rate: Double = 24000,
        bursts: [NoiseBurst] = []
    ) -> (Int) -> Sample {
        { key in
            let partials = modes.enumerated().map { index, mode in
                Partial(mode.0, mode.1, phase: 0.1 * Double(index), decay: mode.2, persists: index == 0 || mode.2 < 18)
            }
            return Tone(partials, body: body, loop: loop, rate: rate, attack: 0.001, bursts: bursts)
                .sample("\(name) \(key)", key: key)
        }
    }

    static let glockenspiel = Multisample(
        [86],
        struck(
            "Glockenspiel", [(1, 1, 0), (2.756, 0.55, 25), (5.404, 0.35, 60), (8.93, 0.15, 120)], body: 0.2,
            rate: 40000,
            bursts: [NoiseBurst(-20, .bandpass, 6000, duration: 0.015)]))
    static let vibraphone = Multisample(
        [60, 76],
        struck(
            "Vibraphone", [(1, 1, 0), (4.0, 0.28, 14), (9.9, 0.10, 60), (2.0, 0.02, 4)],
            bursts: [NoiseBurst(-24, .bandpass, 900, duration: 0.03)]))
    static let marimba = Multisample(
        [45, 60, 76],
        struck(
            "Marimba", [(1, 1, 0), (3.93, 0.35, 30), (9.6, 0.12, 80), (1.99, 0.03, 10)], body: 0.3, rate: 20000,
            bursts: [NoiseBurst(-18, .bandpass, 500, duration: 0.04)]))
    static let xylophone = Multisample(
        [70, 86],
        struck(
            "Xylophone", [(1, 1, 0), (3.0, 0.5, 40), (6.1, 0.25, 90), (9.9, 0.12, 150)], body: 0.12, rate: 32000,
            bursts: [NoiseBurst(-14, .bandpass, 2500, duration: 0.02)]))
    static let musicBox = Multisample(
        [64, 80],
        struck(
            "Music box", [(1, 1, 0), (2.0, 0.10, 8), (5.8, 0.3, 45), (9.1, 0.12, 110)], body: 0.25,
            bursts: [NoiseBurst(-18, .bandpass, 3800, q: 2, duration: 0.015)]))
    static let celesta = Multisample(
        [64, 80],
        struck(
            "Celesta", [(1, 1, 0), (2.0, 0.22, 10), (4.1, 0.22, 35), (6.8, 0.06, 80)], body: 0.25,
            bursts: [NoiseBurst(-22, .bandpass, 1600, duration: 0.03)]))
    /// Heard at the fundamental; the modes are those of an orchestral chime (2, 3, 4.2, 5.4 ... halves).
    static let tubularBell = Multisample(
        [65],
        struck(
            "Tubular bell",
            [
                (1, 1, 0), (2, 0.9, 3), (3.01, 0.6, 7), (4.17, 0.55, 10), (5.43, 0.45, 14), (6.8, 0.3, 22),
                (8.21, 0.2, 30),
                (2.004, 0.5, 5),
            ], body: 0.5, loop: 0.2, rate: 18000, bursts: [NoiseBurst(-16, .bandpass, 2600, duration: 0.05)]))
    static let dulcimer = Multisample([55, 70]) { key in
        let f = ExactMath.frequency(key: Double(key))
        var partials = Partial.harmonics(of: f, below: 8000) { n, hertz in
            (0.2 + abs(ExactMath.sine(turns: Double(n) * 0.06))) * ExactMath.exponential(-hertz / 2400)
        }
        for i in partials.indices { partials[i].decay = 3 + partials[i].ratio * f / 220 }
        let courses = partials.map {
            Partial($0.ratio * 1.0016, $0.level * 0.8, phase: $0.phase + 0.1, decay: $0.decay + 5, persists: false)
        }
        return Tone(
            partials + courses, body: 0.35, loop: 0.05, rate: 22050, attack: 0.0008,
            bursts: [NoiseBurst(-16, .bandpass, 1400, duration: 0.03)]
        ).sample("Dulcimer \(key)", key: key)
    }

    static var programs: [Program] {
        [
            Program(
                8, "Celesta", celesta, .filter(12000, velocity: -2500), .decaying(3.2, release: 0.7), .fasterUp(40)),
            Program(
                9, "Glockenspiel", glockenspiel, .filter(18000, velocity: -1500), .decaying(3.2, release: 2.5),
                .fasterUp(20)),
            Program(
                10, "Music Box", musicBox, .filter(14000, velocity: -1800), .decaying(3.5, release: 1.8),
                .fasterUp(30)),
            Program(
                11, "Vibraphone", vibraphone, .filter(9000, velocity: -3500), .decaying(8, release: 0.8), .fasterUp(30),
                .tremolo(5.2, decibels: 2.5)),
            Program(
                12, "Marimba", marimba, .filter(8000, velocity: -3200), .decaying(2.2, release: 0.9), .fasterUp(70)),
            Program(
                13, "Xylophone", xylophone, .filter(14000, velocity: -2200), .decaying(1.1, release: 0.7), .fasterUp(50)
            ),
            Program(
                14, "Tubular Bells", tubularBell, .filter(12000, velocity: -2500), .decaying(9, release: 3.5),
                .fasterUp(20)),
            Program(
                15, "Dulcimer", dulcimer, .filter(6500, velocity: -2500), .filterSweep(1100, decay: 1.8),
                .decaying(5, release: 1.6), .fasterUp(40)),
        ]
    }
}
