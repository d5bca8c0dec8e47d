import Glibc
import Testing

@testable import SoundFontSynthesis

/// What the sounds are made of, measured on the samples of the committed file: energy by frequency, noise, decays.
@Suite struct TimbreTests {
    let font: SoundFontFile

    init() throws { font = try parsed.get() }

    @Test(arguments: ["Snare", "Tight snare"])
    func `a snare has a drum under its wires`(name: String) throws {
        let sound = try sample(name)
        let head = share(.lowpass, 300, sound), wires = share(.highpass, 3000, sound)
        #expect(head > 0.55, "\(name): \(head) of the energy below 300 Hz")
        #expect(wires > 0.005, "\(name): \(wires) of the energy above 3 kHz")
    }

    /// The spectral flatness of noise is near 1, that of a few sines near 0.
    @Test(arguments: ["Ride", "Crash", "Hi-hat"])
    func `cymbals hiss and do not whistle`(name: String) throws {
        let flatness = flatness(try sample(name), from: 300, to: 14000)
        #expect(flatness > 0.3, "\(name): flatness \(flatness)")
    }

    @Test(arguments: [35, 44, 52, 60, 68])
    func `the partials of the grand die away each in its own time`(key: Int) throws {
        let sound = try sample("Grand \(key)L")
        let decays = (1...12).compactMap { n -> Double? in
            let early = partial(n, of: key, sound, at: 0.06), late = partial(n, of: key, sound, at: 0.5)
            return late > 1e-5 ? 20 * log10(early / late) / 0.44 : nil
        }
        let mean = decays.reduce(0, +) / Double(decays.count)
        let squares: [Double] = decays.map { ($0 - mean) * ($0 - mean) }
        let deviation = (squares.reduce(0, +) / Double(decays.count)).squareRoot()
        #expect(decays.count > 8 && deviation > 5, "key \(key): \(decays.map { $0.rounded() }) dB/s")
    }

    /// Between two harmonics of a loop there is nothing but noise.
    @Test(arguments: [
        ("Violin 70", -32.0), ("Viola 68", -32), ("Cello 52", -32), ("Trumpet 68", -46), ("High sax 60L", -40),
        ("Flute 74R", -36),
    ])
    func `bow and breath are heard between the harmonics`(name: String, least: Double) throws {
        let header = try header(name)
        let loop = frames(header.loopStart..<header.loopEnd)
        let periods = ExactMath.frequency(key: Double(header.key)) * Double(loop.count) / Double(header.rate)
        let noise = (2...12).reduce(0.0) { sum, n in
            let middle = ((Double(n) + 0.5) * periods).rounded()
            return sum + (-4...4).reduce(0.0) { $0 + power(loop, line: middle + Double($1)) }
        }
        // As if each line up to 10 kHz held as much as the mean of these 99.
        let lines = 10000 * Double(loop.count) / Double(header.rate)
        let level = 10 * log10(noise / 99 * lines / meanSquare(loop))
        #expect(level > least && level < -20, "\(name): noise at \(level) dB")
    }

    @Test(arguments: ["Section 60", "Section 70", "Brass section 60", "Violin 70", "Trumpet 68", "Flute 74L", "Crash", "Ride"])
    func `what has treble has it above 8 kHz too`(name: String) throws {
        let treble = 10 * log10(share(.highpass, 8000, try sample(name)))
        #expect(treble > -45, "\(name): \(treble) dB above 8 kHz")
    }

    // MARK: -

    private struct Sound {
        var frames: [Double], rate: Double
    }

    private func header(_ name: String) throws -> SoundFontFile.Header {
        try #require(font.headers.first { $0.name == name }, "\(name)")
    }

    private func frames(_ range: Range<Int>) -> [Double] { font.frames[range].map { Double($0) / 32768 } }

    private func sample(_ name: String) throws -> Sound {
        let header = try header(name)
        return Sound(frames: frames(header.start..<header.end), rate: Double(header.rate))
    }

    private func meanSquare(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } / Double(x.count) }

    /// The part of the energy that passes a filter of eighth order.
    private func share(_ shape: Biquad.Shape, _ hertz: Double, _ sound: Sound) -> Double {
        var x = sound.frames
        for q in [0.51, 0.6, 0.9, 2.56] { x = Biquad(shape, frequency: hertz, q: q, rate: sound.rate).filter(x) }
        return meanSquare(x) / meanSquare(sound.frames)
    }

    /// The mean square of one line of the discrete Fourier transform, by Goertzel's recurrence.
    private func power(_ x: [Double], line: Double) -> Double {
        let step = 2 * cos(2 * Double.pi * line / Double(x.count))
        var a = 0.0, b = 0.0
        for value in x { (a, b) = (value + step * a - b, a) }
        let count = Double(x.count)
        let square: Double = a * a + b * b - step * a * b
        return 2 * max(0, square) / (count * count)
    }

    /// `count` frames from `start` under a Hann window.
    private func windowed(_ sound: Sound, _ start: Int, _ count: Int) -> [Double] {
        var x: [Double] = []
        let turn = 2 * Double.pi / Double(count)
        for i in 0..<count { x.append(sound.frames[start + i] * (0.5 - 0.5 * cos(turn * Double(i)))) }
        return x
    }

    /// Of the first 16 windows of 1024 frames under a Hann window: the geometric mean of their power over the arithmetic.
    private func flatness(_ sound: Sound, from low: Double, to high: Double) -> Double {
        let count = 1024, scale = Double(count) / sound.rate
        let lines: [Double] = Array(stride(from: (low * scale).rounded(), through: (high * scale).rounded(), by: 2))
        let windows = (0..<16).map { windowed(sound, $0 * count, count) }
        let powers: [Double] = lines.map { line in windows.reduce(1e-12) { $0 + power($1, line: line) } }
        let mean = powers.reduce(0, +) / Double(powers.count)
        return exp(powers.reduce(0) { $0 + log($1) } / Double(powers.count)) / mean
    }

    /// The amplitude of a stretched partial in the 0.2 s from `start`, the highest line near it.
    private func partial(_ n: Int, of key: Int, _ sound: Sound, at start: Double) -> Double {
        let count = Int(0.2 * sound.rate), first = Int(start * sound.rate)
        let x = windowed(sound, first, count)
        let bend: Double = key > 48 ? Double(key - 48) / 8 : Double(48 - key) / 24
        let stiffness: Double = 1.5e-4 * exp2(bend)
        let stretch: Double = ((1 + stiffness * Double(n * n)) / (1 + stiffness)).squareRoot()
        let frequency: Double = ExactMath.frequency(key: Double(key))
        let line = (frequency * Double(n) * stretch * 0.2).rounded()
        let powers: [Double] = (-2...2).map { power(x, line: line + Double($0)) }
        return (powers.max() ?? 0).squareRoot()
    }
}
