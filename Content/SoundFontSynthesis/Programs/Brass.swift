/// Programs 56...63: lips and bells. The harmonics enter one after the other, and the filter follows the breath.
enum Brass {
    /// `corner` in hertz: where the bell's spectrum begins to fall; `slope` its steepness; `rise` seconds per harmonic.
    static func horn(
        _ name: String, roots: [Int], corner: Double, slope: Double, rise: Double, wander: Double = 0.05,
        lowCut: Double = 0, rate: Double = 22050, nasal: Double = 0, player: Int = 1
    ) -> Multisample {
        Multisample(roots) { key in
            let f = ExactMath.frequency(key: Double(key))
            var phases = NoiseSource(seed: key + 100 * player)
            let partials = Partial.harmonics(of: f, below: 0.43 * rate) { _, hertz in
                let bell = 1 / (1 + ExactMath.power(hertz / corner, slope))
                let body = 1 / (1 + (lowCut / hertz) * (lowCut / hertz))
                return bell * body + nasal / (1 + (hertz - 2200) * (hertz - 2200) / 500_000)
            }.map {
                let phase = player == 1 ? $0.phase * 0.25 : phases.uniform()
                return Partial($0.ratio, $0.level, phase: phase, attack: 0.012 + rise * $0.ratio)
            }
            return Tone(
                partials, body: 0.12, loop: 0.36, rate: rate, attack: 0.006, wander: wander,
                bursts: [
                    NoiseBurst(-24, .bandpass, 1200, attack: 0.006, duration: 0.06),
                    NoiseBurst(-34, .highpass, 4000, attack: 0.004, duration: 0.05),
                ],
                breath: [Breath(-42, .bandpass, 2600, q: 0.4), Breath(-50, .highpass, 6000)]
            ).sample("\(name) \(key)", key: key, seed: player)
        }
    }

    static let trumpet = horn(
        "Trumpet", roots: [58, 68, 79], corner: 1700, slope: 2.1, rise: 0.006, lowCut: 550, rate: 32000)
    static let trombone = horn(
        "Trombone", roots: [46, 58], corner: 900, slope: 2.1, rise: 0.004, lowCut: 220, rate: 26000)
    static let tuba = horn("Tuba", roots: [34, 47], corner: 330, slope: 2.4, rise: 0.012, rate: 12000)
    static let muted = horn(
        "Muted trumpet", roots: [62, 75], corner: 500, slope: 1.5, rise: 0.004, lowCut: 700, rate: 32000, nasal: 0.3)
    /// Two players of horns, since the instrument is hardly written for alone.
    static let frenchHorns = (1...2).map {
        horn(
            "Horn \($0), ", roots: [46, 60], corner: 700, slope: 2.5, rise: 0.009, wander: 0.14, rate: 20000, player: $0)
    }
    static let section = Multisample([48, 60, 72]) { key in
        Ensemble(spread: 10, count: 16384, rate: 30000, air: [(2200, 1500, 0.012), (7500, 4000, 0.004)]) { _, hertz in
            1 / (1 + ExactMath.power(hertz / 1600, 2)) / (1 + (300 / hertz) * (300 / hertz))
        }.sample("Brass section \(key)", key: key, seed: 41)
    }

    static var programs: [Program] {
        func solo(_ number: Int, _ name: String, _ source: Multisample, _ corner: Double, _ vibrato: Double) -> Program {
            Program(
                number, name, source, .filter(corner, velocity: -4200),
                .filterSweep(1300, attack: 0.06, decay: 0.5, sustain: 0.55), .envelope(attack: 0.012, release: 0.22),
                .vibrato(5.2, cents: vibrato, delay: 0.45), .pitchSweep(-18, decay: 0.06))
        }
        return [
            solo(56, "Trumpet", trumpet, 9500, 8), solo(57, "Trombone", trombone, 6500, 6),
            solo(58, "Tuba", tuba, 2400, 3), solo(59, "Muted Trumpet", muted, 11000, 8),
            Program(
                60, "French Horn",
                zip(frenchHorns, [-1.0, 1]).map { horn, side in
                    Layer(
                        horn,
                        [
                            .filter(4200, velocity: -4200), .filterSweep(1000, attack: 0.1, decay: 0.9, sustain: 0.7),
                            .envelope(attack: side < 0 ? 0.03 : 0.42, release: 0.4), .pan(0.35 * side),
                            .tuned(cents: 3.5 * side), .vibrato(4.6 + 0.3 * side, cents: 4, delay: 0.5), .quieter(1),
                        ])
                }),
            Program(
                61, "Brass Section",
                Layer.wide(
                    section, offset: 6000, .filter(8000, velocity: -4200),
                    .filterSweep(1800, attack: 0.05, decay: 0.6, sustain: 0.5),
                    .envelope(attack: 0.025, release: 0.3))),
            Program(
                62, "Synth Brass 1",
                [
                    Layer(
                        Waves.saw,
                        [
                            .filter(1100, q: 3, velocity: -1800),
                            .filterSweep(2800, attack: 0.05, decay: 0.7, sustain: 0.5),
                            .envelope(attack: 0.02, release: 0.28), .tuned(cents: -6), .pan(-0.4), .quieter(3),
                        ]),
                    Layer(
                        Waves.saw,
                        [
                            .filter(1100, q: 3, velocity: -1800),
                            .filterSweep(2800, attack: 0.05, decay: 0.7, sustain: 0.5),
                            .envelope(attack: 0.02, release: 0.28), .tuned(cents: 6), .pan(0.4), .quieter(3),
                        ]),
                ]),
            Program(
                63, "Synth Brass 2",
                [
                    Layer(
                        Waves.superSaw,
                        [
                            .filter(900, velocity: -1500), .filterSweep(2400, attack: 0.09, decay: 0.9, sustain: 0.45),
                            .envelope(attack: 0.05, release: 0.3), .quieter(2),
                        ]),
                    Layer(
                        Waves.pulse,
                        [
                            .filter(1300, velocity: -1500), .filterSweep(1600, attack: 0.09, decay: 0.9, sustain: 0.4),
                            .envelope(attack: 0.05, release: 0.3), .quieter(7),
                        ]),
                ]),
        ]
    }
}
