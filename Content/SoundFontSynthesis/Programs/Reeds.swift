/// Programs 64...71: single and double reeds.
enum Reeds {
    /// `slope` is the exponent by which harmonics fall, `treble` the corner in hertz of a further fall (0 = none), and
    /// `swell` the seconds in which the last quarter of the level grows in.
    static func reed(
        _ name: String, roots: [Int], even: Double = 1, slope: Double, _ formants: Formants, wander: Double = 0.05,
        breath: Double = -44, rate: Double = 28000, treble: Double = 0, swell: Double = 0
    ) -> Multisample {
        Multisample(stereo: roots) { key, side in
            let f = ExactMath.frequency(key: Double(key))
            let partials = Partial.harmonics(of: f, below: 0.42 * rate) { n, hertz in
                // The even harmonics of a closed tube come back in the upper register.
                let weight = n % 2 == 1 ? 1 : min(1, even + hertz / 9000)
                let dull = treble > 0 ? 1 + ExactMath.power(hertz / treble, 4) : 1
                return formants.level(hertz) * weight / ExactMath.power(Double(n), slope) / dull
            }.flatMap { harmonic -> [Partial] in
                let quick = 0.015 + 0.003 * harmonic.ratio
                let parts: [(Double, Double)] = swell > 0 ? [(0.7, quick), (0.3, swell)] : [(1, quick)]
                return parts.map {
                    Partial(harmonic.ratio, harmonic.level * $0.0, phase: harmonic.phase * 0.3, attack: $0.1)
                }
            }
            return Tone(
                partials, body: max(0.08, swell), loop: 0.3, rate: rate, attack: 0.015, wander: wander,
                bursts: [
                    NoiseBurst(-26, .bandpass, 1600, attack: 0.004, duration: 0.05),
                    NoiseBurst(-34, .highpass, 4000, attack: 0.004, duration: 0.05),
                ],
                breath: [Breath(breath, .bandpass, 2800, q: 0.4), Breath(breath - 6, .highpass, 6500)]
            ).sample("\(name) \(key)", key: key, side: side)
        }
    }

    static let highSax = reed(
        "High sax", roots: [60, 73], slope: 0.4,
        Formants(floor: 0.15, [(650, 500, 0.8), (1400, 700, 0.65), (2900, 900, 0.28)]), wander: 0.08, breath: -36)
    static let lowSax = reed(
        "Low sax", roots: [44, 57], slope: 0.5,
        Formants(floor: 0.15, [(380, 350, 1), (1000, 600, 0.55), (2400, 900, 0.22)]), wander: 0.08, breath: -36)
    static let oboe = reed(
        "Oboe", roots: [63, 72, 82], slope: 0.5,
        Formants(floor: 0.12, [(1150, 500, 1), (2900, 900, 0.45), (600, 400, 0.2)]), breath: -50, rate: 22000, treble: 4800,
        swell: 0.62)
    static let englishHorn = reed(
        "English horn", roots: [57, 70], slope: 0.55,
        Formants(floor: 0.12, [(930, 450, 1), (2300, 700, 0.3), (480, 300, 0.25)]))
    static let bassoon = reed(
        "Bassoon", roots: [40, 54], slope: 0.55,
        Formants(floor: 0.08, [(470, 230, 1), (1150, 400, 0.25), (2200, 700, 0.06)]), rate: 20000)
    static let clarinet = reed(
        "Clarinet", roots: [56, 67, 79], even: 0.06, slope: 0.6,
        Formants(floor: 0.3, [(500, 900, 0.7), (1500, 900, 0.4), (3500, 1200, 0.15)]), wander: 0.03, breath: -48)

    static var programs: [Program] {
        func reed(_ number: Int, _ name: String, _ source: Multisample, _ vibrato: Double, _ corner: Double = 11000)
            -> Program
        {
            Program(
                number, name, source, .filter(corner, velocity: -3400), .envelope(attack: 0.025, release: 0.19),
                .vibrato(5.2, cents: vibrato, delay: 0.4), .tremolo(5.2, decibels: vibrato / 12, delay: 0.4))
        }
        return [
            Program(
                64, "Soprano Sax", highSax, .filter(12000, velocity: -3400), .envelope(attack: 0.025, release: 0.19),
                .vibrato(5.4, cents: 12, delay: 0.35)),
            reed(65, "Alto Sax", highSax, 13, 9000), reed(66, "Tenor Sax", lowSax, 12, 9000),
            reed(67, "Baritone Sax", lowSax, 8, 7000), reed(68, "Oboe", oboe, 9),
            reed(69, "English Horn", englishHorn, 9),
            reed(70, "Bassoon", bassoon, 6, 7000), reed(71, "Clarinet", clarinet, 2, 9000),
        ]
    }
}
