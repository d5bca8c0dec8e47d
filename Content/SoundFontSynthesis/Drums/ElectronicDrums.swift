/// Drums that never were wood: the analogue machine's kick, snare, hat, clap, cowbell and toms.
enum ElectronicDrums {
    static let kick = Strike(
        [.init(49, 0, 0.95, glide: 1.6, fall: 0.012)], bursts: [NoiseBurst(-22, .bandpass, 2500, duration: 0.008)],
        duration: 0.75, rate: 8000, drive: 0.3
    ).sample("Analogue kick")
    static let snare = Strike(
        [.init(176, -2, 0.15, glide: 0.2, fall: 0.01), .init(330, -6, 0.09)],
        bursts: [NoiseBurst(-2, .highpass, 3200, duration: 0.18)], duration: 0.2, rate: 24000, drive: 4
    ).sample("Analogue snare")
    /// Six square oscillators, as in the circuit.
    static let hat: Multisample = {
        let count = 4096
        let rate = 40000.0
        var spectrum = Spectrum(count: count)
        for hertz in [205.3, 304.4, 369.6, 522.7, 540.0, 800.0] {
            for n in stride(from: 1, through: 60, by: 2) {
                let frequency = hertz * Double(n)
                guard frequency > 5500, frequency < 17000 else { continue }
                spectrum.add(
                    line: Int((frequency * Double(count) / rate).rounded()), level: 1 / Double(n),
                    phase: (hertz * Double(n) * 0.618).truncatingRemainder(dividingBy: 1))
            }
        }
        return Multisample(Sample.turning("Analogue hat", spectrum.frames(), rate: rate, key: 60))
    }()
    static let tom = Strike(
        [.init(110, 0, 0.42, glide: 0.35, fall: 0.05)], bursts: [NoiseBurst(-24, .lowpass, 800, duration: 0.06)],
        duration: 0.42, rate: 8000
    ).sample("Analogue tom")
    static let cowbell = Strike(
        [
            .init(540, -1, 0.25), .init(800, 0, 0.25), .init(1620, -11, 0.2), .init(2400, -10, 0.2),
            .init(2700, -15, 0.15),
            .init(4000, -15, 0.15),
        ], duration: 0.26, rate: 16000
    ).sample("Analogue cowbell")
}
