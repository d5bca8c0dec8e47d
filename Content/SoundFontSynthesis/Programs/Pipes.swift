/// Programs 72...79: flutes, bottles and whistles: few harmonics, much breath.
enum Pipes {
    static func flute(
        _ name: String, roots: [Int], _ levels: [Double], breath: [Breath], chiff: Double, rate: Double = 18000,
        rise: Double = 0.03, wander: Double = 0.05
    ) -> Multisample {
        Multisample(stereo: roots) { key, side in
            let f = ExactMath.frequency(key: Double(key))
            let partials = levels.enumerated().map {
                Partial(Double($0 + 1), $1, phase: 0.15 * Double($0), attack: rise + 0.008 * Double($0))
            }
            // Breath noise resonates in the tube: around the fundamental and above.
            let tuned = breath.map { Breath($0.level, $0.shape, $0.frequency == 0 ? f * 1.02 : $0.frequency, q: $0.q) }
            return Tone(
                partials, body: 0.09, loop: 0.36, rate: rate, attack: 0.02, wander: wander,
                bursts: [
                    NoiseBurst(chiff, .bandpass, 2.5 * f, q: 2, attack: 0.008, duration: 0.08),
                    NoiseBurst(chiff - 6, .highpass, 3500, attack: 0.004, duration: 0.06),
                ], breath: tuned
            ).sample("\(name) \(key)", key: key, side: side)
        }
    }

    static let piccolo = flute(
        "Piccolo", roots: [88], [1, 0.28, 0.10, 0.04], breath: [Breath(-36, .highpass, 4500)], chiff: -20, rate: 28000)
    static let concertFlute = flute(
        "Flute", roots: [64, 74, 85], [1, 0.55, 0.26, 0.14, 0.07, 0.04, 0.02],
        breath: [Breath(-32, .bandpass, 0, q: 2), Breath(-36, .bandpass, 3500, q: 0.5), Breath(-40, .highpass, 6500)],
        chiff: -16, rate: 28000)
    static let recorder = flute(
        "Recorder", roots: [67, 80], [1, 0.10, 0.22, 0.05, 0.06, 0.02], breath: [Breath(-40, .bandpass, 3000)],
        chiff: -14, rise: 0.012, wander: 0.02)
    static let panFlute = flute(
        "Pan flute", roots: [62, 76], [1, 0.12, 0.2, 0.04, 0.03],
        breath: [Breath(-20, .bandpass, 0, q: 4), Breath(-26, .bandpass, 2500)], chiff: -6)
    static let bottle = flute(
        "Bottle", roots: [62], [1, 0.06, 0.05],
        breath: [Breath(-17, .bandpass, 0, q: 3), Breath(-26, .bandpass, 1800)],
        chiff: -8, rate: 16000, rise: 0.05)
    static let shakuhachi = flute(
        "Shakuhachi", roots: [60, 73], [1, 0.5, 0.35, 0.12, 0.08, 0.04],
        breath: [Breath(-22, .bandpass, 0, q: 2), Breath(-22, .bandpass, 2800)], chiff: -3, wander: 0.12)
    static let whistle = flute(
        "Whistle", roots: [80], [1, 0.03, 0.01], breath: [Breath(-28, .bandpass, 0, q: 6)], chiff: -18)
    static let ocarina = flute(
        "Ocarina", roots: [72], [1, 0.05, 0.07, 0.01], breath: [Breath(-38, .bandpass, 2000)], chiff: -18,
        rise: 0.015, wander: 0.02)

    static var programs: [Program] {
        func pipe(_ number: Int, _ name: String, _ source: Multisample, _ cents: Double, _ rate: Double = 5.2)
            -> Program
        {
            Program(
                number, name, source, .filter(14000, velocity: -2400), .envelope(attack: 0.03, release: 0.22),
                .vibrato(rate, cents: cents, delay: 0.35), .tremolo(rate, decibels: cents / 8, delay: 0.35))
        }
        return [
            pipe(72, "Piccolo", piccolo, 8), pipe(73, "Flute", concertFlute, 9), pipe(74, "Recorder", recorder, 4),
            pipe(75, "Pan Flute", panFlute, 7), pipe(76, "Blown Bottle", bottle, 4),
            pipe(77, "Shakuhachi", shakuhachi, 22, 4.6),
            pipe(78, "Whistle", whistle, 14, 5.6), pipe(79, "Ocarina", ocarina, 7),
        ]
    }
}
