import MIDI
import RealtimeCore
import Sequencer
import Testing

/// A transport that plays a loop so often, beside the plan that a render makes of the same song.
@Suite struct CountedLoopTests {
    /// Eight beats of 24 000 frames at 48 kHz with a note on each, which loops over beats 2 to 6.
    private func timeline(_ points: (first: Int64, last: Int64)? = (2, 6)) throws -> Timeline {
        var events = (0..<Int64(8)).flatMap { (beat: Int64) -> [SongEvent] in
            [
                SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0x90, data1: UInt8(60 + beat), data2: 100))),
                SongEvent(tick: beat * 480 + 200, .message(MIDIMessage(status: 0x80, data1: UInt8(60 + beat), data2: 0))),
            ]
        }
        for (beat, text) in points.map({ [($0.first, "loopStart"), ($0.last, "loopEnd")] }) ?? [] {
            events.append(SongEvent(tick: beat * 480, .text(SongText(.marker, text))))
        }
        let track = Track(events: events.sorted { $0.tick < $1.tick }, endTick: 8 * 480)
        return try Timeline(Song(tracks: [track]), sampleRate: 48_000)
    }

    /// A transport and what is heard of it.
    private struct Run {
        var transport: Transport
        var listener = SegmentListener()
        var now = SampleTime.zero

        init(_ timeline: Timeline) { transport = Transport(timeline) }

        mutating func take(_ command: TransportCommand) {
            listener.post(transport.take(command, now: now, lookahead: 0))
        }

        mutating func pass(until end: Int64, step: Int = 7_001) {
            while now.rawValue < end {
                listener.post(transport.advance(now: now, horizon: 24_000))
                now = now + step
            }
        }
    }

    @Test(arguments: [1, 2, 3, 17], [nil, 0.4, 1.0, 7.3] as [Double?])
    func itPlaysWhatThePlanOfARenderPlays(_ rounds: Int, _ fade: Double?) throws {
        for points in [(2, 6), nil, (0, 8), (7, 8)] as [(Int64, Int64)?] {
            let timeline = try timeline(points.map { (first: $0.0, last: $0.1) })
            let plan = SongPlan(timeline, rounds: rounds, fade: fade.map { Int64($0 * 48_000) })
            var planned = SegmentListener(), run = Run(timeline)
            planned.post(plan.stretches)
            run.take(.rounds(.written, count: rounds, fade: fade))
            run.take(.play)
            var end: SampleTime?, fading: Range<SampleTime>?
            while run.transport.state == .playing, run.now.rawValue < plan.end + 480_000 {
                run.listener.post(run.transport.advance(now: run.now, horizon: 24_000))
                (end, fading) = (run.transport.endTime ?? end, run.transport.fading ?? fading)
                run.now = run.now + 7_001
            }
            #expect(run.transport.hasEnded && end?.rawValue == plan.end)
            #expect(fading.map { $0.lowerBound.rawValue..<$0.upperBound.rawValue } == plan.fade)
            let heard = run.listener.onsets(timeline, until: plan.end), wanted = planned.onsets(timeline, until: plan.end)
            #expect(heard.map(\.time) == wanted.map(\.time) && heard.map(\.key) == wanted.map(\.key))
        }
    }

    @Test func aPauseAndASeekKeepTheRoundsThatAreLeft() throws {
        var run = Run(try timeline())
        run.take(.rounds(.written, count: 3, fade: nil))
        run.take(.play)
        run.pass(until: 7 * 24_000)    // in the second round
        run.take(.pause)
        run.pass(until: 20 * 24_000)
        run.take(.play)
        run.pass(until: 22 * 24_000)
        run.take(.seek(.seconds(0.5)))    // the song's second beat
        run.pass(until: 60 * 24_000)
        #expect(run.transport.hasEnded)
        // Beat 6 stands behind the loop: it is played once.
        let keys = run.listener.onsets(run.transport.timeline, until: .max).map(\.key)
        #expect(keys.count { $0 == 66 } == 1 && keys.last == 67)
        // Beat 5 comes with every round: the first, the second, the second again from the seek on, and the third.
        #expect(keys.count { $0 == 65 } == 4)
    }

    @Test func anotherTempoMovesAFadeThatHasNotBegunAndNoOther() throws {
        var run = Run(try timeline())
        run.take(.rounds(.written, count: 1, fade: 10))
        run.take(.play)
        #expect(run.transport.fading?.lowerBound.rawValue == Int64(6 * 24_000))
        run.pass(until: 2 * 24_000, step: 24_000)
        run.take(.tempo(2))
        #expect(run.transport.fading?.lowerBound.rawValue == Int64(4 * 24_000))
        run.pass(until: 5 * 24_000, step: 24_000)
        run.take(.tempo(1))
        #expect(run.transport.fading?.lowerBound.rawValue == Int64(4 * 24_000))
        #expect(run.transport.endTime?.rawValue == Int64(4 * 24_000 + 480_000))
        run.pass(until: 30 * 24_000)
        #expect(run.transport.hasEnded)
    }

    @Test func aSongThatIsPlayedAgainHasAllItsRounds() throws {
        var run = Run(try timeline())
        run.take(.rounds(.written, count: 2, fade: nil))
        for _ in 0..<2 {
            run.take(.play)
            let start = run.now
            run.pass(until: start.rawValue + 14 * 24_000)
            #expect(run.transport.hasEnded)
            let keys = run.listener.onsets(run.transport.timeline, until: .max).filter { $0.time >= start.rawValue }.map(\.key)
            #expect(keys.count == 12)
        }
    }

    @Test func aTransportThatWasForgottenPlaysNoRoundTooMany() throws {
        var run = Run(try timeline())
        run.take(.rounds(.written, count: 3, fade: nil))
        run.take(.play)
        run.now = SampleTime(1_000 * 24_000)
        run.pass(until: 1_040 * 24_000)
        #expect(run.transport.hasEnded)
    }
}
