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

    @Test(arguments: [(1, 48_000), (2, 48_000), (2, 44_100), (2, 8_000), (1, 96_000), (2, 384_000)])
    func `one and two channels have the loudness that libebur128 finds`(channels: Int, rate: Int) throws {
        // A loud half, a half 30 dB softer that the relative gate must leave out, and silence.
        let noise = music(frames: rate * 2), quiet = noise.map { $0.map { $0 * 0.03 } }
        let silence = noise.map { [Float](repeating: 0, count: $0.count) }
        let planes = (0..<channels).map { noise[$0] + quiet[$0] + silence[$0] }
        for boundsMemory in [false, true] {
            // Asking for the true peak leaves the measurement to libebur128.
            let own = try #require(
                LoudnessMeter(channels: channels, sampleRate: rate, boundsMemory: boundsMemory))
            let library = try #require(
                LoudnessMeter(channels: channels, sampleRate: rate, measuresTruePeak: true, boundsMemory: boundsMemory))
            withPlanes(planes) {
                own.add($0, frames: planes[0].count)
                library.add($0, frames: planes[0].count)
            }
            let difference = try #require(own.integratedLoudness) - (try #require(library.integratedLoudness))
            #expect(abs(difference) < 1e-6)
            #expect(own.samplePeak == library.samplePeak)
        }
    }

    @Test func `what cannot be measured gives no meter`() {
        #expect(LoudnessMeter(channels: 0, sampleRate: 48_000) == nil)
        #expect(LoudnessMeter(channels: 65, sampleRate: 48_000) == nil)
        #expect(LoudnessMeter(channels: -1, sampleRate: 48_000) == nil)
    }
}
