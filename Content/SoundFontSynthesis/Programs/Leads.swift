/// Programs 80...87: the synthesiser's solo voices.
enum Leads {
    static var programs: [Program] {
        let fast = Setting.envelope(attack: 0.004, release: 0.17)
        let vibrato = Setting.vibrato(5.5, cents: 8, delay: 0.4)
        return [
            Program(
                80, "Square Lead",
                [
                    Layer(
                        Waves.square,
                        [.filter(5500, velocity: -1500), fast, vibrato, .tuned(cents: -2), .pan(-0.3), .quieter(2)]),
                    Layer(
                        Waves.square,
                        [.filter(5500, velocity: -1500), fast, vibrato, .tuned(cents: 3), .pan(0.3), .quieter(6)]),
                ]),
            Program(
                81, "Saw Lead",
                [
                    Layer(
                        Waves.saw,
                        [.filter(6500, velocity: -1500), fast, vibrato, .tuned(cents: -5), .pan(-0.3), .quieter(3)]),
                    Layer(
                        Waves.saw,
                        [.filter(6500, velocity: -1500), fast, vibrato, .tuned(cents: 5), .pan(0.3), .quieter(3)]),
                ]),
            Program(
                82, "Calliope Lead",
                [
                    Layer(
                        Waves.triangle,
                        [.filter(7000), .envelope(attack: 0.02, release: 0.2), vibrato, .pan(-0.3), .quieter(2)]),
                    Layer(
                        Waves.triangle,
                        [
                            .filter(7000), .envelope(attack: 0.03, release: 0.2), vibrato, .tuned(cents: 5), .pan(0.3),
                            .quieter(6),
                        ]),
                    Layer(Pipes.recorder, [.tuned(12), .envelope(attack: 0.02, release: 0.2), vibrato, .quieter(9)]),
                ]),
            Program(
                83, "Chiff Lead",
                [
                    Layer(
                        Waves.pulse,
                        [
                            .filter(1800, q: 2, velocity: -1200), .filterSweep(1500, decay: 0.2), fast, vibrato,
                            .tuned(cents: -3), .pan(-0.3), .quieter(3),
                        ]),
                    Layer(
                        Waves.pulse,
                        [
                            .filter(1800, q: 2, velocity: -1200), .filterSweep(1500, decay: 0.2), fast, vibrato,
                            .tuned(cents: 4), .pan(0.3), .quieter(5),
                        ]),
                    Layer(
                        Pipes.panFlute,
                        [.tuned(12), .envelope(attack: 0.003, decay: 0.5, sustain: 22, release: 0.17), .quieter(6)]),
                ]),
            Program(
                84, "Charang Lead",
                [
                    Layer(Guitars.overdrive, [.filter(8000, velocity: -1200), fast, .tuned(cents: -3), .quieter(3)]),
                    Layer(Waves.saw, [.filter(5000, velocity: -1200), fast, .tuned(cents: 3), .quieter(5)]),
                ]),
            Program(
                85, "Voice Lead",
                [
                    Layer(Strings.ahs, [.filter(7000), .envelope(attack: 0.04, release: 0.2), vibrato, .quieter(2)]),
                    Layer(
                        Waves.pulse,
                        [.filter(2200, q: 4), .envelope(attack: 0.04, release: 0.2), vibrato, .quieter(10)]),
                ]),
            Program(
                86, "Fifths Lead",
                [
                    Layer(Waves.saw, [.filter(5000, velocity: -1500), fast, .quieter(3)]),
                    Layer(Waves.saw, [.filter(5000, velocity: -1500), fast, .tuned(7, cents: 4), .quieter(5)]),
                ]),
            Program(
                87, "Bass and Lead",
                [
                    Layer(
                        Waves.saw,
                        [
                            .filter(900, q: 8, velocity: -1200), .filterSweep(3600, decay: 0.5, sustain: 0.35), fast,
                            .quieter(3),
                        ]),
                    Layer(Waves.square, [.tuned(-12, cents: 3), .filter(2000), fast, .quieter(5)]),
                ]),
        ]
    }
}
