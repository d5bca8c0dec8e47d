import DSP
import Glibc
import Testing

@testable import AudioFiles

@Suite struct LoudnessMeterTests {
    private func sine(_ amplitude: Float, frequency: Double, frames: Int, phase: Double = 0) -> [Float] {
        (0..<frames).map { amplitude * Float(sin(2 * Double.pi * frequency * Double($0) / 48_000 + phase)) }
    }

    @Test func `a stereo sine of 1 kHz at -23 dBFS is -23 LUFS`() throws {
        // EBU Tech 3341, case 1, tolerance 0.1 LU.
        let plane = sine(0.0707946, frequency: 1000, frames: 480_000)
        let meter = try #require(LoudnessMeter(channels: 2, sampleRate: 48_000))
        withPlanes([plane, plane]) { meter.add($0, frames: plane.count) }
        let loudness = try #require(meter.integratedLoudness)
        #expect(abs(loudness + 23) < 0.1)
        #expect(abs(meter.samplePeak - 0.0707946) < 1e-4)
        #expect(meter.truePeak == nil)
    }

    @Test func `the result does not depend on the block size`() throws {
        let planes = music(frames: 60_000)
        let results = try [1, 17, 4096, 60_000].map { block in
            let meter = try #require(LoudnessMeter(channels: 2, sampleRate: 48_000))
            withPlanes(planes) { pointers in
                for start in stride(from: 0, to: 60_000, by: block) {
                    meter.add(pointers.map { $0 + start }, frames: min(block, 60_000 - start))
                }
            }
            return meter.integratedLoudness
        }
        #expect(Set(results).count == 1)
    }

    @Test func `silence and less than 400 ms have no loudness`() throws {
        let meter = try #require(LoudnessMeter(channels: 1, sampleRate: 48_000))
        withPlanes([[Float](repeating: 0, count: 96_000)]) { meter.add($0, frames: 96_000) }
        #expect(meter.integratedLoudness == -.infinity)
        #expect(meter.samplePeak == 0)
    }

    @Test func `the true peak lies between the samples`() throws {
        // A quarter of the sample rate at 45 degrees: samples at 0.707 of the peak.
        let plane = sine(0.5, frequency: 12_000, frames: 48_000, phase: Double.pi / 4)
        let meter = try #require(LoudnessMeter(channels: 1, sampleRate: 48_000, measuresTruePeak: true))
        withPlanes([plane]) { meter.add($0, frames: plane.count) }
        #expect(abs(meter.samplePeak - 0.35355) < 1e-3)
        let truePeak = try #require(meter.truePeak)
        #expect(truePeak > 0.48 && truePeak < 0.56)
    }

    @Test func `bounded memory costs less than a tenth of a unit`() throws {
        let planes = music(frames: 96_000)
        let exact = try #require(LoudnessMeter(channels: 2, sampleRate: 48_000))
        let bounded = try #require(LoudnessMeter(channels: 2, sampleRate: 48_000, boundsMemory: true))
        withPlanes(planes) {
            exact.add($0, frames: 96_000)
            bounded.add($0, frames: 96_000)
        }
        #expect(abs(try #require(exact.integratedLoudness) - (try #require(bounded.integratedLoudness))) < 0.1)
    }

    @Test(arguments: [44_100, 48_000, 22_050])
    func `a programme's gates are those of libebur128, at any gain and block size`(rate: Int) throws {
        // Notes that die away, each softer than the last, down to where the gates lie.
        let planes = (0..<2).map { channel in
            (0..<rate * 20).map { frame in
                let note = frame / (2 * rate), age = Float(frame % (2 * rate)) / Float(rate)
                let level = exp2f(-Float(note) - 6 * age)
                return level * 0.3 * sinf(Float(frame) * 0.05 * (1 + 0.1 * Float(channel)))
            }
        }
        let whole = try #require(ProgrammeLoudness(layout: .stereo, sampleRate: rate))
        let pieces = try #require(ProgrammeLoudness(layout: .stereo, sampleRate: rate))
        withPlanes(planes) { pointers in
            whole.add(pointers, frames: rate * 20)
            for start in stride(from: 0, to: rate * 20, by: 977) {
                pieces.add(pointers.map { $0 + start }, frames: min(977, rate * 20 - start))
            }
        }
        for gain in [-30.0, 0, 12, 24] {
            let amplitude = Decibels.amplitude(Float(gain))
            let meter = try #require(LoudnessMeter(channels: 2, sampleRate: rate, measuresRange: true))
            withPlanes(planes.map { $0.map { $0 * amplitude } }) { meter.add($0, frames: rate * 20) }
            let expected = try #require(meter.integratedLoudness), range = try #require(meter.loudnessRange)
            #expect(abs(try #require(whole.integrated(gain: gain)) - expected) < 1e-4)
            #expect(abs(try #require(whole.range(gain: gain)) - range) < 1e-4)
            #expect(whole.integrated(gain: gain) == pieces.integrated(gain: gain))
            #expect(whole.range(gain: gain) == pieces.range(gain: gain))
        }
        let twice = try #require(ProgrammeLoudness.integrated([whole, pieces]))
        #expect(abs(twice - (try #require(whole.integrated()))) < 1e-9)
        #expect(whole.shortTermMaximum == pieces.shortTermMaximum)
    }

