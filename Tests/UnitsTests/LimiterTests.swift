import CEBUR128
import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

@Suite struct LimiterTests {
    /// The true peak by libebur128, linear, of both channels.
    static func truePeak(_ channels: [[Float]]) -> Double {
        var state = ebur128_init(2, 48_000, Int32(EBUR128_MODE_TRUE_PEAK.rawValue))
        defer { ebur128_destroy(&state) }
        var frames: [Float] = []
        for i in channels[0].indices { frames += [channels[0][i], channels[1][i]] }
        _ = ebur128_add_frames_float(state, frames, channels[0].count)
        var peak = 0.0
        for channel in 0..<2 {
            var value = 0.0
            _ = ebur128_true_peak(state, UInt32(channel), &value)
            peak = max(peak, value)
        }
        return peak
    }

    /// The highest of eight points between two samples each, by a sinc of 64 taps under a Hann window.
    static func finePeak(_ x: [Float]) -> Double {
        var peak = 0.0
        for phase in 0..<8 {
            var taps: [Double] = []
            for tap in -31...32 {
                let t = Double(tap) - Double(phase) / 8
                let sinc = t == 0 ? 1 : DeterministicMath.sine(turns: t / 2) / (Double.pi * t)
                taps.append(sinc * (0.5 + 0.5 * DeterministicMath.cosine(turns: t / 66)))
            }
            for i in stride(from: 31, to: x.count - 33, by: 1) {
                if abs(x[i]) < 0.2 && abs(x[i + 1]) < 0.2 { continue }
                var sum = 0.0
                for tap in 0..<64 { sum += taps[tap] * Double(x[i + tap - 31]) }
                peak = max(peak, abs(sum))
            }
        }
        return peak
    }

    static let hard: [(String, [Float])] = [
        ("a quarter of the rate, 45 degrees", sine(12_000, amplitude: 1.4, frames: 6_000, phase: 0.125)),
        ("a sixth of the rate", sine(8_000, amplitude: 2, frames: 6_000, phase: 1.0 / 12)),
        ("near a quarter", sine(11_987, amplitude: 1.4, frames: 6_000)),
        ("a low sine", sine(50, amplitude: 4, frames: 24_000)),
        ("a square wave", sine(997, frames: 6_000).map { $0 < 0 ? -1.5 : 1.5 }),
        // Full up to half the rate, and 12 dB above the ceiling: what a shorter interpolator reads 1.6 dB too low.
        ("white noise", noise(amplitude: 3.55, frames: 24_000)),
        ("bursts of noise", (0..<12).flatMap { noise(amplitude: $0 % 2 == 0 ? 0.05 : 1.8, frames: 500, seed: $0) }),
    ]

    @Test(arguments: hard.indices)
    func noTruePeakExceedsTheCeiling(index: Int) throws {
        let (name, sound) = Self.hard[index]
        let padding = [Float](repeating: 0, count: 1_000)
        let heard = try play(Limiter.self, left: padding + sound + padding, right: padding + sound + padding).recording
        let byLibrary = decibels(Self.truePeak(heard))
        #expect(byLibrary < -0.9, "\(name): \(byLibrary) dBTP by libebur128")
        let sinusoid = index < 4
        if sinusoid {
            let fine = decibels(Self.finePeak(Array(heard[0][..<7_000])))
            #expect(fine < -0.9, "\(name): \(fine) dB at eight times the rate")
        }
        #expect(decibels(level(heard[0][2_000..<6_000])) > -16, "\(name): it is still loud")
    }

    @Test func belowTheCeilingOnlyTheTimeChanges() throws {
        let sound = noise(amplitude: 0.42, frames: 20_000), other = sine(480, amplitude: 0.88, frames: 20_000)
        let rig = try play(Limiter.self, left: sound, right: other, frames: 21_000)
        let latency = rig.graph.nodes[0].instance.latency
        #expect(latency == 96 + 6)
        #expect(Array(rig.recording[0][latency..<(latency + 20_000)]) == sound)
        #expect(Array(rig.recording[1][latency..<(latency + 20_000)]) == other)
        #expect(rig.recording[0][..<latency].allSatisfy { $0 == 0 })
    }

    @Test func theGainMovesWithoutStepsAndComesBack() throws {
        var sound = sine(1_000, amplitude: 0.5, frames: 96_000)
        for i in 10_000..<12_000 { sound[i] *= 6 }
        let rig = try play(Limiter.self, left: sound, right: sound)
        let latency = rig.graph.nodes[0].instance.latency
        var last: Float = 1, steepest: Float = 0
        for i in stride(from: 12, to: 95_000, by: 48) {
            let gain = rig.recording[0][i + latency] / sound[i]
            if i > 12 { steepest = max(steepest, abs(gain - last)) }
            last = gain
        }
        #expect(steepest < 0.62, "a step of \(steepest) in a millisecond")
        #expect(last == 1)
        let start = Array(rig.recording[0][(latency + 100)..<(latency + 9_000)])
        #expect(start == Array(sound[100..<9_000]))
    }

