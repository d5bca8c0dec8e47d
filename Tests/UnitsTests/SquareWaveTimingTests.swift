import CarillonTestKit
import MIDI
import Testing
import Units

/// Frames: where notes start and end, and that nothing depends on how time is cut.
@Suite struct SquareWaveTimingTests {
    @Test func threeHundredNotesStartOnTheirExactFrames() throws {
        var random = SeededRandom(seed: 300)
        var performance = Performance()
        var onsets: [Int] = []
        var time = 0
        for _ in 0..<300 {
            time += 1_200 + Int(random.next() % 900)
            let key = 21 + Int(random.next() % 88), channel = [0, 3, 8, 15][Int(random.next() % 4)]
            performance.on(key, 1 + Int(random.next() % 127), at: time, channel: channel)
            performance.off(key, at: time + 1 + Int(random.next() % 400), channel: channel)
            onsets.append(time)
        }
        let sound = try performance.render(time + 2_000, block: 333).left
        let heard = sound.indices.filter { i in
            sound[i] != 0 && (i == 0 || sound[max(0, i - 64)..<i].allSatisfy { $0 == 0 })
        }
        #expect(heard == onsets)
    }

    @Test(arguments: [5, 50, 95] as [Float])
    func everyKeySoundsFromItsFirstFrame(width: Float) throws {
        for key in 0...127 {
            var performance = Performance(["pulse-width": width])
            performance.on(key, 1, at: 33)
            let sound = try performance.render(64).left
            #expect(sound[32] == 0 && sound[33] != 0, "key \(key)")
        }
    }

    private var passage: Performance {
        var performance = Performance(["release": 0.1, "sustain": 60])
        performance.control(65, 127, at: 0)
        performance.control(5, 40, at: 0)
        for n in 0..<40 {
            let time = n * 1_000 + n * n, key = 30 + n * 11 % 60
            performance.on(key, 30 + n, at: time, channel: n % 3)
            performance.off(key, at: time + 2_777, channel: n % 3)
            performance.bend(n * 300 - 6_000, at: time + 500)
            performance.control(1, n * 3, at: time + 600)
            performance.control([7, 10, 11][n % 3], 20 + n * 2, at: time + 17)
        }
        performance.set(.pulseWidth, 5, at: 3_001)
        performance.set(.pulseWidth, 90, at: 9_111)
        performance.set(.gain, -6, at: 5_005)
        performance.set(.attack, 0.1, at: 10_007)
        performance.set(.release, 0.4, at: 12_345)
        performance.set(.vibratoRate, 11, at: 20_000)
        performance.set(.tune, 33, at: 22_222)
        performance.control(64, 127, at: 15_000)
        performance.control(64, 0, at: 18_001)
        return performance
    }

    @Test func everyBlockSizeGivesTheSameSamples() throws {
        let reference = try passage.render(48_000, block: 256)
        for block in [1, 17, 64, 4_096] {
            let other = try passage.render(48_000, block: block)
            #expect(firstDifference(reference.channels, other.channels) == nil, "block \(block)")
        }
        #expect(reference.violations.total == 0, "\(reference.violations)")
    }

    @Test func aPassageSoundsTheSameWheneverItIsPlayed() throws {
        let early = try passage.render(48_000).channels
        let late = try passage.later(1_237).render(48_000 + 1_237).channels
        #expect(firstDifference(early, late.map { Array($0.dropFirst(1_237)) }) == nil)
    }

    @Test func theReleaseBeginsOnItsExactFrame() throws {
        for time in [4_000, 4_001, 4_007, 4_015] {
            var held = Performance(), ended = Performance()
            held.on(60, at: 0)
            ended.on(60, at: 0)
            ended.off(60, at: time)
            let a = try held.render(6_000).left, b = try ended.render(6_000).left
            #expect(a[..<time] == b[..<time])
            #expect(a[time] != b[time])
        }
    }

    @Test func aNoteOfNoLengthSoundsAndEnds() throws {
        var performance = Performance()
        performance.on(60, at: 100)
        performance.off(60, at: 100)
        let recording = try performance.render(4_000)
        #expect(recording.left[100] != 0)
        #expect(recording.peak(100..<400) > 0.01)
        #expect(recording.peak(3_000..<4_000) == 0)
        #expect(recording.isAsleep)
    }

    @Test func theEnvelopeTakesItsTimes() throws {
        var performance = Performance(["attack": 0.1, "decay": 0.2, "sustain": 50, "release": 0.1])
        performance.control(7, 127, at: 0)
        performance.control(10, 0, at: 0)
        performance.on(60, at: 0)
        performance.off(60, at: 24_000)
        let recording = try performance.render(40_000)
        #expect(abs(recording.level(4_700..<4_900) - 1) < 0.02, "after the attack \(recording.level(4_700..<4_900))")
        #expect(recording.level(2_300..<2_500) < 0.8)
        #expect(abs(recording.level(20_000..<23_000) - 0.5) < 0.01)
        // From half its level the release ends before its whole time; from there on there is nothing at all.
        #expect(recording.peak(27_000..<27_100) > 0)
        #expect(recording.peak(28_816..<40_000) == 0)
    }

    @Test func afterItsLastNoteTheUnitSleeps() throws {
        for length in [0, 1, 100, 5_000] {
            var performance = Performance()
            for key in [40, 50, 60] {
                performance.on(key, at: 0)
                performance.off(key, at: length)
            }
            let recording = try performance.render(length + 3_000, block: 64)
            #expect(recording.isAsleep && recording.voices == 0)
            #expect(recording.peak((length + 2_000)..<(length + 3_000)) == 0)
        }
    }

    @Test func aHeldNoteThatDecaysToNothingEnds() throws {
        var performance = Performance(["sustain": 0, "decay": 0.05])
        performance.on(60, at: 0)
        let recording = try performance.render(24_000)
        #expect(recording.isAsleep)
    }
}
