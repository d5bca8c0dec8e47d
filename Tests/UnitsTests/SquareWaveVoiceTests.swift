import CarillonTestKit
import Testing
import Units

/// Many notes at once: who keeps a voice, and how one is taken away.
@Suite struct SquareWaveVoiceTests {
    /// Keys whose fundamentals are no harmonics of each other.
    private let keys = [60, 61, 63, 66]

    private func heard(_ performance: Performance, _ candidates: [Int]) throws -> [Int] {
        let recording = try performance.render(30_000)
        return candidates.filter { recording.fundamental($0, 18_000..<30_000) > 1e-3 }
    }

    @Test func theQuietestReleasedNoteIsStolenFirst() throws {
        var performance = Performance(["polyphony": 4, "release": 10])
        for (n, key) in keys.enumerated() { performance.on(key, [120, 60, 100, 110][n], at: n * 100) }
        performance.off(63, at: 5_000)
        performance.off(66, at: 5_000)
        performance.on(70, at: 6_000)
        #expect(try heard(performance, keys + [70]) == [60, 61, 66, 70])
    }

    @Test func withNoneReleasedTheQuietestIsStolen() throws {
        var performance = Performance(["polyphony": 4])
        for (n, key) in keys.enumerated() { performance.on(key, [120, 110, 60, 100][n], at: n * 100) }
        performance.on(70, at: 6_000)
        #expect(try heard(performance, keys + [70]) == [60, 61, 66, 70])
    }

    @Test func amongEqualsTheOldestIsStolen() throws {
        var performance = Performance(["polyphony": 4])
        for (n, key) in keys.enumerated() { performance.on(key, 100, at: n * 100) }
        performance.on(70, 100, at: 6_000)
        #expect(try heard(performance, keys + [70]) == [61, 63, 66, 70])
    }

    @Test func aStolenNoteFadesInsteadOfClicking() throws {
        var both = Performance(["polyphony": 1]), first = both, second = both
        both.on(60, at: 0)
        both.on(67, at: 3_000)
        first.on(60, at: 0)
        second.on(67, at: 3_000)
        let mixture = try both.render(4_000).left
        let old = try first.render(4_000).left, new = try second.render(4_000).left
        var before: Float = 1
        for i in 3_000..<3_144 where abs(old[i]) > 0.2 {
            let gain = (mixture[i] - new[i]) / old[i]
            #expect(gain <= before + 1e-4 && before - gain < 0.1, "frame \(i): \(before) to \(gain)")
            before = gain
        }
        #expect(before < 0.1)
        #expect(mixture[3_144...] == new[3_144...])
        #expect(new[3_000] != 0 && mixture[3_000] - old[3_000] * (1 - 1 / 144) - new[3_000] < 1e-4)
    }

    @Test func aHundredAndTwentyEightNotesAtOnceAreSixtyFourVoices() throws {
        var performance = Performance()
        for key in 0..<128 { performance.on(key, at: 10) }
        let sounding = try performance.render(4_000)
        #expect(sounding.voices == 64)
        #expect(sounding.faults == 0 && sounding.violations.total == 0)
        for key in 0..<128 { performance.off(key, at: 5_000) }
        #expect(try performance.render(9_000).isAsleep)
    }

    @Test func aFloodOfNotesLeavesNothingBehind() throws {
        var performance = Performance()
        for n in 0..<600 { performance.on(n % 128, 1 + n % 127, at: 10 + n, channel: [0, 1, 2, 3, 4][n / 128]) }
        for channel in 0..<5 { performance.control(123, 0, at: 2_000, channel: channel) }
        let recording = try performance.render(6_000, block: 64)
        #expect(recording.isAsleep && recording.voices == 0 && recording.faults == 0)
        #expect(recording.peak(4_500..<6_000) == 0)
    }

    @Test func theSameKeyStruckAgainReleasesItsFirstNote() throws {
        var performance = Performance()
        performance.control(64, 127, at: 0)
        for n in 0..<20 { performance.on(60, at: n * 1_000) }
        #expect(try performance.render(24_000).voices == 1)
    }

    @Test func aHarderStrokeIsLouder() throws {
        var last = 0.0
        for velocity in 1...127 {
            var performance = Performance()
            performance.on(69, velocity, at: 0)
            let level = try performance.render(2_000).level(1_000..<2_000)
            #expect(level > last, "velocity \(velocity)")
            last = level
        }
        var flat = Performance(["velocity-curve": 0]), loud = flat
        flat.on(69, 1, at: 0)
        loud.on(69, 127, at: 0)
        #expect(try flat.render(2_000).left == loud.render(2_000).left)
    }

    @Test func everyCornerOfTheParametersIsFinite() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<60 {
            var performance = Performance()
            for parameter in SquareWave.Parameter.allCases {
                let range = parameter.spec.range
                performance.settings[parameter.spec.name] = random.next() & 1 == 0 ? range.lowerBound : range.upperBound
            }
            performance.control(1, 127, at: 0)
            performance.control(65, 127, at: 0)
            performance.control(5, 127, at: 0)
            performance.registered(0, 127, 127, at: 0)
            performance.registered(2, 127, at: 0)
            for key in [0, 64, 127] { performance.on(key, at: 10 + key) }
            performance.bend(8191, at: 500)
            performance.bend(-8192, at: 900)
            let recording = try performance.render(1_500)
            #expect(recording.faults == 0)
            #expect(recording.left.allSatisfy { $0.isFinite && abs($0) < 100 })
        }
    }
}
