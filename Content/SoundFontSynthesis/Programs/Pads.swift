/// Programs 88...95: slow voices that fill.
enum Pads {
    static let glass = Multisample([54, 72]) { key in
        Ensemble(spread: 6, count: 8192) { n, _ in
            [1, 0.35, 0.5, 0.05, 0.25, 0.04, 0.12, 0.1][min(n, 8) - 1] / Double(max(1, n - 7))
        }
        .sample("Glass \(key)", key: key, seed: 51)
    }
    /// Inharmonic partials like a bowed plate.
    static let metal = Multisample([54, 70]) { key in
        let partials = [(1, 1), (2.01, 0.4), (2.76, 0.5), (4.07, 0.25), (5.4, 0.35), (6.9, 0.12), (8.9, 0.15)]
            .map { Partial($0.0, $0.1, phase: $0.0 * 0.37, attack: 0.05) }
        return Tone(partials, body: 0.08, loop: 0.3, rate: 18000, attack: 0.03, wander: 0.25)
            .sample("Bowed metal \(key)", key: key)
    }

    static var programs: [Program] {
        let slow = Setting.envelope(attack: 0.35, release: 1.7)
        return [
            Program(
                88, "New Age Pad",
                Layer.wide(glass, offset: 6000, .filter(6000), .envelope(attack: 0.3, release: 1.8), .quieter(3))
            ).adding([
                Layer(Pianos.digitalPiano, [.filter(9000), .decaying(5, release: 1), .fasterUp(40), .quieter(5)])
            ]),
            Program(89, "Warm Pad", Layer.wide(Waves.superSaw, offset: 6000, .filter(1100, velocity: -900), slow)),
            Program(
                90, "Polysynth",
                [
                    Layer(
                        Waves.saw,
                        [
                            .filter(3500, q: 2, velocity: -1500), .filterSweep(1500, decay: 0.7, sustain: 0.3),
                            .envelope(attack: 0.01, release: 0.8), .tuned(cents: -8), .pan(-0.5), .quieter(3),
                        ]),
                    Layer(
                        Waves.pulse,
                        [
                            .filter(3500, q: 2, velocity: -1500), .filterSweep(1500, decay: 0.7, sustain: 0.3),
                            .envelope(attack: 0.01, release: 0.8), .tuned(cents: 8), .pan(0.5), .quieter(3),
                        ]),
                ]),
            Program(91, "Choir Pad", Layer.wide(Strings.ahs, offset: 6000, .filter(3200), slow, .quieter(2))).adding([
                Layer(Waves.superSaw, [.filter(1200), slow, .quieter(9)])
            ]),
            Program(92, "Bowed Pad", [Layer(metal, [.filter(7000), slow, .vibrato(4, cents: 4)])]),
            Program(
                93, "Metallic Pad",
                [
                    Layer(
                        metal,
                        [
                            .filter(9000), .filterSweep(-1500, decay: 2), .envelope(attack: 0.05, release: 1.7),
                            .quieter(3),
                        ]),
                    Layer(Waves.superSaw, [.filter(2500, q: 5), .filterSweep(1500, decay: 2), slow, .quieter(5)]),
                ]),
            Program(94, "Halo Pad", Layer.wide(Strings.oohs, offset: 6000, .filter(5000), slow, .quieter(3))).adding([
                Layer(glass, [.tuned(12), slow, .quieter(8)])
            ]),
            Program(
                95, "Sweep Pad",
                Layer.wide(
                    Waves.superSaw, offset: 6000, .filter(500, q: 6, velocity: -600),
                    .filterSweep(3600, attack: 1.6, decay: 2.5, sustain: 0.3, release: 2),
                    .envelope(attack: 0.25, release: 1.8))),
        ]
    }
}
