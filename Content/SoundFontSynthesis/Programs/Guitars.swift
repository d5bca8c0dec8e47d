/// Programs 24...31: plucked strings with and without a pickup, and two amplifiers.
enum Guitars {
    /// Pluck position, corner of the tone in hertz, losses in decibels per second at 1 kHz.
    static func string(
        _ name: String, position: Double, corner: Double, loss: Double, stiffness: Double = 5e-5, body: Double = 0.4,
        rate: Double = 20000, second: Double = 0, boom: Double = 0, bursts: [NoiseBurst] = []
    ) -> (Int) -> Sample {
        { key in
            var noise = NoiseSource(seed: key + Int(corner))
            var losses = NoiseSource(seed: key + 3000)
            let f = ExactMath.frequency(key: Double(key))
            var partials: [Partial] = []
            var n = 1.0
            while n * f < min(0.45 * rate, corner * 9) || n == 1 {
                let ratio = n * ((1 + stiffness * n * n) / (1 + stiffness)).squareRoot()
                let hertz = ratio * f
                let pluck = 0.06 + abs(ExactMath.sine(turns: n * position / 2))
                let wood = 1 + boom / (1 + (hertz - 210) * (hertz - 210) / 6000)
                let finger =
                    0.93 * ExactMath.exponential(-hertz / corner) + 0.07 * ExactMath.exponential(-hertz / (3.5 * corner))
                let level = pluck * wood * finger / ExactMath.power(n, 0.6) * (0.75 + 0.5 * noise.uniform())
                // The body takes from each partial what it radiates well: no two decay alike.
                let bridge = ExactMath.exponential2(losses.bipolar() * min(1, n / 3))
                let decay = (loss * ExactMath.power(hertz / 1000, 0.9) + 0.4 * n) * bridge
                partials.append(
                    Partial(ratio, level, phase: noise.uniform(), decay: decay, persists: decay * body < 50))
                if second > 0 {
                    partials.append(
                        Partial(
                            ratio * (1 + second * (0.7 + 0.6 * noise.uniform())), level * 0.5, phase: noise.uniform(),
                            decay: decay * 1.4 + 6, persists: false))
                }
                n += 1
            }
            return Tone(partials, body: body, loop: 0.08, rate: rate, attack: 0.001, bursts: bursts)
                .sample("\(name) \(key)", key: key)
        }
    }

    static let nylon = Multisample(
        [45, 57, 69],
        string(
            "Nylon", position: 0.24, corner: 1500, loss: 15, body: 0.75, rate: 24000, second: 0.0008, boom: 0.8,
            bursts: [
                NoiseBurst(-18, .bandpass, 900, duration: 0.03), NoiseBurst(-24, .bandpass, 110, q: 3, duration: 0.2),
                NoiseBurst(-22, .bandpass, 215, q: 4, duration: 0.15),
                NoiseBurst(-22, .bandpass, 3500, q: 0.5, duration: 0.025),
            ]))
    static let steel = Multisample(
        [45, 57, 69],
        string(
            "Steel", position: 0.13, corner: 3000, loss: 7, body: 0.8, rate: 32000, second: 0.0011, boom: 0.5,
            bursts: [
                NoiseBurst(-14, .bandpass, 4500, q: 0.5, duration: 0.025), NoiseBurst(-24, .bandpass, 105, q: 3, duration: 0.2),
            ]))
    static let electric = Multisample(
        [43, 55, 68],
        string(
            "Electric", position: 0.2, corner: 2300, loss: 8, body: 0.4, second: 0.0004,
            bursts: [NoiseBurst(-22, .bandpass, 2500, duration: 0.015)]))

    /// An overdriven string: the partials of a saturated amplifier, dense, hardly decaying, with feedback-like life.
    static func driven(_ name: String, corner: Double, wander: Double, breath: Double) -> (Int) -> Sample {
        { key in
            let f = ExactMath.frequency(key: Double(key))
            let partials = Partial.harmonics(of: f, below: 7500) { n, hertz in
                let cabinet =
                    (0.5 + 1 / (1 + (hertz - 2400) * (hertz - 2400) / 900_000)) / (1 + (90 / hertz) * (90 / hertz))
                return cabinet * (n % 2 == 1 ? 1 : 0.6) / ExactMath.power(Double(n), 0.7)
                    / (1 + ExactMath.power(hertz / corner, 3))
            }
            let start = partials.map {
                Partial($0.ratio * 1.001, $0.level * 0.6, phase: 0.3, decay: 30, persists: false)
            }
            return Tone(
                partials + start, body: 0.15, loop: 0.26, rate: 18000, attack: 0.002, wander: wander,
                bursts: [NoiseBurst(-6, .bandpass, 1800, duration: 0.035)], breath: [Breath(breath, .bandpass, 2500)]
            ).sample("\(name) \(key)", key: key)
        }
    }

    static let overdrive = Multisample([43, 55, 68], driven("Overdrive", corner: 3000, wander: 0.12, breath: -34))
    static let distortion = Multisample([43, 55, 68], driven("Distortion", corner: 4500, wander: 0.28, breath: -28))

    static var programs: [Program] {
        let harmonics = Multisample([70], string("Harmonics", position: 0.5, corner: 2500, loss: 5, body: 0.4))
        return [
            Program(
                24, "Nylon Guitar", nylon, .filter(8000, velocity: -3600), .filterSweep(700, decay: 2.2),
                .decaying(5.5, release: 0.25), .fasterUp(50)),
            Program(
                25, "Steel Guitar", steel, .filter(12000, velocity: -3200), .filterSweep(700, decay: 2.5),
                .decaying(7, release: 0.25), .fasterUp(50)),
            Program(
                26, "Jazz Guitar", electric, .filter(2100, velocity: -1800), .decaying(6, release: 0.18),
                .fasterUp(50)),
            Program(
                27, "Clean Guitar",
                [
                    Layer(
                        electric,
                        [
                            .filter(7000, velocity: -3200), .filterSweep(900, decay: 2.5), .decaying(8, release: 0.2),
                            .fasterUp(40), .sends(chorus: 0.25),
                        ])
                ]),
            Program(
                28, "Muted Guitar", electric, .filter(3200, velocity: -2000), .decaying(0.55, release: 0.12),
                .fasterUp(30)),
            Program(
                29, "Overdriven Guitar", overdrive, .filter(6000, velocity: -1500), .decaying(22, release: 0.15),
                .vibrato(5, cents: 6, delay: 0.6)),
            Program(
                30, "Distortion Guitar", distortion, .filter(7500, velocity: -1200), .decaying(30, release: 0.15),
                .vibrato(5, cents: 5, delay: 0.7)),
            Program(31, "Guitar Harmonics", harmonics, .filter(9000, velocity: -2400), .decaying(4.5, release: 0.4)),
        ]
    }
}
