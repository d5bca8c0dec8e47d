/// Programs 80...87: the synthesiser's solo voices.
enum Leads {
    static var programs: [Program] {
        let fast = Setting.envelope(attack: 0.004, release: 0.12)
        let vibrato = Setting.vibrato(5.5, cents: 8, delay: 0.4)
        return [
            Program(80, "Square Lead", Waves.square, .filter(5500, velocity: -1500), fast, vibrato),
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
                        Waves.triangle, [.filter(7000), .envelope(attack: 0.02, release: 0.15), vibrato, .quieter(2)]),
                    Layer(Pipes.recorder, [.tuned(12), .envelope(attack: 0.02, release: 0.15), vibrato, .quieter(9)]),
                ]),
            Program(
                83, "Chiff Lead",
                [
                    Layer(Waves.pulse, [.filter(3000, q: 3), .filterSweep(1500, decay: 0.2), fast, .quieter(2)]),
                    Layer(Pipes.panFlute, [.tuned(12), .decaying(0.5), .quieter(6)]),
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
                    Layer(Waves.square, [.tuned(-12), .filter(2000), fast, .quieter(5)]),
                ]),
        ]
    }
}