    @Test func bothSidesShareOneGain() throws {
        let loud = sine(500, amplitude: 2, frames: 9_600), soft = sine(500, amplitude: 0.2, frames: 9_600)
        let heard = try play(Limiter.self, left: loud, right: soft).recording
        #expect(abs(level(heard[0][4_800...]) / level(heard[1][4_800...]) - 10) < 0.001)
        #expect(abs(decibels(level(heard[0][4_800...]) * 2.0.squareRoot()) + 1) < 0.05)
    }

    @Test func theReductionIsShown() throws {
        let rig = try play(Limiter.self, left: sine(500, amplitude: 2, frames: 9_600), right: sine(500, frames: 9_600))
        let reduction = try #require(rig.graph.nodes[0].instance.readout("reduction"))
        #expect(abs(Double(reduction) - 7.02) < 0.1)
    }

    @Test func allThatItTookAwayIsShown() throws {
        // A tenth of a second loud, another a little too loud, then soft for longer than the release takes.
        let sound =
            sine(500, amplitude: 2, frames: 4_800) + sine(500, amplitude: 0.93, frames: 4_800)
            + sine(500, amplitude: 0.1, frames: 86_400)
        let rig = try play(Limiter.self, left: sound, right: sound)
        func shown(_ name: String) -> Double { Double(rig.graph.nodes[0].instance.readout(name) ?? -1) }
        #expect(abs(shown("most-reduction") - 7.02) < 0.1)
        #expect(shown("reduction") == 0)
        #expect(shown("pressed-seconds") > 0.1 && shown("pressed-seconds") < 0.5)
        #expect(shown("reduced-seconds") > shown("pressed-seconds") && shown("reduced-seconds") < 1)
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096])
    func blockSizesDoNotMatterWhileItWorks(block: Int) throws {
        let sound = noise(amplitude: 1.3, frames: 6_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let reference = try play(Limiter.self, left: sound, right: sound, block: 333).recording
        let other = try play(Limiter.self, left: sound, right: sound, block: block).recording
        #expect(firstDifference(reference, other) == nil)
    }

    @Test func itSleepsOnceTheGainIsBack() throws {
        let burst = noise(amplitude: 2, frames: 1_000)
        let rig = try play(Limiter.self, left: burst, right: burst, frames: 144_000)
        #expect(isAsleep(rig))
        #expect(rig.recording[0][2_000...].allSatisfy { $0 == 0 })
    }

    /// What comes out of a limiter of as many channels as `planes`.
    static func wide(_ planes: [[Float]], frames: Int, block: Int = 512) throws -> OfflineRig {
        let rig = OfflineRig(channels: planes.count)
        let width: [String: PropertyValue] = ["channels": .integer(planes.count)]
        let node = try rig.graph.add(try UnitInstance.make(Limiter.self, rig.setup(properties: width)))
        try rig.graph.connect(try rig.add(channels: planes), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(frames, block: block)
        return rig
    }

    /// One loud loudspeaker turns all of them down alike, whichever it is, so that the picture stays where it is.
    @Test(arguments: [0, 3, 5]) func sixChannelsShareOneGain(_ loud: Int) throws {
        let planes = (0..<6).map {
            sine(400 + 50 * Double($0), amplitude: $0 == loud ? 2 : 0.05 + 0.05 * Double($0), frames: 9_600)
        }
        let heard = try Self.wide(planes, frames: 9_600).recording, latency = 96 + 6
        for channel in 0..<6 {
            let ratio = level(heard[channel][4_800...]) / level(planes[channel][4_800 - latency..<9_600 - latency])
            #expect(abs(decibels(ratio) + 7.02) < 0.1, "channel \(channel)")
        }
        // Frame by frame it is one factor, and the one that a stereo limiter has for the loud one alone.
        let stereo = try play(Limiter.self, left: planes[loud], right: planes[loud]).recording
        #expect(heard[loud] == stereo[0])
        for i in 3_000..<9_000 {
            let gain = heard[loud][i] / planes[loud][i - latency]
            for channel in 0..<6 where abs(planes[loud][i - latency]) > 0.5 {
                #expect(abs(heard[channel][i] - planes[channel][i - latency] * gain) < 1e-6)
            }
        }
    }

    @Test func eightChannelsBelowTheCeilingOnlyComeLater() throws {
        let planes = (0..<8).map { noise(amplitude: 0.4, frames: 5_000, seed: UInt64($0)) }
        let rig = try Self.wide(planes, frames: 6_000), latency = rig.graph.nodes[0].instance.latency
        #expect((0..<8).allSatisfy { Array(rig.recording[$0][latency..<latency + 5_000]) == planes[$0] })
        #expect(rig.violations.total == 0)
    }
}
