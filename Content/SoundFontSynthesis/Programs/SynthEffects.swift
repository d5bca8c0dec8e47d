/// Programs 96...103: the synthesiser's pictures.
enum SynthEffects {
    static var programs: [Program] {
        let slow = Setting.envelope(attack: 0.3, release: 2)
        /// Three softer strokes after the first, from side to side.
        func echo(_ source: Multisample, _ settings: [Setting]) -> [Layer] {
            [0, -0.7, 0.7, -0.7].enumerated().map { turn, pan in
                let time = Double(turn)
                return Layer(
                    source,
                    settings + [
                        .delayed(0.001 + 0.28 * time), .quieter(1 + 3 * time), .pan(pan), .tuned(cents: 2 * pan),
                    ])
            }
        }
        return [
            Program(
                96, "Rain",
                [
                    Layer(Mallets.musicBox, [.filter(9000), .decaying(2.5, release: 1.5), .quieter(3)]),
                    Layer(Pads.glass, [.filter(3500), slow, .quieter(6), .tremolo(7, decibels: 3)]),
                    Layer(
                        Mallets.celesta,
                        [.delayed(0.12), .tuned(12, cents: 6), .decaying(1.5, release: 1), .quieter(8), .pan(0.6)]),
                ]),
            Program(
                97, "Soundtrack",
                Layer.wide(
                    Waves.superSaw, offset: 6000, .filter(1800), .filterSweep(1200, attack: 0.8, decay: 2), slow,
                    .quieter(3))
            ).adding([
                Layer(Waves.superSaw, [.tuned(7), .filter(1400), slow, .quieter(6)])
            ]),
            Program(
                98, "Crystal",
                [
                    Layer(
                        Mallets.glockenspiel,
                        [.filter(16000, velocity: -1500), .decaying(3.5, release: 1.5), .quieter(3)]),
                    Layer(
                        Pianos.digitalPiano,
                        [.filter(12000, velocity: -2500), .decaying(5, release: 1), .tuned(cents: 2), .quieter(4)]),
                ]),
            Program(
                99, "Atmosphere",
                [
                    Layer(
                        Guitars.nylon,
                        [.filter(9000, velocity: -2500), .decaying(4, release: 1), .fasterUp(40), .quieter(2)])
                ]
            ).adding(Layer.wide(Strings.oohs, offset: 6000, .filter(4000), slow, .quieter(7))),
            Program(
                100, "Brightness",
                [
                    Layer(Pads.metal, [.filter(12000), .envelope(attack: 0.05, release: 1), .quieter(4)]),
                    Layer(Waves.edge, [.filter(10000), .decaying(3, release: 1), .quieter(12)]),
                    Layer(Pianos.digitalPiano, [.filter(14000), .decaying(6, release: 1), .quieter(4)]),
                ]),
            Program(
                101, "Goblins",
                [
                    Layer(
                        Strings.oohs,
                        [
                            .filter(1200, q: 8), .filterSweep(2400, attack: 1.2, decay: 2), slow,
                            .wobble(3.5, filter: 900, pitch: 25), .quieter(1),
                        ]),
                    Layer(Pads.metal, [.tuned(-12), .filter(2500), slow, .wobble(0.7, pitch: 30), .quieter(6)]),
                ]),
            Program(
                102, "Echoes",
                echo(Waves.square, [.filter(2600, q: 3, velocity: -1800), .decaying(1.1, release: 1.6)])
            ).adding(
                Layer.wide(
                    Waves.superSaw, offset: 6000, .filter(1500, velocity: -1500), .envelope(attack: 0.45, release: 1.9),
                    .quieter(6))),
            Program(
                103, "Star Theme",
                [
                    Layer(Pianos.digitalPiano, [.filter(10000), .decaying(6, release: 1.5), .quieter(3)]),
                    Layer(Strings.ahs, [.filter(5000), slow, .tuned(12), .quieter(8)]),
                    Layer(Mallets.vibraphone, [.tuned(12), .decaying(4, release: 1.5), .quieter(7)]),
                ]),
        ]
    }
}
