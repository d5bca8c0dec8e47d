/// Programs 112...119: tuned percussion and drums over the keyboard.
enum Percussive {
    static let tinkleBell = Multisample(
        [80],
        Mallets.struck(
            "Tinkle bell", [(1, 1, 0), (2.4, 0.6, 10), (3.9, 0.4, 25), (5.8, 0.3, 40), (8.1, 0.15, 70)], body: 0.25,
            rate: 40000))
    static let agogo = Multisample(
        [72],
        Mallets.struck(
            "Agogo", [(1, 1, 0), (1.48, 0.4, 20), (2.63, 0.7, 30), (3.9, 0.3, 50), (5.2, 0.25, 70)], body: 0.25,
            bursts: [NoiseBurst(-14, .bandpass, 4000, duration: 0.015)]))
    static let steelDrum = Multisample([60, 74]) { key in
        // The octave and the twelfth swell in after the stroke: energy moves between the modes of the pan.
        let partials = [
            Partial(1, 1, decay: 1), Partial(2, 0.75, phase: 0.3, decay: 3, attack: 0.02),
            Partial(3, 0.3, phase: 0.1, decay: 8, attack: 0.03), Partial(4, 0.25, phase: 0.6, decay: 12, attack: 0.01),
            Partial(2.012, 0.3, phase: 0.2, decay: 12, persists: false), Partial(5.1, 0.15, decay: 40, persists: false),
        ]
        return Tone(
            partials, body: 0.3, loop: 0.08, rate: 20000, attack: 0.001,
            bursts: [NoiseBurst(-16, .bandpass, 1800, duration: 0.03)]
        ).sample("Steel drum \(key)", key: key)
    }
    static let woodblock = Multisample(
        [72],
        Mallets.struck(
            "Woodblock", [(1, 1, 0), (1.62, 0.5, 60), (2.7, 0.35, 100), (4.1, 0.15, 150)], body: 0.1,
            bursts: [NoiseBurst(-8, .bandpass, 2500, duration: 0.012)]))
    static let taiko = Multisample(
        [45],
        Mallets.struck(
            "Taiko", [(1, 1, 0), (1.59, 0.5, 25), (2.14, 0.35, 35), (2.65, 0.2, 45), (3.6, 0.15, 60)], body: 0.35,
            rate: 16000,
            bursts: [
                NoiseBurst(-6, .bandpass, 300, q: 0.6, duration: 0.12),
                NoiseBurst(-12, .bandpass, 2500, duration: 0.03),
            ]))
    static let tom = Multisample(
        [48],
        Mallets.struck(
            "Tom", [(1, 1, 0), (1.51, 0.3, 30), (2.0, 0.25, 45), (2.9, 0.12, 70)], body: 0.3, rate: 20000,
            bursts: [
                NoiseBurst(-8, .bandpass, 600, q: 0.6, duration: 0.08),
                NoiseBurst(-14, .bandpass, 3500, duration: 0.02),
            ]))

    static var programs: [Program] {
        [
            Program(
                112, "Tinkle Bell", tinkleBell, .filter(18000, velocity: -1500), .decaying(2.8, release: 1.8),
                .fasterUp(20)),
            Program(113, "Agogo", agogo, .filter(14000, velocity: -1800), .decaying(1.1, release: 0.8)),
            Program(
                114, "Steel Drums", steelDrum, .filter(11000, velocity: -2500), .decaying(2.6, release: 0.8),
                .fasterUp(30)),
            Program(115, "Woodblock", woodblock, .filter(12000, velocity: -2200), .decaying(0.35, release: 0.3)),
            Program(
                116, "Taiko Drum", taiko, .filter(5000, velocity: -3000), .decaying(1.6, release: 1.2),
                .pitchSweep(120, decay: 0.12)),
            Program(
                117, "Melodic Tom", tom, .filter(7000, velocity: -3000), .decaying(1.1, release: 0.8),
                .pitchSweep(250, decay: 0.15)),
            Program(
                118, "Synth Drum",
                [
                    Layer(
                        Waves.triangle, [.filter(6000), .decaying(0.9, release: 0.7), .pitchSweep(1900, decay: 0.25)]),
                    Layer(Waves.noise, [.scale(0), .filter(6000), .decaying(0.12, release: 0.1), .quieter(10)]),
                ]),
            Program(
                119, "Reverse Cymbal",
                [
                    Layer(
                        Cymbals.crash,
                        [
                            .scale(25), .filter(4000), .filterSweep(2000, attack: 1.8, decay: 0.1),
                            .envelope(attack: 2.2, decay: 0.15, sustain: 100, release: 0.15),
                        ])
                ]),
        ]
    }
}
