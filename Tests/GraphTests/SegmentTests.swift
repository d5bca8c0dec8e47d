import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// Segments of a score take over from one another on their frame; no note hangs, and none of the player's ends.
@Suite struct SegmentTests {
    /// A line of what the units heard: the frame, and the message's bytes.
    private struct Heard: Equatable, CustomStringConvertible {
        var time: Int
        var status: UInt8
        var data1: UInt8
        init(_ time: Int, _ status: UInt8, _ data1: UInt8) {
            self.time = time
            self.status = status
            self.data1 = data1
        }
        var description: String { "\(time):\(String(status, radix: 16)) \(data1)" }
    }

    private func rig() throws -> OfflineRig {
        let rig = OfflineRig(recordsScore: true)
        let node = try rig.add(StairsUnit.self)
        for part in 0..<16 { try rig.graph.route(part: part, to: node) }
        try rig.graph.setOutput(node)
        try rig.publish()
        return rig
    }

    private func heard(_ rig: OfflineRig) -> [Heard] {
        #expect(rig.violations.total == 0, "\(rig.violations)")
        var lines: [Heard] = []
        while let event = rig.renderer.nextPerformed() {
            guard case .music(.message(let message)) = event.command.event else { continue }
            lines.append(Heard(Int(event.command.time.rawValue), message.status, message.data1))
        }
        return lines
    }

