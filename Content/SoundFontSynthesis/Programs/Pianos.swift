/// Programs 0...7: grand pianos, electric pianos, harpsichord, clavinet.
enum Pianos {
    private struct Zone {
        var body: Double, loop: Double, rate: Double

        /// Bass strings ring long and have nothing above 10 kHz; treble strings the other way round.
        init(key: Int) {
            if key < 56 {
                self.init(body: 2, loop: 0.31, rate: 20000)
            } else if key < 72 {
                self.init(body: 1.5, loop: 0.2, rate: 24000)
            } else if key < 82 {
                self.init(body: 1.2, loop: 0.12, rate: 26000)
            } else {
                self.init(body: key < 92 ? 0.8 : 0.5, loop: 0.06, rate: 32000)
            }
        }

        private init(body: Double, loop: Double, rate: Double) {
            self.body = body
            self.loop = loop
            self.rate = rate
        }
    }

    /// One side of one note of the grand: stretched partials of two or three strings, each of which decays in its own
    /// time and in two stages, hammer and case.
    ///
    /// Inharmonicity and decay times follow the measured averages of Fletcher and Rossing, "The Physics of Musical
    /// Instruments", chapter 12; the two stages Weinreich, "Coupled piano strings", J. Acoust. Soc. Am. 62 (1977).
    static func grand(key: Int, side: Side) -> Sample {
        let f = ExactMath.frequency(key: Double(key))
        let k = Double(key)
        let zone = Zone(key: key)
        // The strings are the same on both sides; what differs is where one listens.
        var strings = NoiseSource(seed: key + 1500)
        var place = NoiseSource(seed: key * 2 + side.rawValue + 500)
        let stiffness = 1.5e-4 * ExactMath.exponential2(k > 48 ? (k - 48) / 8 : (48 - k) / 24)
        let corner = 950 * ExactMath.exponential2((k - 48) / 34)
        let limit = min(0.46 * zone.rate, 75 * f)
        var partials: [Partial] = []
        var n = 1.0
        while true {
            let ratio = n * ((1 + stiffness * n * n) / (1 + stiffness)).squareRoot()
            let hertz = ratio * f
            if hertz > limit && n > 1 { break }
            let board = 1 / (1 + (75 / hertz) * (75 / hertz))
            let strike = 0.2 + 0.8 * abs(ExactMath.sine(turns: n * 0.5 / 7.6))
            let hammer = 0.96 * ExactMath.exponential(-hertz / corner) + 0.04 * ExactMath.exponential(-hertz / (3.5 * corner))
            let level = board * strike * hammer * (1 + 0.4 * place.bipolar()) * (n == 1 ? 1.15 : 1)
            let phase = place.uniform() * 0.5
            // The bridge takes each partial as it happens to be stiff there: times differ by a factor of five either way.
            let bridge = ExactMath.exponential2(2.3 * strings.bipolar() * min(1, n / 2))
            // The air and the felt take the highest, wherever the bridge is stiff: none of them rings on alone.
            let slow = max(4.5 * ExactMath.power(hertz / 1000, 0.85) * bridge, 2.5 * ExactMath.power(hertz / 1000, 1.3))
            let prompt = 5 + 1.5 * slow + 35 * strings.uniform()
            let after = 0.12 + 0.6 * strings.uniform()
            let detune = (0.3 + strings.uniform()) * -0.0004 * side.sign
            // What stays: the aftersound, which the volume envelope carries on.
            partials.append(Partial(ratio, level * after, phase: phase, decay: slow))
            // What goes: the prompt sound, the strings still in step, and a neighbour that beats against them.
            partials.append(
                Partial(ratio, level * (1.15 - after), phase: phase, decay: slow + prompt, persists: false))
            partials.append(
                Partial(ratio * (1 + detune), level * 0.3, phase: phase, decay: slow * 1.3 + 4, persists: false))
            n += 1
        }
        let tone = Tone(
            partials, body: zone.body, loop: zone.loop, rate: zone.rate, attack: 0.0015,
            bursts: [
                NoiseBurst(-19, .bandpass, 180 + 1.2 * f, q: 0.8, duration: 0.14),
                NoiseBurst(-24, .bandpass, 2200 + f, q: 0.6, duration: 0.05),
                NoiseBurst(-27, .highpass, 4500, duration: 0.03),
                NoiseBurst(-24, .lowpass, 140, q: 0.8, attack: 0.003, duration: 0.25),
                NoiseBurst(-38, .bandpass, 900, q: 0.4, duration: 0.5),
            ])
        return tone.sample("Grand \(key)\(side.letter)", key: key, seed: 3 + side.rawValue)
    }

    static let grandPiano = Multisample(stereo: [26, 35, 44, 52, 60, 68, 77, 86, 97], grand)

    /// Closes with lower velocity; the corner rises slowly with the key.
    static func grandLayer(bright: Double = 1, velocity: Int16 = -4600) -> Layer {
        Layer(grandPiano, []) { key in
            let k = Double(key)
            let decay = 14 * ExactMath.exponential2(-(k - 33) / 32)
            return [
                .filter(min(19500, bright * 10000 * ExactMath.exponential2((k - 60) / 40)), velocity: velocity),
                .filterSweep(700, decay: max(0.8, decay * 0.4)),
                .decaying(decay, release: k > 88 ? 1.2 : 0.35),
            ]
        }
    }