    @Test(arguments: SpeakerLayout.allCases, [8_000, 22_050, 44_100, 48_000, 96_000])
    func `a programme is weighed as libebur128 weighs it`(_ layout: SpeakerLayout, rate: Int) throws {
        // Rumble, tones, noise and what dies away, on each channel another share of them.
        let frames = rate * 4,
            planes = (0..<layout.channels).map { channel in
                var noise = UInt32(channel + 1)
                return (0..<frames).map { frame in
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let time = Double(frame) / Double(rate), hiss = Double(noise >> 8) / 8_388_608 - 1
                    let tones = sin(2 * .pi * 30 * time) + sin(2 * .pi * 60 * Double(channel + 1) * time * (1 + time))
                    return Float((0.1 * tones + 0.05 * hiss * exp(-time * Double(channel))) * (1 + 0.2 * Double(channel)))
                }
            }
        let programme = try #require(ProgrammeLoudness(layout: layout, sampleRate: rate))
        let meter = try #require(LoudnessMeter(channels: layout.channels, layout: layout, sampleRate: rate))
        withPlanes(planes) {
            programme.add($0, frames: frames)
            meter.add($0, frames: frames)
        }
        #expect(abs(try #require(programme.integrated()) - (try #require(meter.integratedLoudness))) < 1e-6)
        #expect(programme.samplePeak == meter.samplePeak)
    }

    @Test func `a rate that is none gives no programme`() {
        #expect(ProgrammeLoudness(layout: .stereo, sampleRate: 0) == nil)
    }

    @Test func `a programme of silence has no loudness and no range`() throws {
        let programme = try #require(ProgrammeLoudness(layout: .mono, sampleRate: 48_000))
        withPlanes([[Float](repeating: 0, count: 240_000)]) { programme.add($0, frames: 240_000) }
        #expect(programme.integrated(gain: 24) == nil)
        #expect(programme.range() == nil && programme.shortTermMaximum == nil)
    }

    @Test func `what cannot be measured gives no meter`() {
        #expect(LoudnessMeter(channels: 0, sampleRate: 48_000) == nil)
        #expect(LoudnessMeter(channels: 65, sampleRate: 48_000) == nil)
        #expect(LoudnessMeter(channels: -1, sampleRate: 48_000) == nil)
    }

    /// The loudness of a tone of -23 dBFS on one speaker of a layout. Its level below that of two speakers is 3 LU.
    private func loudness(of speaker: Speaker, in layout: SpeakerLayout) throws -> Double {
        let tone = sine(0.0707946, frequency: 1000, frames: 96_000), silence = [Float](repeating: 0, count: 96_000)
        let meter = try #require(LoudnessMeter(channels: layout.channels, layout: layout, sampleRate: 48_000))
        withPlanes(layout.speakers.map { $0 == speaker ? tone : silence }) { meter.add($0, frames: 96_000) }
        return try #require(meter.integratedLoudness)
    }

    @Test func surroundsCountMoreAndLowFrequenciesNothing() throws {
        // BS.1770-4: a weight of 1.41 from 60 to 120 degrees, 1 elsewhere, none for the low frequencies.
        for layout in [SpeakerLayout.surround50, .surround51, .surround71] {
            #expect(try abs(loudness(of: .frontLeft, in: layout) + 26.01) < 0.05)
            #expect(try abs(loudness(of: .centre, in: layout) + 26.01) < 0.05)
        }
        #expect(try abs(loudness(of: .rearLeft, in: .surround51) + 24.52) < 0.05)
        #expect(try abs(loudness(of: .rearLeft, in: .surround71) + 26.01) < 0.05)
        #expect(try abs(loudness(of: .sideRight, in: .surround71) + 24.52) < 0.05)
        #expect(try loudness(of: .lowFrequency, in: .surround51) == -.infinity)
        #expect(LoudnessMeter(channels: 5, layout: .surround51, sampleRate: 48_000) == nil)
    }
}
