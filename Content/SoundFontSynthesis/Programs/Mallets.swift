/// Programs 8...15: bars, bells and struck strings, each by its modes.
enum Mallets {
    /// Modes as ratio, level and extra decay in decibels per second; the first stays in the loop, and so do those that
    /// lose less than 18 dB/s. Doublets of the modes, `beat` of the frequency higher, beat against them and die away.
    /// Above `corner` in hertz the modes are weaker by 24 dB an octave (0 = none are).
    static func struck(
        _ name: String, _ modes: [(Double, Double, Double)], body: Double = 0.4, loop: Double = 0.03,
        rate: Double = 24000, beat: Double = 0, width: Double = 0.3, corner: Double = 0,
        bursts: [NoiseBurst] = []
    ) -> (Int, Side?) -> Sample {
        { key, side in
            let f = ExactMath.frequency(key: Double(key))
            var partials = modes.enumerated().map { index, mode in
                let dull = corner > 0 ? 1 + ExactMath.power(mode.0 * f / corner, 4) : 1
                return Partial(
                    mode.0, mode.1 / dull, phase: 0.1 * Double(index), decay: mode.2,
                    persists: index == 0 || mode.2 < 18)
            }
            if beat > 0 {
                partials += partials.map {
                    Partial($0.ratio * (1 + beat), $0.level * 0.35, phase: $0.phase, decay: $0.decay + 4, persists: false)
                }
            }
            return Tone(partials, body: body, loop: loop, rate: rate, attack: 0.001, bursts: bursts, width: width)
                .sample("\(name) \(key)", key: key, side: side)
        }
    }

    /// A free bar of steel without tuned overtones: modes 1 : 2.756 : 5.404 : 8.93 : 13.34 (Fletcher and Rossing,
    /// chapter 2). The hard mallet gives the middle ones the most; they outlast the lowest, which radiates badly.
    static let glockenspiel = Multisample(
        stereo: [67, 86],
        struck(
            "Glockenspiel", [(1, 0.55, 0), (2.756, 0.35, 2), (5.404, 1, 7), (8.93, 0.7, 10), (13.34, 0.35, 40)], body: 0.35,
            loop: 0.1, rate: 34000, beat: 0.0011,
            bursts: [NoiseBurst(-14, .bandpass, 6500, q: 0.5, duration: 0.02)]))
    static let vibraphone = Multisample(
        stereo: [60, 76],
        struck(
            "Vibraphone", [(1, 1, 0), (4.0, 0.28, 14), (9.9, 0.10, 60), (2.0, 0.02, 4)],
            bursts: [NoiseBurst(-24, .bandpass, 900, duration: 0.03)]))
    static let marimba = Multisample(
        stereo: [45, 60, 76],
        struck(
            "Marimba", [(1, 1, 0), (3.93, 0.35, 30), (9.6, 0.12, 80), (1.99, 0.03, 10)], body: 0.3, rate: 20000,
            bursts: [NoiseBurst(-18, .bandpass, 500, duration: 0.04)]))
    /// Short bars over short tubes, which take most of the lowest mode at once and let the rest ring.
    static let xylophone = Multisample(
        stereo: [70, 86],
        struck(
            "Xylophone", [(1, 0.25, 0), (1, 0.85, 75), (3.0, 0.5, 60), (6.1, 0.25, 100), (9.9, 0.12, 150)], body: 0.2,
            rate: 30000,
            bursts: [NoiseBurst(-14, .bandpass, 2500, duration: 0.02)]))
    /// The teeth of a comb: a clamped bar's modes 1 : 6.27 : 17.5 far above a tone with its octaves from the soundboard.
    static let musicBox = Multisample(
        stereo: [60, 71, 84],
        struck(
            "Music box",
            [
                (1, 1, 0), (2.0, 0.30, 3), (3.98, 0.22, 6), (6.27, 0.12, 17), (10.4, 0.04, 12), (17.5, 0.12, 40),
                (21.7, 0.30, 12), (31.2, 0.05, 12),
            ], body: 0.22, loop: 0.08, rate: 28000, beat: 0.0009, corner: 4200,
            bursts: [NoiseBurst(-16, .bandpass, 4200, q: 1, duration: 0.02)]))
    static let celesta = Multisample(
        stereo: [64, 80],
        struck(
            "Celesta", [(1, 1, 0), (2.0, 0.22, 10), (4.1, 0.22, 35), (6.8, 0.06, 80)], body: 0.25,
            bursts: [NoiseBurst(-22, .bandpass, 1600, duration: 0.03)]))
    /// Heard at the fundamental; the modes are those of an orchestral chime (2, 3, 4.2, 5.4 ... halves).
    static let tubularBell = Multisample(
        stereo: [65],
        struck(
            "Tubular bell",
            [
                (1, 1, 0), (2, 0.9, 3), (3.01, 0.6, 7), (4.17, 0.55, 10), (5.43, 0.45, 14), (6.8, 0.3, 22),
                (8.21, 0.2, 30),
                (2.004, 0.5, 5),
            ], body: 0.5, loop: 0.2, rate: 18000, bursts: [NoiseBurst(-16, .bandpass, 2600, duration: 0.05)]))
    static let dulcimer = Multisample(stereo: [55, 70]) { key, side in
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
        ).sample("Dulcimer \(key)", key: key, side: side)
    }

    /// A filter at `modes` times the fundamental, which the softest stroke would close by nearly four octaves.
    static func bright(_ modes: Double) -> @Sendable (Int) -> [Setting] {
        { key in [.filter(min(18000, modes * ExactMath.frequency(key: Double(key))), velocity: -4600)] }
    }

    static var programs: [Program] {
        [
            Program(
                8, "Celesta", [Layer(celesta, [.decaying(3.2, release: 0.7), .fasterUp(40)], perKey: bright(16))]),
            Program(
                9, "Glockenspiel",
                [Layer(glockenspiel, [.decaying(2.7, release: 2.6), .fasterUp(15)], perKey: bright(20))]),
            Program(
                10, "Music Box", [Layer(musicBox, [.decaying(4, release: 2.6), .fasterUp(30)], perKey: bright(50))]),
            Program(
                11, "Vibraphone",
                [
                    Layer(
                        vibraphone, [.decaying(8, release: 0.8), .fasterUp(30), .tremolo(5.2, decibels: 2.5)],
                        perKey: bright(20))
                ]),
            Program(
                12, "Marimba", [Layer(marimba, [.decaying(2.2, release: 0.9), .fasterUp(70)], perKey: bright(16))]),
            Program(
                13, "Xylophone", [Layer(xylophone, [.decaying(1.0, release: 1.2), .fasterUp(50)], perKey: bright(9))]),
            Program(
                14, "Tubular Bells", tubularBell, .filter(12000, velocity: -2500), .decaying(9, release: 3.5),
                .fasterUp(20)),
            Program(
                15, "Dulcimer", dulcimer, .filter(6500, velocity: -2500), .filterSweep(1100, decay: 1.8),
                .decaying(5, release: 1.6), .fasterUp(40)),
        ]
    }
}