    /// Struck tines and tone bars: a pure tone with a bell that dies, and a bark in the lower keys.
    static func tines(key: Int) -> Sample {
        let k = Double(key)
        let bark = max(0.15, 1.3 - (k - 36) / 45)
        return FrequencyModulation(
            [
                .init(carrier: 1, modulator: 1, level: 1, index: bark, rest: bark * 0.3, fall: 0.35),
                .init(carrier: 1, modulator: 14, level: 0.16, decay: 40, index: 0.8, rest: 0.01, fall: 0.12),
                .init(carrier: 2, modulator: 1, level: 0.12, decay: 10, index: 0.3, rest: 0.1, fall: 0.3),
            ], body: 0.35, loop: 0.04, rate: 18000, bursts: [NoiseBurst(-32, .bandpass, 900, duration: 0.03)]
        ).sample("Tine \(key)", key: key)
    }

    static func digital(key: Int) -> Sample {
        FrequencyModulation(
            [
                .init(carrier: 1, modulator: 1, level: 0.8, index: 1.6, rest: 0.35, fall: 0.5),
                .init(carrier: 1, modulator: 14, level: 0.30, decay: 22, index: 1.1, rest: 0.02, fall: 0.25),
                .init(carrier: 3, modulator: 1, level: 0.22, decay: 9, index: 0.7, rest: 0.15, fall: 0.4),
            ], body: 0.35, loop: 0.04, rate: 20000
        ).sample("Digital EP \(key)", key: key)
    }

    static func harpsichord(key: Int) -> Sample {
        var noise = NoiseSource(seed: key + 60)
        let f = ExactMath.frequency(key: Double(key))
        // Thicker strings are duller.
        let corner = 900 * ExactMath.exponential2(min(0, Double(key - 57) / 16))
        var partials = Partial.harmonics(of: f, below: 9000) { n, hertz in
            let pluck = 0.15 + abs(ExactMath.sine(turns: Double(n) * 0.5 * 0.13))
            return pluck / (1 + ExactMath.power(hertz / corner, 1.7)) * (0.7 + 0.6 * noise.uniform())
        }
        for i in partials.indices { partials[i].decay = 4 + partials[i].ratio * f / 260 }
        let second = partials.map {
            Partial($0.ratio * 1.0009, $0.level * 0.6, phase: 0.4, decay: $0.decay + 6, persists: false)
        }
        return Tone(
            partials + second, body: 0.36, loop: 0.05, rate: 22050, attack: 0.0008,
            bursts: [NoiseBurst(-14, .bandpass, 3500, duration: 0.02), NoiseBurst(-24, .bandpass, 350, duration: 0.05)]
        ).sample("Harpsichord \(key)", key: key)
    }

    static func clavinet(key: Int) -> Sample {
        PluckedString(
            position: 0.09, brightness: 0.9, decay: 6, softness: 6500, body: 0.3, rate: 20000,
            bursts: [NoiseBurst(-16, .bandpass, 1800, duration: 0.02)]
        ).sample("Clavinet \(key)", key: key, seed: 11)
    }

    static let tine = Multisample([42, 58, 74], tines)
    static let digitalPiano = Multisample([44, 60, 76], digital)

    static var programs: [Program] {
        let harpsichords = Multisample([43, 57, 71], harpsichord)
        let clavinets = Multisample([43, 57, 71], clavinet)
        return [
            Program(0, "Acoustic Grand", [grandLayer()]),
            Program(
                1, "Bright Acoustic",
                [
                    grandLayer(bright: 2, velocity: -2200),
                    Layer(Waves.edge, [.filter(9000), .decaying(2.5), .fasterUp(60), .quieter(24)]),
                ]),
            Program(
                2, "Electric Grand",
                [
                    grandLayer(bright: 1.2).with(.quieter(3), .sends(chorus: 0.3)),
                    Layer(digitalPiano, [.filter(7000), .decaying(9, release: 0.3), .fasterUp(50), .quieter(6)]),
                ]),
            Program(
                3, "Honky-tonk",
                [
                    grandLayer(bright: 1.3).with(.tuned(cents: -9), .quieter(3)),
                    grandLayer(bright: 1.3).with(.tuned(cents: 10), .quieter(3)),
                ]),
            Program(
                4, "Electric Piano 1",
                [
                    Layer(
                        tine,
                        [
                            .filter(6500, velocity: -4500), .decaying(11, release: 0.25), .fasterUp(50),
                            .sends(chorus: 0.2),
                        ])
                ]),
            Program(
                5, "Electric Piano 2",
                [
                    Layer(
                        digitalPiano,
                        [
                            .filter(12000, velocity: -4200), .decaying(10, release: 0.3), .fasterUp(50), .pan(-0.3),
                            .tuned(cents: -3), .quieter(3),
                        ]),
                    Layer(
                        digitalPiano,
                        [
                            .filter(12000, velocity: -4200), .decaying(10, release: 0.3), .fasterUp(50), .pan(0.3),
                            .tuned(cents: 3), .quieter(3),
                        ]),
                ]),
            Program(
                6, "Harpsichord", harpsichords, .filter(9000, velocity: -900), .filterSweep(900, decay: 3),
                .decaying(7, release: 0.2), .fasterUp(50)),
            Program(
                7, "Clavinet", clavinets, .filter(7000, q: 3, velocity: -3500), .decaying(5, release: 0.08),
                .fasterUp(50)),
        ]
    }
}
