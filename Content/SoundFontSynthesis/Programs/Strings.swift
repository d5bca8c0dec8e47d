/// Programs 48...55: string sections, choirs, the orchestra's hit.
enum Strings {
    static let section = Multisample([39, 50, 60, 70, 82]) { key in
        let body: Formants = key < 50 ? .cello : (key < 64 ? .viola : .violin)
        return Ensemble(
            spread: 13, count: key < 55 ? 16384 : 32768, rate: key < 45 ? 18000 : (key < 55 ? 22050 : 30000),
            air: [(2800, 2000, 0.012), (8000, 4000, 0.006)]
        ) { n, hertz in
            body.level(hertz) / ExactMath.power(Double(n), 0.8) / (1 + ExactMath.power(hertz / 4800, 2.4))
        }.sample("Section \(key)", key: key, seed: 21)
    }

    static func choir(_ name: String, _ vowel: Formants, roots: [Int], count: Int, air: Double) -> Multisample {
        Multisample(roots) { key in
            Ensemble(
                spread: 17, count: count, rate: count > 10000 ? 24000 : 16000,
                air: [(900, 500, air), (2800, 1200, air), (6500, 3500, 0.6 * air)]
            ) { n, hertz in
                vowel.level(hertz * (key > 64 ? 0.88 : 1)) / ExactMath.power(Double(n), 0.45)
            }.sample("\(name) \(key)", key: key, seed: 31)
        }
    }

    static let ahs = choir("Aah", .ah, roots: [48, 57, 66, 75], count: 16384, air: 0.006)
    static let oohs = choir("Ooh", .oo, roots: [48, 60, 72], count: 8192, air: 0.003)

    static var programs: [Program] {
        let hit: [Setting] = [.envelope(attack: 0.1, decay: 2.6, sustain: 100, release: 1.2), .filter(5000, velocity: -2400)]
        return [
            Program(
                48, "Strings 1",
                Layer.wide(
                    section, .filter(14000, velocity: -2600), .envelope(attack: 0.12, release: 1.1),
                    .vibrato(5.2, cents: 4, delay: 0.3))),
            Program(
                49, "Strings 2",
                Layer.wide(
                    section, .filter(6000, velocity: -2000), .envelope(attack: 0.4, release: 1.3),
                    .vibrato(4.8, cents: 4, delay: 0.3))),
            Program(
                50, "Synth Strings 1",
                Layer.wide(
                    Waves.superSaw, offset: 6000, .filter(3800, velocity: -1800), .envelope(attack: 0.18, release: 1.1))
            ),
            Program(
                51, "Synth Strings 2",
                Layer.wide(
                    Waves.superSaw, offset: 6000, .filter(1500, q: 3, velocity: -1500),
                    .filterSweep(1500, attack: 0.5, decay: 2, sustain: 0.5),
                    .envelope(attack: 0.5, release: 0.9))),
            Program(
                52, "Choir Aahs",
                Layer.wide(
                    ahs, offset: 6000, .filter(10000, velocity: -2400), .envelope(attack: 0.14, release: 1),
                    .vibrato(5.1, cents: 7, delay: 0.4))),
            Program(
                53, "Voice Oohs",
                Layer.wide(
                    oohs, offset: 6000, .filter(4500, velocity: -1500), .envelope(attack: 0.12, release: 1),
                    .vibrato(5.3, cents: 9, delay: 0.4))),
            Program(
                54, "Synth Voice",
                [
                    Layer(
                        oohs,
                        [.filter(6000), .envelope(attack: 0.08, release: 0.6), .vibrato(5.5, cents: 10), .quieter(3)]),
                    Layer(
                        Waves.pulse,
                        [
                            .filter(1400, q: 6), .envelope(attack: 0.08, release: 0.6), .vibrato(5.5, cents: 10),
                            .quieter(9),
                        ]),
                ]),
            Program(
                55, "Orchestra Hit",
                [
                    Layer(section, hit + [.quieter(9), .pan(-0.5)]),
                    Layer(section, hit + [.quieter(3), .tuned(-12), .pan(0.5)]),
                    Layer(section, hit + [.quieter(3), .tuned(-24), .pan(-0.3)]),
                    Layer(Brass.section, hit + [.quieter(9), .pan(0.4)]),
                    Layer(Brass.section, hit + [.quieter(5), .tuned(-12), .pan(-0.4)]),
                    Layer(
                        Bowed.timpani,
                        [.envelope(attack: 0.07, decay: 2.6, sustain: 100, release: 1.2), .tuned(-12), .quieter(0)]),
                    Layer(
                        Multisample(Skins.concertBass),
                        [.scale(0), .envelope(attack: 0.06, release: 1.5), .filter(2000, velocity: -1500), .quieter(2)]),
                    Layer(Waves.noise, [.scale(0), .decaying(0.3, release: 0.3), .filter(4000), .quieter(16)]),
                ]),
        ]
    }
}
