/// Programs 40...47: solo strings, the section's plucked and trembling bows, harp and timpani.
enum Bowed {
    /// One player: a bow's saw through the body, alive by slow side bands, with the noise of the hair on the string,
    /// which the body colours as it does the tone.
    static func solo(_ name: String, _ body: Formants, roots: [Int]) -> Multisample {
        Multisample(roots) { key in
            let f = ExactMath.frequency(key: Double(key))
            var noise = NoiseSource(seed: key)
            let rate = key < 40 ? 20000.0 : (key < 50 ? 24000 : 32000)
            let partials = Partial.harmonics(of: f, below: 0.44 * rate) { n, hertz in
                body.level(hertz) / ExactMath.power(Double(n), 0.8) / (1 + ExactMath.power(hertz / 5000, 2.2))
                    * (0.75 + 0.5 * noise.uniform())
            }.map { Partial($0.ratio, $0.level, phase: $0.phase, attack: 0.05 + 0.008 * $0.ratio) }
            return Tone(
                partials, body: 0.14, loop: 0.45, rate: rate, attack: 0.03, wander: 0.11,
                bursts: [
                    NoiseBurst(-20, .bandpass, 2200, q: 0.5, attack: 0.015, duration: 0.2),
                    NoiseBurst(-28, .highpass, 5000, attack: 0.02, duration: 0.2),
                ],
                breath: [
                    Breath(-32, .bandpass, 2600, q: 0.4), Breath(-38, .bandpass, 900, q: 0.5), Breath(-40, .highpass, 6000),
                ]
            ).sample("\(name) \(key)", key: key)
        }
    }

    static let violin = solo("Violin", .violin, roots: [60, 70, 82])
    static let viola = solo("Viola", .viola, roots: [54, 68])
    static let cello = solo("Cello", .cello, roots: [41, 52, 64])
    static let contrabass = solo("Contrabass", .contrabass, roots: [33, 47])

    static let harp = Multisample(
        stereo: [40, 57, 74],
        Guitars.string(
            "Harp", position: 0.42, corner: 1700, loss: 10, body: 0.35, rate: 20000, second: 0.0003, boom: 0.3,
            bursts: [NoiseBurst(-26, .bandpass, 700, duration: 0.03)]))
    static let pizzicato = Multisample(
        stereo: [43, 60, 77],
        Guitars.string(
            "Pizzicato", position: 0.3, corner: 1500, loss: 30, body: 0.3, rate: 18000, second: 0.0018, boom: 0.8,
            bursts: [
                NoiseBurst(-14, .bandpass, 500, q: 1, duration: 0.05), NoiseBurst(-20, .bandpass, 2000, duration: 0.02),
            ]))

    /// Modes of an air-loaded membrane in the ratios 1 : 1.5 : 1.99 : 2.44 : 2.89 over a short thud.
    static let timpani = Multisample(
        mono: [48],
        Mallets.struck(
            "Timpani",
            [
                (1, 1, 0), (1.5, 0.55, 6), (1.99, 0.4, 10), (2.44, 0.25, 14), (2.89, 0.15, 20), (0.56, 0.35, 60),
                (1.72, 0.2, 50),
            ],
            body: 0.5, rate: 11025,
            bursts: [
                NoiseBurst(-10, .bandpass, 250, q: 0.6, duration: 0.12),
                NoiseBurst(-16, .bandpass, 1400, duration: 0.03),
            ]))

    static var programs: [Program] {
        func bow(_ number: Int, _ name: String, _ source: Multisample, _ rate: Double) -> Program {
            Program(
                number, name, source, .filter(15000, velocity: -3000), .envelope(attack: 0.07, release: 0.5),
                .vibrato(rate, cents: 14, delay: 0.35), .tremolo(rate, decibels: 0.6, delay: 0.35))
        }
        return [
            bow(40, "Violin", violin, 5.8), bow(41, "Viola", viola, 5.5), bow(42, "Cello", cello, 5.2),
            bow(43, "Contrabass", contrabass, 4.8),
            Program(
                44, "Tremolo Strings",
                Layer.wide(
                    Strings.section, .filter(8000, velocity: -2000), .envelope(attack: 0.05, release: 0.3),
                    .tremolo(11, decibels: 5), .quieter(1))),
            Program(
                45, "Pizzicato Strings", pizzicato, .filter(5500, velocity: -4600), .decaying(2.1, release: 0.6),
                .fasterUp(35)),
            Program(
                46, "Orchestral Harp", harp, .filter(5500, velocity: -3200), .filterSweep(1000, decay: 2.5),
                .decaying(6, release: 1.2), .fasterUp(45)),
            Program(47, "Timpani", timpani, .filter(4500, velocity: -3000), .decaying(3, release: 1.2), .fasterUp(20)),
        ]
    }
}
