/// Programs 112...119: tuned percussion and drums over the keyboard.
enum Percussive {
    static let tinkleBell = Multisample(
        stereo: [80],
        Mallets.struck(
            "Tinkle bell", [(1, 1, 0), (2.4, 0.6, 10), (3.9, 0.4, 25), (5.8, 0.3, 40), (8.1, 0.15, 70)], body: 0.25,
            rate: 40000))
    /// Two cones of welded steel, a short one and a long one, heard an octave above the key: few modes, far apart.
    static func agogo(key: Int, side: Side?) -> Sample {
        Mallets.struck(
            "Agogo", [(1, 1, 0), (1.06, 0.2, 12), (2.245, 0.28, 6), (3.93, 0.22, 9), (4.12, 0.08, 14), (6.3, 0.2, 80)],
            body: 0.25, loop: 0.1, rate: 26000, bursts: [NoiseBurst(-10, .bandpass, 5000, duration: 0.015)])(key, side)
    }
    /// The octave and the twelfth swell in after the stroke: energy moves between the modes of the pan, whose other notes
    /// and rim sound along beside the harmonics.
    static let steelDrum = Multisample(stereo: [60, 74]) { key, side in
        let partials = [
            Partial(1, 1, decay: 1), Partial(2, 0.95, phase: 0.3, decay: 2, attack: 0.02),
            Partial(3, 0.3, phase: 0.1, decay: 8, attack: 0.03), Partial(4, 0.3, phase: 0.6, decay: 10, attack: 0.01),
            Partial(1.125, 0.10, phase: 0.4, decay: 0), Partial(2.63, 0.09, phase: 0.7, decay: 0, attack: 0.04),
            Partial(5.27, 0.08, phase: 0.2, decay: 12, attack: 0.01), Partial(7.9, 0.08, phase: 0.5, decay: 16, attack: 0.01),
            Partial(1.006, 0.35, phase: 0.1, decay: 4, persists: false),
            Partial(2.012, 0.3, phase: 0.2, decay: 8, persists: false), Partial(5.1, 0.15, decay: 40, persists: false),
        ]
        return Tone(
            partials, body: 0.4, loop: 0.12, rate: 22000, attack: 0.001,
            bursts: [
                NoiseBurst(-14, .bandpass, 1800, duration: 0.03), NoiseBurst(-26, .bandpass, 5200, q: 0.5, duration: 0.25),
            ], width: 0.35
        ).sample("Steel drum \(key)", key: key, side: side)
    }
    static let woodblock = Multisample(
        stereo: [72],
        Mallets.struck(
            "Woodblock", [(1, 1, 0), (1.62, 0.5, 60), (2.7, 0.35, 100), (4.1, 0.15, 150)], body: 0.1,
            bursts: [NoiseBurst(-8, .bandpass, 2500, duration: 0.012)]))

    /// A pair of samples that sounds `semitones` from the key, as drums lie below the notes that call for them.
    private static func shifted(
        _ semitones: Int, _ roots: [Int], _ make: (Int, Side?) -> Sample, _ settings: Setting...,
        bright: @escaping @Sendable (Int) -> [Setting] = { _ in [] }
    ) -> Layer {
        let source = Multisample(stereo: roots.map { $0 + semitones }, make).raised(by: -semitones)
        return Layer(source, settings) { [.root($0 - semitones)] + bright($0) }
    }

