/// Programs 16...23: drawbars, pipes, reeds.
enum Organs {
    /// Footages 16, 5 1/3, 8, 4, 2 2/3, 2, 1 3/5, 1 1/3, 1 as ratios of the 8-foot tone.
    private static let feet = [0.5, 1.5, 1, 2, 3, 4, 5, 6, 8]

    /// Drawbar settings 0...8, 3 dB a step, with key click.
    static func drawbars(_ name: String, _ bars: [Int], click: Double, percussion: Double = 0) -> Multisample {
        Multisample([43, 60, 77]) { key in
            var partials: [Partial] = []
            for (index, bar) in bars.enumerated() where bar > 0 {
                let level = ExactMath.amplitude(decibels: Double(bar - 8) * 3)
                partials.append(Partial(feet[index], level, phase: Double(index * index % 7) / 7))
                // Leakage of the tone wheels.
                partials.append(Partial(feet[index] * 2, level * 0.03, phase: 0.3))
            }
            if percussion > 0 { partials.append(Partial(3, percussion, decay: 140, persists: false)) }
            // An even number of periods, so that the 16-foot tone fits.
            return Tone(
                partials, body: percussion > 0 ? 0.12 : 0.03, loop: evenLoop(key, 0.1), rate: 22050, attack: 0.003,
                bursts: [NoiseBurst(click, .bandpass, 2200, q: 0.6, duration: 0.012)]
            ).sample("\(name) \(key)", key: key)
        }
    }

    /// Seconds near `wish` that hold an even number of periods of `key`.
    static func evenLoop(_ key: Int, _ wish: Double) -> Double {
        let f = ExactMath.frequency(key: Double(key))
        return max(2, 2 * (wish * f / 2).rounded()) / f
    }

    /// A principal chorus: ranks 8, 4, 2 2/3, 2 and mixture, each slightly alive, with wind and chiff.
    static let pipes = Multisample([38, 50, 62, 74, 86]) { key in
        let f = ExactMath.frequency(key: Double(key))
        var noise = NoiseSource(seed: key)
        var partials: [Partial] = []
        for (rank, weight) in [(1.0, 1.0), (2, 0.75), (3, 0.35), (4, 0.5), (6, 0.25), (8, 0.25), (0.5, 0.45)] {
            for n in 1...10 {
                let ratio = rank * Double(n)
                guard ratio * f < 8000 else { break }
                let tint = 1 + 0.0003 * noise.bipolar()
                partials.append(
                    Partial(
                        ratio * tint, weight / ExactMath.power(Double(n), 1.7), phase: noise.uniform(),
                        attack: 0.05 / rank.squareRoot()))
            }
        }
        return Tone(
            partials, body: 0.09, loop: evenLoop(key, 0.26), rate: 20000, attack: 0.012, wander: 0.03,
            bursts: [NoiseBurst(-20, .bandpass, 3 * f, q: 1.5, attack: 0.01, duration: 0.09)],
            breath: [Breath(-44, .bandpass, 1800)]
        ).sample("Pipes \(key)", key: key)
    }

    /// Free reeds: rich and nasal.
    static let freeReed = Multisample([43, 55, 67, 79]) { key in
        let f = ExactMath.frequency(key: Double(key))
        let partials = Partial.harmonics(of: f, below: 8500) { n, hertz in
            let formant = 1 + 1.2 / (1 + (hertz - 1700) * (hertz - 1700) / 640_000)
            return formant * (n % 2 == 1 ? 1 : 0.7) / ExactMath.power(Double(n), 0.85) / (1 + hertz / 4000)
        }
        return Tone(partials, body: 0.04, loop: 0.1, rate: 22050, attack: 0.02, breath: [Breath(-46, .highpass, 3000)])
            .sample("Free reed \(key)", key: key)
    }

    static let harmonicaReed = Multisample([60, 74]) { key in
        let f = ExactMath.frequency(key: Double(key))
        let partials = Partial.harmonics(of: f, below: 9000) { n, hertz in
            let formant = 0.5 + 1.5 / (1 + (hertz - 2200) * (hertz - 2200) / 1_000_000)
            return formant * (n == 1 ? 1.6 : 1) / ExactMath.power(Double(n), 0.7) / (1 + hertz / 5000)
        }
        return Tone(
            partials, body: 0.05, loop: 0.3, rate: 22050, attack: 0.03, wander: 0.06,
            breath: [Breath(-32, .bandpass, 3000)]
        ).sample("Harmonica \(key)", key: key)
    }

    static var programs: [Program] {
        let full = drawbars("Drawbar", [8, 8, 8, 5, 3, 2, 0, 1, 2], click: -12)
        let percussive = drawbars("Percussive", [8, 8, 6, 0, 0, 0, 0, 0, 0], click: -8, percussion: 0.9)
        let rock = drawbars("Rock", [8, 7, 8, 5, 3, 4, 2, 2, 4], click: -10)
        return [
            Program(
                16, "Drawbar Organ", full, .filter(10000, velocity: 0), .envelope(attack: 0.003, release: 0.05),
                .wobble(6.3, pitch: 5), .tremolo(6.3, decibels: 0.7)),
            Program(17, "Percussive Organ", percussive, .filter(10000, velocity: 0), .envelope(release: 0.05)),
            Program(
                18, "Rock Organ",
                [
                    Layer(
                        rock,
                        [
                            .filter(8000, velocity: -600), .envelope(release: 0.09), .wobble(0.9, pitch: 5),
                            .tremolo(0.9, decibels: 2.2), .vibrato(6.7, cents: 3, delay: 0.05), .quieter(1), .pan(-0.3),
                        ]),
                    Layer(
                        Waves.square,
                        [
                            .filter(1500, velocity: -600), .envelope(release: 0.09), .wobble(0.75, pitch: -4),
                            .tremolo(0.75, decibels: 2), .tuned(cents: 4), .quieter(8), .pan(0.4),
                        ]),
                ]),
            Program(
                19, "Church Organ",
                Layer.wide(
                    pipes, offset: 4000, .filter(12000, velocity: 0), .envelope(attack: 0.02, release: 0.45),
                    .quieter(3),
                    .sends(reverb: 0.25))),
            Program(20, "Reed Organ", freeReed, .filter(5000, velocity: -600), .envelope(attack: 0.06, release: 0.15)),
            Program(
                21, "Accordion",
                [
                    Layer(
                        freeReed,
                        [
                            .filter(9000, velocity: -1200), .envelope(attack: 0.03, release: 0.1), .tuned(cents: -7),
                            .quieter(3),
                        ]),
                    Layer(
                        freeReed,
                        [
                            .filter(9000, velocity: -1200), .envelope(attack: 0.04, release: 0.1), .tuned(cents: 7),
                            .quieter(3),
                        ]),
                ]),
            Program(
                22, "Harmonica", harmonicaReed, .filter(7000, velocity: -2200), .envelope(attack: 0.04, release: 0.1),
                .vibrato(5.3, cents: 12, delay: 0.35), .tremolo(5.3, decibels: 1, delay: 0.35)),
            Program(
                23, "Tango Accordion",
                [
                    Layer(
                        freeReed,
                        [
                            .filter(11000, velocity: -1200), .envelope(attack: 0.025, release: 0.1), .tuned(cents: -2),
                            .quieter(3),
                        ]),
                    Layer(
                        freeReed,
                        [
                            .filter(11000, velocity: -1200), .envelope(attack: 0.03, release: 0.1),
                            .tuned(12, cents: 2), .quieter(6),
                        ]),
                ]),
        ]
    }
}
