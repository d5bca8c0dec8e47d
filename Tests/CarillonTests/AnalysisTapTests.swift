import Carillon
import CarillonTestKit
import Glibc
import Testing

/// Spectra, pitches and loudness of known signals.
@Suite struct AnalysisTapTests {
    /// Sound as blocks of a tap.
    private static func blocks(_ left: [Float], _ right: [Float]? = nil, from time: Int64 = 0) -> [TapBlock] {
        stride(from: 0, to: left.count, by: 256).map { start in
            let range = start..<min(start + 256, left.count)
            return TapBlock(time: SampleTime(time + Int64(start)), channels: [Array(left[range]), Array((right ?? left)[range])])
        }
    }

    private static func sine(_ frequency: Double, _ amplitude: Double, frames: Int, rate: Double = 48_000) -> [Float] {
        (0..<frames).map { Float(amplitude * sin(2 * .pi * (frequency * Double($0) / rate).truncatingRemainder(dividingBy: 1))) }
    }

    /// Partials below 22 kHz, each as much quieter as it is higher, with phases of their own.
    private static func tone(
        _ frequency: Double, _ partials: ClosedRange<Int>, frames: Int, phase: (Int) -> Double
    ) -> [Float] {
        var sound = [Double](repeating: 0, count: frames)
        for partial in partials where frequency * Double(partial) < 22_000 {
            let step = 2 * Double.pi * frequency * Double(partial) / 48_000, start = phase(partial)
            for n in 0..<frames { sound[n] += 0.3 * sin(step * Double(n) + start) / Double(partial) }
        }
        return sound.map { Float($0) }
    }

