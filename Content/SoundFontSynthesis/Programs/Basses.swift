/// Programs 32...39: the low end.
enum Basses {
    private static let roots = [31, 41, 53]

    static let acoustic = Multisample(
        mono: roots,
        Guitars.string(
            "Acoustic bass", position: 0.27, corner: 520, loss: 22, body: 0.32, rate: 14000, second: 0.0012, boom: 0.6,
            bursts: [
                NoiseBurst(-20, .bandpass, 700, duration: 0.035), NoiseBurst(-22, .bandpass, 90, q: 2, duration: 0.15),
            ]))
    static let finger = Multisample(
        mono: roots,
        Guitars.string(
            "Finger bass", position: 0.2, corner: 800, loss: 14, body: 0.32, rate: 14000, second: 0.0005,
            bursts: [NoiseBurst(-26, .bandpass, 900, duration: 0.03)]))
    static let pick = Multisample(
        mono: roots,
        Guitars.string(
            "Pick bass", position: 0.1, corner: 1500, loss: 10, body: 0.3, rate: 18000, second: 0.0005,
            bursts: [NoiseBurst(-16, .bandpass, 2600, duration: 0.02)]))
    static let fretless = Multisample(
        [31, 46],
        { key in
            let f = ExactMath.frequency(key: Double(key))
            let partials = Partial.harmonics(of: f, below: 3500) { n, hertz in
                ExactMath.exponential(-hertz / 650) * (1 + 1.2 / (1 + (hertz - 750) * (hertz - 750) / 60_000))
                    * (n == 1 ? 1.2 : 1)
            }.map { Partial($0.ratio, $0.level, phase: $0.phase, decay: 3 * $0.ratio, attack: 0.01 + 0.006 * $0.ratio) }
            return Tone(partials, body: 0.3, loop: 0.12, rate: 12000, attack: 0.006, wander: 0.04)
                .sample("Fretless \(key)", key: key)
        })
    static let slap = Multisample(
        mono: roots,
        Guitars.string(
            "Slap bass", position: 0.06, corner: 2600, loss: 16, body: 0.3, rate: 20000, second: 0.0006,
            bursts: [NoiseBurst(-4, .bandpass, 3200, duration: 0.02), NoiseBurst(-10, .bandpass, 1200, duration: 0.04)])
    )

    static var programs: [Program] {
        let fm = Multisample([33, 48]) { key in
            FrequencyModulation(
                [
                    .init(carrier: 1, modulator: 1, index: 3.2, rest: 0.8, fall: 0.12),
                    .init(carrier: 1, modulator: 2, level: 0.4, decay: 12, index: 1.5, rest: 0.2, fall: 0.08),
                ], body: 0.25, loop: 0.05, rate: 18000
            ).sample("FM bass \(key)", key: key)
        }
        return [
            Program(
                32, "Acoustic Bass", acoustic, .filter(2000, velocity: -2800), .filterSweep(1200, decay: 1.3),
                .decaying(3.8, release: 0.15), .fasterUp(20)),
            Program(
                33, "Finger Bass", finger, .filter(2200, velocity: -2800), .filterSweep(1200, decay: 1.6),
                .decaying(6, release: 0.1), .fasterUp(20)),
            Program(
                34, "Pick Bass", pick, .filter(3600, velocity: -2400), .filterSweep(1200, decay: 1.6),
                .decaying(6, release: 0.1), .fasterUp(20)),
            Program(
                35, "Fretless Bass", fretless, .filter(3200, velocity: -2400), .decaying(9, release: 0.12),
                .vibrato(4.8, cents: 10, delay: 0.35), .pitchSweep(-25, decay: 0.08)),
            Program(
                36, "Slap Bass 1", slap, .filter(5000, velocity: -3000), .filterSweep(1200, decay: 1.2),
                .decaying(4.5, release: 0.08), .fasterUp(20)),
            Program(
                37, "Slap Bass 2", slap, .filter(5500, q: 4, velocity: -2400), .filterSweep(1800, decay: 0.15),
                .decaying(3.5, release: 0.08), .fasterUp(20)),
            Program(
                38, "Synth Bass 1",
                [
                    Layer(
                        Waves.saw,
                        [
                            .filter(380, q: 9, velocity: -900), .filterSweep(3300, decay: 0.35),
                            .envelope(decay: 6, sustain: 8, release: 0.08),
                        ]),
                    Layer(
                        Waves.square,
                        [
                            .tuned(-12), .filter(500, velocity: -900), .filterSweep(1200, decay: 0.3),
                            .envelope(decay: 6, sustain: 8, release: 0.08), .quieter(7),
                        ]),
                ]),
            Program(
                39, "Synth Bass 2",
                [
                    Layer(fm, [.filter(5000, velocity: -3000), .envelope(decay: 9, sustain: 20, release: 0.08)]),
                    Layer(Waves.sine, [.envelope(decay: 9, sustain: 20, release: 0.08), .quieter(6)]),
                ]),
        ]
    }
}
