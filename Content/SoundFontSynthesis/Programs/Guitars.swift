/// Programs 24...31: plucked strings with and without a pickup, and two amplifiers.
enum Guitars {
    /// Pluck position, corner of the tone in hertz, losses in decibels per second at 1 kHz; `palm` is what a hand on the
    /// bridge takes from all but the last twelfth of each partial, in decibels per second.
    static func string(
        _ name: String, position: Double, corner: Double, loss: Double, stiffness: Double = 5e-5, body: Double = 0.4,
        rate: Double = 20000, second: Double = 0, boom: Double = 0, palm: Double = 0,
        bursts: [NoiseBurst] = []
    ) -> (Int, Side?) -> Sample {
        { key, side in
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
                let rest = palm > 0 ? 0.08 : 1.0
                let phase = noise.uniform()
                partials.append(
                    Partial(ratio, level * rest, phase: phase, decay: decay, persists: decay * body < 50))
                if palm > 0 {
                    let damped = decay + palm * (1 + hertz / 2000)
                    partials.append(Partial(ratio, level * (1 - rest), phase: phase, decay: damped, persists: false))
                }
                if second > 0 {
                    partials.append(
                        Partial(
                            ratio * (1 + second * (0.7 + 0.6 * noise.uniform())), level * 0.5, phase: noise.uniform(),
                            decay: decay * 1.4 + 6, persists: false))
                }
                n += 1
            }
            return Tone(partials, body: body, loop: 0.08, rate: rate, attack: 0.001, bursts: bursts)
                .sample("\(name) \(key)", key: key, side: side)
        }
    }

    static let nylon = Multisample(
        stereo: [45, 57, 69],
        string(
            "Nylon", position: 0.24, corner: 1500, loss: 15, body: 0.65, rate: 24000, second: 0.0008, boom: 0.8,
            bursts: [
                NoiseBurst(-18, .bandpass, 900, duration: 0.03), NoiseBurst(-24, .bandpass, 110, q: 3, duration: 0.2),
                NoiseBurst(-22, .bandpass, 215, q: 4, duration: 0.15),
                NoiseBurst(-22, .bandpass, 3500, q: 0.5, duration: 0.025),
            ]))
    static let steel = Multisample(
        stereo: [45, 57, 69],
        string(
            "Steel", position: 0.13, corner: 3000, loss: 7, body: 0.65, rate: 30000, second: 0.0011, boom: 0.5,
            bursts: [
                NoiseBurst(-14, .bandpass, 4500, q: 0.5, duration: 0.025), NoiseBurst(-24, .bandpass, 105, q: 3, duration: 0.2),
            ]))
    static let electric = Multisample(
        stereo: [43, 55, 68],
        string(
            "Electric", position: 0.2, corner: 2300, loss: 8, body: 0.4, second: 0.0004,
            bursts: [NoiseBurst(-22, .bandpass, 2500, duration: 0.015)]))

    /// An overdriven string: the partials of a saturated amplifier, dense, hardly decaying, with feedback-like life.
    static func driven(_ name: String, corner: Double, wander: Double, breath: Double) -> (Int, Side) -> Sample {
        { key, side in
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
            ).sample("\(name) \(key)", key: key, side: side)
        }
    }

    static let overdrive = Multisample(stereo: [43, 55, 68], driven("Overdrive", corner: 3000, wander: 0.12, breath: -34))
    static let distortion = Multisample(stereo: [43, 55, 68], driven("Distortion", corner: 4500, wander: 0.28, breath: -28))

    /// The palm on the bridge: a thud, then little.
    static let muted = Multisample(
        stereo: [43, 55, 68],
        string(
            "Muted", position: 0.16, corner: 1500, loss: 8, body: 0.32, rate: 18000, palm: 75,
            bursts: [NoiseBurst(-14, .bandpass, 1600, duration: 0.02), NoiseBurst(-20, .bandpass, 160, q: 1, duration: 0.1)]))

    /// A finger on the string's fourth: every fourth partial sounds on, two octaves up, the rest is a trace.
    static let harmonics = Multisample(stereo: [60, 76]) { key, side in
        let modes = [
            (4.0, 1.0, 1.0), (8, 0.07, 4), (12, 0.36, 2), (16, 0.05, 12), (20, 0.05, 14), (28, 0.03, 20), (3, 0.04, 4),
            (5, 0.04, 5), (11, 0.04, 9), (13, 0.04, 9),
        ]
        var partials = modes.map { Partial($0.0, $0.1, phase: 0.07 * $0.0, decay: $0.2) }
        partials += [Partial(1, 0.2, decay: 90, persists: false), Partial(2, 0.15, decay: 90, persists: false)]
        partials += modes.map { Partial($0.0 * 1.0006, $0.1 * 0.4, decay: $0.2 + 6, persists: false) }
        return Tone(
            partials, body: 0.4, loop: 0.05, rate: 22000, attack: 0.002,
            bursts: [NoiseBurst(-16, .bandpass, 2600, duration: 0.02), NoiseBurst(-26, .bandpass, 180, q: 2, duration: 0.15)]
        ).sample("Harmonics \(key)", key: key, side: side)
    }

    static var programs: [Program] {
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
                28, "Muted Guitar", muted, .filter(4500, velocity: -2600), .decaying(5.2, release: 0.15), .fasterUp(30)),
            Program(
                29, "Overdriven Guitar", overdrive, .filter(6000, velocity: -1500), .decaying(22, release: 0.15),
                .vibrato(5, cents: 6, delay: 0.6)),
            Program(
                30, "Distortion Guitar", distortion, .filter(7500, velocity: -1200), .decaying(30, release: 0.15),
                .vibrato(5, cents: 5, delay: 0.7)),
            Program(31, "Guitar Harmonics", harmonics, .filter(11000, velocity: -3600), .decaying(9, release: 0.4)),
        ]
    }
}