    private static func noise(_ frames: Int) -> [Float] {
        var state: UInt64 = 7
        return (0..<frames).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648 * 0.5
        }
    }

    @Test(arguments: [512, 1_024, 4_096, 16_384]) func aSineStandsOnItsLineWithItsLevel(_ size: Int) throws {
        var analyzer = SpectrumAnalyzer(sampleRate: 48_000, size: size, rate: 10)
        let line = size / 8 + 3, frequency = Double(line) * 48_000 / Double(size)
        let readings = Self.blocks(Self.sine(frequency, 0.1, frames: 48_000)).flatMap { analyzer.take($0) }
        #expect(readings.count == (48_000 - size) / 4_800 + 1)
        for (index, reading) in readings.enumerated() {
            #expect(reading.time == SampleTime(Int64(index) * 4_800) && reading.levels.count == size / 2 + 1)
            #expect(reading.line(at: frequency) == line)
            #expect(abs(reading.levels[line] + 20) < 0.001, "\(reading.levels[line]) dB")
            // Hann's window: the neighbours are half as high, and all others are silent.
            #expect(abs(reading.levels[line + 1] + 26.02) < 0.01 && abs(reading.levels[line - 1] + 26.02) < 0.01)
            let rest = reading.levels.indices.filter { abs($0 - line) > 2 }.map { reading.levels[$0] }.max() ?? 0
            #expect(rest < -120, "\(rest) dB beside the line")
        }
    }

    @Test func theEndsOfASpectrumAndBetweenTheLines() throws {
        var constant = SpectrumAnalyzer(sampleRate: 48_000, size: 512)
        let level = Self.blocks([Float](repeating: 0.5, count: 1_024)).flatMap { constant.take($0) }[0].levels[0]
        #expect(abs(level + 6.02) < 0.01, "\(level)")
        var silent = SpectrumAnalyzer(sampleRate: 48_000, size: 512)
        #expect(Self.blocks([Float](repeating: 0, count: 512)).flatMap { silent.take($0) }[0].levels.allSatisfy { $0 == -180 })
        // Half way between two lines Hann's window loses 1.42 dB.
        var between = SpectrumAnalyzer(sampleRate: 48_000, size: 4_096)
        let reading = Self.blocks(Self.sine(100.5 * 48_000 / 4_096, 1, frames: 8_192)).flatMap { between.take($0) }[0]
        #expect(abs(reading.levels[100] + 1.42) < 0.01 && abs(reading.levels[101] + 1.42) < 0.01)
    }

    @Test func aGapIsANewBeginning() {
        var analyzer = SpectrumAnalyzer(sampleRate: 48_000, size: 1_024, rate: 50)
        let sine = Self.sine(3_000, 0.5, frames: 2_048)
        let readings = (Self.blocks(sine) + Self.blocks(sine, from: 10_000)).flatMap { analyzer.take($0) }
        #expect(readings.map(\.time.rawValue) == [0, 960, 10_000, 10_960])
    }

    @Test(arguments: [40, 55, 82.4069, 110, 261.6256, 440, 997, 1_318.51, 2_000] as [Double])
    func aTonesPitchIsFoundWithinTwoCents(_ frequency: Double) throws {
        let frames = 24_000
        // A sine, a saw of a few partials, and one whose fundamental is missing.
        let saw = Self.tone(frequency, 1...12, frames: frames) { _ in 0 }
        let hollow = Self.tone(frequency, 2...5, frames: frames) { Double($0) }
        for (name, tone) in [("sine", Self.sine(frequency, 0.3, frames: frames)), ("saw", saw), ("hollow", hollow)] {
            var detector = PitchDetector(sampleRate: 48_000)
            let readings = Self.blocks(tone).flatMap { detector.take($0) }
            #expect(readings.count >= 10)
            for reading in readings {
                let heard = reading.frequency ?? 0, cents = 1_200 * log2(max(heard, 1) / frequency)
                #expect(abs(cents) < 2, "\(name) of \(frequency) Hz: \(heard) Hz, off by \(cents) cents")
                #expect(reading.confidence > 0.95)
            }
        }
    }

    @Test func noiseAndSilenceHaveNoPitch() {
        var detector = PitchDetector(sampleRate: 48_000)
        let readings = Self.blocks(Self.noise(96_000)).flatMap { detector.take($0) }
        #expect(readings.count > 50 && readings.allSatisfy { $0.frequency == nil && $0.confidence < 0.6 })
        let silent = Self.blocks([Float](repeating: 0, count: 9_600), from: 200_000).flatMap { detector.take($0) }
        #expect(!silent.isEmpty && silent.allSatisfy { $0.frequency == nil && $0.confidence == 0 })
    }

    /// EBU Tech 3341, cases 1 and 2: a stereo sine of 1 kHz at -23 and at -33 dBFS for 20 s.
    @Test(arguments: [-23.0, -33]) func loudnessIsThatOfEBUTech3341(_ level: Double) throws {
        var reader = try #require(LoudnessReader(sampleRate: 48_000))
        let readings = Self.blocks(Self.sine(1_000, pow(10, level / 20), frames: 20 * 48_000)).flatMap { reader.take($0) }
        #expect(readings.count == 200 && readings[9].time == SampleTime(48_000))
        let last = try #require(readings.last)
        for heard in [last.momentary, last.shortTerm, last.integrated] { #expect(abs(heard - level) < 0.1, "\(heard) LUFS") }
        #expect(abs(last.truePeak - level) < 0.2 && last.range < 0.1)
    }

    @Test func loudnessFollowsInItsOwnTimes() throws {
        var reader = try #require(LoudnessReader(sampleRate: 48_000))
        // EBU Tech 3342, case 1: 20 s at -20, 20 s at -30: a range of 10 LU.
        let loud = Self.sine(1_000, 0.1, frames: 20 * 48_000), quiet = loud.map { $0 * 0.31622776 }
        let readings = Self.blocks(loud + quiet).flatMap { reader.take($0) }
        #expect(abs(readings[203].momentary + 30) < 0.1 && abs(readings[201].momentary + 22.6) < 1)
        #expect(abs(readings[229].shortTerm + 30) < 0.1 && readings[215].shortTerm > -24)
        #expect(abs(readings[399].range - 10) < 1, "\(readings[399].range) LU")
    }

    @Test func tapsAreReadBesideTheSound() async throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(Oscillator.self, startValues: ["frequency": 1_007.8125, "level": -20])
            try graph.setOutput(node)
            return node
        }
        let spectrum = SpectrumTap(try engine.tap(node, seconds: 2), SpectrumAnalyzer(sampleRate: 48_000, size: 2_048, rate: 20))
        let pitch = PitchTap(try engine.tap(node, seconds: 2), PitchDetector(sampleRate: 48_000))
        let loudness = LoudnessTap(try engine.tap(node, seconds: 2), try #require(LoudnessReader(sampleRate: 48_000)))
        try engine.start(on: .offline)
        _ = try engine.render(frames: 48_000)
        // The oscillator needs some milliseconds to come up.
        let levels = spectrum.read().map { $0.levels[43] }
        #expect(levels.count == 20 && levels.dropFirst().allSatisfy { abs($0 + 20) < 0.1 }, "\(levels)")
        #expect(pitch.read().dropFirst().allSatisfy { abs(($0.frequency ?? 0) - 1_007.8125) < 0.5 })
        // As a loop: it ends with the tap.
        try engine.remove(loudness.tap)
        var heard: [Double] = []
        for await reading in loudness { heard.append(reading.momentary) }
        // The last block has not been full.
        #expect(heard.count == 9 && abs((heard.last ?? 0) + 20) < 0.1, "\(heard)")
    }
}
