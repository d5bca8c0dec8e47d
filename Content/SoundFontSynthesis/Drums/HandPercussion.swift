/// Wood, shells, small metal and everything else in the hands of the percussionist.
enum HandPercussion {
    static let tambourine = Strike(
        [.init(5900, -12, 0.16), .init(7450, -10, 0.18), .init(8800, -10, 0.2), .init(10300, -12, 0.15)],
        bursts: [
            NoiseBurst(-4, .highpass, 6500, duration: 0.22),
            NoiseBurst(-8, .highpass, 6000, duration: 0.06, delay: 0.03),
            NoiseBurst(-14, .bandpass, 700, duration: 0.03),
        ], duration: 0.24, rate: 32000
    ).sample("Tambourine")
    static let cowbell = Strike(
        [
            .init(562, 0, 0.28), .init(845, -1, 0.26), .init(1690, -12, 0.15), .init(2530, -12, 0.12),
            .init(3380, -18, 0.1),
        ],
        bursts: [NoiseBurst(-14, .bandpass, 3000, duration: 0.015)], duration: 0.25, rate: 16000, drive: 2
    ).sample("Cowbell")
    static let vibraslap = Sample.scene("Vibraslap", seconds: 0.55, rate: 14000) { time, noise in
        let rattle = (time * 24).truncatingRemainder(dividingBy: 1)
        let ring = 0.4 * ExactMath.sine(turns: 2350 * time) + 0.3 * ExactMath.sine(turns: 3710 * time)
        return ExactMath.exponential(-time * 5) * ExactMath.exponential(-rattle * 5) * (noise.bipolar() + ring)
    }
    static let agogo = Strike(
        [.init(880, 0, 0.3), .init(1302, -8, 0.22), .init(2320, -4, 0.2), .init(3430, -10, 0.15)],
        bursts: [NoiseBurst(-14, .bandpass, 4500, duration: 0.012)], duration: 0.26, rate: 16000
    ).sample("Agogo bell")
    static let cabasa = Strike(
        [], bursts: [NoiseBurst(0, .bandpass, 6800, q: 0.9, attack: 0.012, duration: 0.11)], duration: 0.13, rate: 32000
    ).sample("Cabasa")
    static let maracas = Strike(
        [], bursts: [NoiseBurst(0, .highpass, 6000, attack: 0.006, duration: 0.06)], duration: 0.08, rate: 32000
    ).sample("Maracas")
    static let shaker = Strike(
        [], bursts: [NoiseBurst(0, .bandpass, 7500, q: 1.2, attack: 0.03, duration: 0.12)], duration: 0.15, rate: 32000
    ).sample("Shaker")
    /// A pea whistle: two tones that flutter.
    static let whistle = Sample.scene("Whistle", seconds: 0.1, rate: 24000, loops: true) { time, noise in
        let flutter = 0.65 + 0.35 * ExactMath.sine(turns: 40 * time)
        return flutter * (ExactMath.sine(turns: 2320 * time) + 0.5 * ExactMath.sine(turns: 2460 * time)) + 0.05
            * noise.bipolar()
    }
    static func guiro(_ name: String, seconds: Double, strokes: Double) -> Sample {
        Sample.scene(name, seconds: seconds, rate: 16000) { time, noise in
            let notch = (time * strokes * (0.7 + 0.6 * time / seconds)).truncatingRemainder(dividingBy: 1)
            let shape = min(1, time / 0.01) * min(1, (seconds - time) / 0.03)
            let wood = 0.5 * ExactMath.sine(turns: 2600 * time) + 0.3 * ExactMath.sine(turns: 3900 * time)
            return shape * ExactMath.exponential(-notch * 5) * (noise.bipolar() + wood)
        }
    }
    static let shortGuiro = guiro("Short guiro", seconds: 0.11, strokes: 110)
    static let longGuiro = guiro("Long guiro", seconds: 0.42, strokes: 75)
    static let claves = Strike([.init(2480, 0, 0.09), .init(4900, -18, 0.04)], duration: 0.09, rate: 16000).sample(
        "Claves")
    static let woodblock = Strike(
        [.init(820, 0, 0.1), .init(1330, -8, 0.06), .init(2210, -10, 0.05)],
        bursts: [NoiseBurst(-12, .bandpass, 2500, duration: 0.01)], duration: 0.12, rate: 24000
    ).sample("Wood block")
    /// A finger on the cuica's stick: a moan that glides.
    static func cuica(_ name: String, seconds: Double, from: Double, to: Double) -> Sample {
        Sample.scene(name, seconds: seconds, rate: 12000) { time, noise in
            let t = time / seconds
            let turns = seconds * (from * t + (to - from) * t * t / 2)
            let shape = min(1, time / 0.012) * min(1, (seconds - time) / 0.04)
            return shape
                * (ExactMath.sine(turns: turns) + 0.45 * ExactMath.sine(turns: 2 * turns)
                    + 0.3 * ExactMath.sine(turns: 3 * turns) + 0.1 * noise.bipolar())
        }
    }
    static let mutedCuica = cuica("Muted cuica", seconds: 0.11, from: 560, to: 680)
    static let openCuica = cuica("Open cuica", seconds: 0.3, from: 420, to: 760)
    static let triangle = Multisample(
        Tone(
            [
                Partial(1, 0.35), Partial(2.71, 0.9, phase: 0.2), Partial(3.63, 1, phase: 0.4),
                Partial(5.18, 0.8, phase: 0.7),
                Partial(7.1, 0.5, phase: 0.1),
            ], body: 0.03, loop: 0.06, rate: 44100, attack: 0.001,
            bursts: [NoiseBurst(-10, .highpass, 8000, duration: 0.01)]
        ).sample("Triangle", key: 93))
    static let jingle = Strike(
        [0, 0.05, 0.11].flatMap { _ in
            [Strike.Mode(4700, -10, 0.4), .init(6300, -8, 0.45), .init(7900, -9, 0.4), .init(9800, -12, 0.3)]
        },
        bursts: [0, 0.04, 0.09, 0.14].map { NoiseBurst(-4, .highpass, 7000, duration: 0.1, delay: $0) }, duration: 0.28,
        rate: 22050
    ).sample("Jingle bell")
    /// Bars from low to high, stroked one after the other.
    static let bellTree = Sample.scene("Bell tree", seconds: 0.8, rate: 16000) { time, _ in
        var sum = 0.0
        for bar in 0..<22 {
            let t = time - 0.03 * Double(bar)
            guard t >= 0 else { break }
            let hertz = 2600 * ExactMath.exponential2(Double(bar) / 15)
            sum += ExactMath.exponential(-t * 9) * min(1, t / 0.0005) * ExactMath.sine(turns: hertz * t)
        }
        return sum
    }
    static let castanets = Strike(
        [.init(1180, -4, 0.05), .init(2250, 0, 0.04), .init(3400, -6, 0.03)],
        bursts: [
            NoiseBurst(-8, .bandpass, 2800, duration: 0.015),
            NoiseBurst(-10, .bandpass, 2400, duration: 0.015, delay: 0.025),
        ],
        duration: 0.08, rate: 24000
    ).sample("Castanets")
    static let sticks = Strike(
        [.init(1050, -4, 0.06), .init(2730, 0, 0.05)], bursts: [NoiseBurst(-8, .bandpass, 3500, duration: 0.015)],
        duration: 0.08, rate: 24000
    ).sample("Sticks")
    static let highQ = Strike([.init(420, 0, 0.12, glide: 9, fall: 0.012)], duration: 0.1, rate: 22050).sample("High Q")
    static let slap = Strike(
        [.init(330, -8, 0.08)], bursts: [NoiseBurst(0, .bandpass, 1900, q: 0.5, duration: 0.06)], duration: 0.09,
        rate: 24000
    ).sample("Slap")
    static let scratch = Sample.scene("Scratch", seconds: 0.13, rate: 22050) { time, noise in
        let t = time / 0.13
        let grain = ExactMath.sine(turns: 260 * time + 2600 * time * time)
        return ExactMath.sine(turns: t / 2) * (noise.bipolar() * 0.7 + grain * 0.8)
    }
    static let click = Strike([.init(1000, 0, 0.03), .init(3000, -9.5, 0.03), .init(5000, -14, 0.03)], duration: 0.04)
        .sample("Click")
    static let metronomeBell = Strike(
        [.init(1480, 0, 0.3), .init(2960, -10, 0.2), .init(4010, -12, 0.12)], duration: 0.2, rate: 12000
    ).sample("Metronome bell")
}