    /// Two thick hides on a barrel. The modes of a membrane are those of Bessel's functions, 1 : 1.594 : 2.136 : 2.296 :
    /// 2.653 : 2.918 : 3.156 : 3.501, drawn together by the air inside (Fletcher and Rossing, chapter 18).
    static func taiko(key: Int, side: Side?) -> Sample {
        Mallets.struck(
            "Taiko",
            [
                (1, 1, 0), (1.42, 0.45, 30), (1.71, 0.5, 34), (2.14, 0.35, 38), (2.45, 0.3, 42), (2.72, 0.25, 46),
                (3.05, 0.22, 50), (3.68, 0.2, 62), (4.3, 0.15, 80), (5.1, 0.12, 100), (6.2, 0.1, 130),
                // What the hall and the barrel keep of them.
                (1.44, 0.06, 4), (2.48, 0.03, 4), (3.04, 0.03, 4), (3.7, 0.02, 6),
            ], body: 0.8, loop: 0.12, rate: 14000, beat: 0.012, width: 0.5,
            bursts: [
                NoiseBurst(-4, .bandpass, 180, q: 0.6, duration: 0.25), NoiseBurst(-6, .bandpass, 700, q: 0.5, duration: 0.1),
                NoiseBurst(-8, .bandpass, 2600, q: 0.5, duration: 0.03), NoiseBurst(-32, .bandpass, 420, q: 0.4, duration: 0.9),
            ])(key, side)
    }
    /// A tom of two heads, of which the lower answers a little higher.
    static func tom(key: Int, side: Side?) -> Sample {
        Mallets.struck(
            "Tom",
            [
                (1, 1, 0), (1.24, 0.22, 10), (1.48, 0.11, 6), (1.98, 0.08, 6), (1.74, 0.55, 34), (2.11, 0.45, 42),
                (2.36, 0.35, 48), (2.9, 0.3, 58), (3.3, 0.24, 70), (3.9, 0.2, 85), (4.7, 0.16, 110),
            ], body: 0.55, loop: 0.09, rate: 18000, beat: 0.009, width: 0.4,
            bursts: [
                NoiseBurst(-3, .bandpass, 500, q: 0.5, duration: 0.14), NoiseBurst(-8, .bandpass, 3500, q: 0.5, duration: 0.025),
                NoiseBurst(-34, .bandpass, 1200, q: 0.4, duration: 0.5),
            ])(key, side)
    }
    /// An oscillator with a trace of its third harmonic, and noise through a filter that closes.
    static func synthDrum(key: Int, side: Side?) -> Sample {
        Mallets.struck(
            "Synth drum", [(1, 1, 0), (3, 0.02, 0), (2, 0.015, 0)], body: 0.25, loop: 0.06, rate: 20000, width: 0.3,
            bursts: [
                NoiseBurst(-5, .bandpass, 1400, q: 0.5, duration: 0.3), NoiseBurst(-12, .highpass, 4000, duration: 0.25),
            ])(key, side)
    }

    static var programs: [Program] {
        [
            Program(
                112, "Tinkle Bell", tinkleBell, .filter(18000, velocity: -1500), .decaying(2.8, release: 1.8),
                .fasterUp(20)),
            Program(
                113, "Agogo",
                [shifted(12, [64, 76], agogo, .decaying(0.75, release: 0.75), bright: Mallets.bright(9))]),
            Program(
                114, "Steel Drums",
                [Layer(steelDrum, [.decaying(2.3, release: 2.3), .fasterUp(25)], perKey: Mallets.bright(12))]),
            Program(115, "Woodblock", woodblock, .filter(12000, velocity: -2200), .decaying(0.35, release: 0.3)),
            Program(
                116, "Taiko Drum",
                [
                    shifted(
                        -19, [60], taiko, .filter(1600, velocity: -4600), .filterSweep(2400, decay: 0.15),
                        .decaying(2.8, release: 2.8), .scale(50), .pitchSweep(90, decay: 0.1))
                ]),
            Program(
                117, "Melodic Tom",
                [
                    shifted(
                        -7, [60], tom, .filter(2400, velocity: -4600), .filterSweep(2400, decay: 0.15),
                        .decaying(2.6, release: 2.6), .fasterUp(20), .scale(50), .pitchSweep(160, decay: 0.12))
                ]),
            Program(
                118, "Synth Drum",
                [
                    shifted(
                        -7, [60], synthDrum, .filter(5000, velocity: -4600),
                        .decaying(0.5, release: 0.5, hold: 0.09), .scale(50), .pitchSweep(1500, decay: 0.22))
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
