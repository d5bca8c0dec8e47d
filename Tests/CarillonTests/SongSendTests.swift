import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Channels of songs that ports outside play: on time with what is heard, silent inside, and no key is left down.
@Suite struct SongSendTests {
    /// Notes on channel 1, inside, and the same on channel 2, outside, with a program and a pedal.
    private static func song(_ beats: Int, key: UInt8, beatFrames: Int = 4_801) -> Song {
        var inside = SessionInTime.song(beats, key: key, beatFrames: beatFrames).tracks[0]
        let outside = SessionInTime.song(beats, key: key + 12, beatFrames: beatFrames, channel: 1).tracks[0]
        inside.events +=
            [
                SongEvent(tick: 0, .message(MIDIMessage(status: 0xC1, data1: 19))),
                SongEvent(tick: 120, .message(MIDIMessage(status: 0xB1, data1: 64, data2: 127))),
            ] + outside.events.dropFirst()
        inside.events.sort { $0.tick < $1.tick }
        return Song(tracks: [inside])
    }

    private static var options: LiveOptions {
        var options = SessionInTime.options
        options.connections.sends = [SongSend([2], to: "Bells")]
        return options
    }

    private func sent(_ time: SessionInTime, _ kind: MIDIMessage.Kind) -> [StampedMIDIMessage] {
        time.outlet.scheduled.filter { $0.message.kind == kind && (kind != .noteOn || $0.message.data2 > 0) }
    }

    /// Nothing that goes out is out of order, doubled or left down; each beginning has its end.
    private func check(_ messages: [StampedMIDIMessage], _ what: String) {
        var down: Set<UInt8> = [], last = Int64.min
        for stamped in messages {
            #expect(stamped.nanoseconds >= last, "\(what)")
            last = stamped.nanoseconds
            let key = stamped.message.data1
            switch stamped.message.kind {
            case .noteOn where stamped.message.data2 > 0: #expect(down.insert(key).inserted, "\(what): \(key) twice")
            case .noteOn, .noteOff: #expect(down.remove(key) != nil, "\(what): \(key) was not down")
            default: break
            }
        }
        #expect(down.isEmpty, "\(what): \(down) down")
    }

    @Test func notesGoOutWhenTheyAreHeardAndAreSilentInside() throws {
        let time = try SessionInTime(
            Self.options,
            [
                SessionSong(name: "a", song: Self.song(20, key: 60)), SessionSong(name: "b", song: Self.song(20, key: 62)),
            ])
        #expect(time.outlet.outputs.map(\.name) == ["Bells"])
        #expect(try time.pass { time.session.isOver })
        let status = try #require(time.port.status.time), inside = time.onsets.map(\.time), outside = sent(time, .noteOn)
        #expect(inside.count == 40 && time.onsets.allSatisfy { $0.key == 60 || $0.key == 62 })
        #expect(outside.count == 40 && outside.allSatisfy { $0.message.channel == 1 && $0.message.output == 0 })
        #expect(outside.map(\.message.data1) == Array(repeating: 72, count: 20) + Array(repeating: 74, count: 20))
        let latency = time.session.graph.latency
        for (on, frame) in zip(outside, inside) {
            let heard = status.nanoseconds(at: SampleTime(frame) + latency)
            #expect(abs(on.nanoseconds - heard) < 30_000, "\(on.nanoseconds - heard) ns")
        }
        #expect(sent(time, .programChange).map(\.message.data1).contains(19))
        try time.session.finish()
        check(time.outlet.scheduled, "the end")
    }

    @Test(arguments: 1...8) func whereverTheMusicGoesNoKeyStaysDown(_ seed: UInt64) throws {
        let time = try SessionInTime(
            Self.options,
            [
                SessionSong(name: "a", song: Self.song(900, key: 60)), SessionSong(name: "b", song: Self.song(30, key: 50)),
            ])
        var random = SeededRandom(seed: seed)
        let steps: [ControlCommand] = [
            .seek(.bar(31)), .tempo(1.7), .pause, .play, .seek(.bySeconds(-2)), .seek(.byBars(5)), .tempo(0.6), .stop, .play,
            .transpose(3), .transpose(-5), .next, .previous, .repeats(.all), .seek(.bySeconds(0.3)),
        ]
        for _ in 0..<80 {
            try time.session.perform(try #require(steps.randomElement(using: &random)))
            try time.pass(Double.random(in: 0...0.6, using: &random))
        }
        try time.session.perform(.play)
        let count = sent(time, .noteOn).count
        try time.pass(2)
        #expect(sent(time, .noteOn).count > count)
        try time.session.finish()
        check(time.outlet.scheduled, "seed \(seed)")
        // The pedal is up.
        let pedals = time.outlet.scheduled.filter { $0.message.kind == .controlChange && $0.message.data1 == 64 }
        #expect(pedals.last?.message.data2 == 0)
    }

    @Test func afterAllThatItIsOnTheBeatAgain() throws {
        let time = try SessionInTime(Self.options, [SessionSong(name: "a", song: Self.song(900, key: 60))])
        try time.pass(1)
        try time.session.perform(.tempo(1.31))
        try time.session.perform(.seek(.bar(20)))
        try time.session.perform(.transpose(5))
        try time.pass(1)
        let from = time.session.sampleTime
        try time.pass(4)
        let status = try #require(time.port.status.time), latency = time.session.graph.latency
        let heard = time.onsets.filter { $0.time > from.rawValue && $0.time < from.rawValue + 96_000 }
            .map { status.nanoseconds(at: SampleTime($0.time) + latency) }
        let outside = sent(time, .noteOn).filter { on in heard.contains { abs($0 - on.nanoseconds) < 30_000 } }
        #expect(heard.count > 20 && outside.count == heard.count && outside.allSatisfy { $0.message.data1 == 77 })
        try time.session.finish()
    }

    @Test func moreThanAQueueHoldsComesInTurn() throws {
        // A thousand notes within a tenth of a second.
        var track = Track()
        for place in 0..<1000 {
            let key = UInt8(place % 100), tick = Int64(place) / 5
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x91, data1: key, data2: 80))))
            track.events.append(SongEvent(tick: tick + 3, .message(MIDIMessage(status: 0x81, data1: key, data2: 0))))
        }
        track.events.sort { $0.tick < $1.tick }
        track.endTick = 1920
        let time = try SessionInTime(Self.options, [SessionSong(name: "dense", song: Song(tracks: [track]))])
        try time.pass(2.5)
        #expect(sent(time, .noteOn).count > 900)
        try time.session.finish()
        check(time.outlet.scheduled, "dense")
    }

    @Test func channelsAreReadAsPeopleWriteThem() {
        #expect(SongSend.channels("10") == [10] && SongSend.channels("1-3, 16") == [1, 2, 3, 16])
        for text in ["", "0", "3-1", "257", "a", "1-2-3", "-4", "1,"] { #expect(SongSend.channels(text) == nil, "\(text)") }
        var options = Self.options
        options.connections.sends = [SongSend([2], to: "any")]
        #expect(throws: Fault.self) { try options.check() }
        options.connections.sends = [SongSend([300], to: "Bells")]
        #expect(throws: Fault.self) { try options.check() }
    }
}