    private func at(_ time: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 1) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(time)), event: .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    /// Notes on and off in turn, every 10 frames, on keys 0, 1, 2 ...
    private func scale(_ count: Int) -> Score {
        Score((0..<count).flatMap { [at($0 * 10, 0x90, UInt8($0)), at($0 * 10 + 8, 0x80, UInt8($0))] })
    }

    @Test(arguments: [1, 7, 64, 1000]) func aSegmentTakesOverOnItsExactFrame(_ block: Int) throws {
        let rig = try rig(), score = scale(20)
        rig.renderer.play(ScoreSegment(score, start: SampleTime(5)))
        // From note 10 on, after note 2 has begun: its note-off stays behind with the old segment.
        rig.renderer.play(
            ScoreSegment(
                score, start: SampleTime(27), position: 100, events: 20..<40, releases: true,
                prologue: [.message(MIDIMessage(status: 0xB0, data1: 7, data2: 9))]))
        rig.render(60, block: block)
        #expect(
            heard(rig) == [
                Heard(5, 0x90, 0), Heard(13, 0x80, 0), Heard(15, 0x90, 1), Heard(23, 0x80, 1), Heard(25, 0x90, 2),
                Heard(27, 0x80, 2), Heard(27, 0xB0, 7), Heard(27, 0x90, 10), Heard(35, 0x80, 10), Heard(37, 0x90, 11),
                Heard(45, 0x80, 11), Heard(47, 0x90, 12), Heard(55, 0x80, 12), Heard(57, 0x90, 13),
            ])
    }

    @Test func aSegmentWhoseTimeHasPassedTakesOverAtOnce() throws {
        let rig = try rig()
        rig.render(100)
        rig.renderer.play(ScoreSegment(scale(5), start: SampleTime(75), position: 0))
        rig.render(10)
        #expect(heard(rig).map(\.time) == [100, 100, 100, 100, 100, 103, 105])
        #expect(rig.renderer.counters.lateEvents == 5)
    }

    @Test func whatWasScheduledForLaterIsDropped() throws {
        let rig = try rig(), score = scale(3)
        for start in [20, 50, 80] { rig.renderer.play(ScoreSegment(score, start: SampleTime(Int64(start)), events: 0..<1)) }
        rig.renderer.play(ScoreSegment(score, start: SampleTime(40), events: 2..<3))
        rig.render(200, block: 16)
        #expect(heard(rig) == [Heard(20, 0x90, 0), Heard(50, 0x90, 1)])
        // At the very same start the newer wins.
        for key in [0, 2] {
            rig.renderer.play(ScoreSegment(score, start: SampleTime(300), position: Int64(key * 5), events: key..<key + 1))
        }
        rig.render(200, block: 16)
        #expect(heard(rig) == [Heard(300, 0x90, 1)])
    }

    @Test func manySegmentsMayBePostedAhead() throws {
        let rig = try rig(), score = scale(1)
        var posted = 0
        while rig.renderer.play(ScoreSegment(score, start: SampleTime(Int64(posted * 100)), events: 0..<1)) { posted += 1 }
        #expect(posted == 64)
        for _ in 0..<8 { rig.render(800, block: 50) }
        #expect(heard(rig).map(\.time) == (0..<64).map { $0 * 100 })
    }

    @Test func theRateIsExactAndNeverDrifts() throws {
        let rig = try rig()
        let times = (0..<50).map { $0 * 97 }
        let rate = try #require(PlaybackRate(7, over: 3))
        let score = Score(times.map { at($0, 0x90, 1) })
        rig.renderer.play(ScoreSegment(score, start: SampleTime(11), position: 97, rate: rate, events: 1..<50))
        rig.render(3000, block: 33)
        let wanted = times.dropFirst().map { 11 + Int((Double($0 - 97) * 3 / 7).rounded()) }
        #expect(heard(rig).map(\.time) == wanted)
    }

    @Test func theRateDoesNotOverflow() throws {
        for (a, b) in [(Int64(1), Int64(1)), (1_000_000_000, 1), (1, 1_000_000_000), (999_999_937, 1_000_000_000)] {
            let rate = try #require(PlaybackRate(a, over: b))
            for frames: Int64 in [0, 1, 12_345, 1 << 40, 1 << 61, .max] {
                #expect(rate.clockFrames(ofScore: frames) >= 0)
                let there = rate.clockFrames(ofScore: frames)
                if frames < 1 << 30 && a <= b { #expect(rate.scoreFrames(ofClock: there) == frames) }
            }
            #expect(rate.clockFrames(ofScore: -3 * rate.numerator) == -3 * rate.denominator)
        }
        #expect(PlaybackRate(nearest: 0.5) == PlaybackRate(1, over: 2))
        #expect(PlaybackRate(nearest: 1.1) == PlaybackRate(11, over: 10))
        #expect(PlaybackRate(nearest: .nan) == .nominal && PlaybackRate(0, over: 1) == nil)
        #expect(PlaybackRate(nearest: 1e300).factor == 1000)
    }

    @Test func aLoopPostedAheadHasNoSeam() throws {
        let rig = try rig(), score = scale(4)
        for round in 0..<10 {
            let start = SampleTime(Int64(round * 40))
            rig.renderer.play(ScoreSegment(score, start: start, releases: round > 0))
        }
        rig.render(400, block: 37)
        #expect(heard(rig).filter { $0.status == 0x90 }.map(\.time) == (0..<40).map { $0 * 10 })
    }

    // MARK: Transposition and releases

    @Test func transpositionLeavesDrumsAloneAndDropsKeysThatAreNone() throws {
        let rig = try rig()
        let score = Score([
            at(0, 0x90, 60), at(1, 0x99, 36), at(2, 0x91, 120), at(3, 0xB2, 84, 50), at(4, 0x80, 60), at(5, 0x89, 36),
            at(6, 0x81, 120),
            TimedMusicEvent(time: SampleTime(7), event: .partMode(.drums, port: 0, channel: 3)),
            TimedMusicEvent(time: SampleTime(8), event: .partMode(.melodic, port: 0, channel: 9)),
            at(9, 0x93, 40), at(10, 0x99, 41),
            TimedMusicEvent(time: SampleTime(11), event: .reset(.gs, port: 0)), at(12, 0x93, 42), at(13, 0x99, 43),
        ])
        rig.renderer.play(ScoreSegment(score, start: .zero, transpose: 12))
        rig.render(100, block: 5)
        #expect(
            heard(rig) == [
                Heard(0, 0x90, 72), Heard(1, 0x99, 36), Heard(3, 0xB2, 84), Heard(4, 0x80, 72), Heard(5, 0x89, 36),
                Heard(9, 0x93, 40), Heard(10, 0x99, 53), Heard(12, 0x93, 54), Heard(13, 0x99, 43),
            ])
    }

    @Test func aDrumPartMadeByALiveEventIsKnown() throws {
        let rig = try rig()
        #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: .partMode(.drums, port: 0, channel: 0))))
        rig.renderer.play(ScoreSegment(Score([at(5, 0x90, 60)]), start: .zero, transpose: 5))
        rig.render(10)
        #expect(heard(rig) == [Heard(5, 0x90, 60)])
    }

    @Test func aNoteEndsAsItBeganWhenTheTranspositionChanges() throws {
        let rig = try rig()
        let score = Score([
            at(0, 0x90, 60), at(0, 0x90, 61), at(0, 0x90, 120), at(30, 0x80, 60), at(31, 0x90, 61), at(32, 0x80, 120),
            at(40, 0x90, 61, 0), at(41, 0x90, 60), at(50, 0x80, 60),
        ])
        rig.renderer.play(ScoreSegment(score, start: .zero, transpose: 2))
        rig.renderer.play(ScoreSegment(score, start: SampleTime(20), position: 20, events: 3..<9, transpose: 12))
        rig.render(100, block: 9)
        #expect(
            heard(rig) == [
                Heard(0, 0x90, 62), Heard(0, 0x90, 63), Heard(0, 0x90, 122),
                Heard(30, 0x80, 62),    // ends as it began
                Heard(31, 0x80, 63), Heard(31, 0x90, 73),    // struck again at another shift: the old one ends
                Heard(32, 0x80, 122), Heard(40, 0x90, 73), Heard(41, 0x90, 72), Heard(50, 0x80, 72),
            ])
    }

    @Test func aReleasingSwitchEndsTheScoresNotesAndNoOthers() throws {
        let rig = try rig()
        #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: .note(key: 50))))
        let score = Score([
            at(0, 0x90, 60), at(0, 0x9F, 127), at(1, 0x93, 0), at(2, 0x94, 64), at(3, 0x84, 64), at(4, 0x95, 1),
            at(5, 0xB5, 123, 0), at(30, 0x80, 60), at(31, 0x90, 61), at(32, 0x80, 61),
        ])
        rig.renderer.play(ScoreSegment(score, start: .zero))
        rig.renderer.play(ScoreSegment(score, start: SampleTime(20), position: 20, events: 7..<10, releases: true))
        rig.render(100, block: 9)
        let lines = heard(rig).filter { $0.time >= 20 }
        // The note-off at 30 belongs to a note that the switch has ended: somebody may be holding that key by now.
        #expect(
            lines == [
                Heard(20, 0x80, 60), Heard(20, 0x83, 0), Heard(20, 0x8F, 127), Heard(31, 0x90, 61), Heard(32, 0x80, 61),
            ])
    }

    @Test func whateverTheSwitchesNoNoteHangs() throws {
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed: seed)
            let rig = try rig()
            var events: [TimedMusicEvent] = []
            for _ in 0..<400 {
                let time = Int.random(in: 0..<4000, using: &random), key = UInt8.random(in: 90...127, using: &random)
                let channel = UInt8.random(in: 8...9, using: &random)
                events.append(at(time, 0x90 | channel, key))
                events.append(at(time + Int.random(in: 1...300, using: &random), 0x80 | channel, key))
            }
            events = events.enumerated().sorted {
                ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
            }.map(\.element)
            let score = Score(events)
            var now = 0
            while now < 4000 {
                let index = Int.random(in: 0..<events.count, using: &random), isJump = Bool.random(using: &random)
                let first = isJump ? index : events.firstIndex { $0.time >= SampleTime(Int64(now)) } ?? events.count
                rig.renderer.play(
                    ScoreSegment(
                        score, start: SampleTime(Int64(now)), position: isJump ? events[index].time.rawValue : Int64(now),
                        events: first..<events.count, transpose: Int.random(in: -48...48, using: &random), releases: isJump))
                let length = Int.random(in: 1...300, using: &random)
                rig.render(length, block: 64)
                now += length
            }
            rig.renderer.play(ScoreSegment(score, start: SampleTime(Int64(now)), events: 0..<0, releases: true))
            rig.render(10)
            var sounding: Set<Int> = []
            for line in heard(rig) {
                let note = Int(line.status & 15) * 128 + Int(line.data1)
                #expect(line.data1 <= 127)
                if line.status & 0xF0 == 0x90 { sounding.insert(note) } else { sounding.remove(note) }
            }
            #expect(sounding.isEmpty, "seed \(seed)")
        }
    }
}
