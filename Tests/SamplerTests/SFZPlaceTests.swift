import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Samplers

/// Music that is played from its middle on: what SFZ instruments remember is as in the whole.
@Suite struct SFZPlaceTests: SFZPlaying {
    /// Expects that music sounds from `second` on as it does there in the whole, and that anything does.
    private func expectEqual(
        _ text: String, _ events: [TimedMusicEvent], from second: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let frame = Int(second * 48_000)
        var chase = Chase(events)
        chase.countsStrikes = true
        let first = chase.index(at: Int64(frame))
        let before = SampleTime(Int64(frame - 1_000))
        let state = chase.prologue(at: first, from: nil).map { TimedMusicEvent(time: before, event: $0) }
        try TinySFZ(text: text).write { path in
            let whole = try SamplerRig(path).play(events, frames: 96_000)
            let part = try SamplerRig(path).play(state + events[first...], frames: 96_000)
            for side in 0..<2 {
                #expect(Array(whole[side][frame...]) == Array(part[side][frame...]), sourceLocation: sourceLocation)
            }
            #expect(part[0][frame...].contains { abs($0) > 0.01 }, sourceLocation: sourceLocation)
        }
    }

    /// Notes of a tenth of a second, and their ends.
    private static func notes(_ keys: [UInt8], channel: (Int) -> UInt8 = { _ in 0 }) -> [TimedMusicEvent] {
        keys.enumerated().flatMap { place, key in
            [
                SamplerRig.message(place * 9_600, 0x90 | channel(place), key, 60 + 9 * UInt8(place)),
                SamplerRig.message(place * 9_600 + 4_800, 0x80 | channel(place), key),
            ]
        }
    }

    /// Regions that take turns, an octave apart.
    private static func turns(_ count: Int, _ opcodes: String = "") -> String {
        (0..<count).map { region("seq_length=\(count) seq_position=\($0 + 1) transpose=\(12 * $0) \(opcodes)") }.joined()
    }

    /// Turns, switches, chance, the velocity before, controllers at first.
    @Test func whatWasStruckBeforeCounts() throws {
        let text =
            "<control> set_cc20=127\n" + Self.region("lokey=40 seq_length=3 seq_position=1 hirand=0.5 volume_oncc20=-6")
            + Self.region("lokey=40 seq_length=3 seq_position=2 sw_vel=previous")
            + Self.region("lokey=40 seq_length=3 seq_position=3 transpose=12 pan_oncc136=100 pitch_random=100")
            + Self.region("lokey=40 sw_last=25 transpose=24 volume=-6")
            + Self.region("hikey=-1 start_locc20=0 start_hicc20=127") + Self.region("hikey=-1 start_locc21=0 start_hicc21=127")
        let keys: [UInt8] = [69, 25, 70, 69, 69, 71, 69, 70]
        try expectEqual(text, Self.notes(keys) + [SamplerRig.message(90_000, 0xB0, 20, 5)], from: 1)
    }

    @Test func membersOfAZoneTakeTheTurnsOfTheirManager() throws {
        let parameter: [(UInt8, UInt8)] = [(101, 0), (100, 6), (6, 3)]
        let zone = parameter.map { SamplerRig.message(0, 0xB0, $0.0, $0.1) }
        let notes = Self.notes([69, 69, 69, 69, 69, 69, 69, 69]) { UInt8(1 + $0 % 3) }
        try expectEqual(Self.turns(3), zone + notes, from: 1)
    }

    @Test func firstAndLegatoNotesTakeTheirOwnTurns() throws {
        let text = Self.turns(2, "trigger=first") + Self.turns(2, "trigger=legato volume=-6")
        // Two keys that overlap, one alone, then all three once more.
        let keys: [(Int, UInt8, UInt8)] = [
            (0, 0x90, 69), (4_800, 0x90, 72), (9_600, 0x80, 69), (9_700, 0x80, 72), (20_000, 0x90, 69), (30_000, 0x80, 69),
        ]
        let events = [0, 48_000].flatMap { start in keys.map { SamplerRig.message(start + $0.0, $0.1, $0.2, 100) } }
        try expectEqual(text, events, from: 1)
    }

    /// An intro of one note and a loop of three, an eighth each, over twenty: as played, and where it enters in its middle.
    @Test func layersTakeTheTurnsOfTheirPlace() throws {
        let markers = [(240, "loopStart"), (960, "loopEnd")].map { SongEvent(tick: $0.0, .text(SongText(.marker, $0.1))) }
        let notes = (Int64(0)..<4).flatMap { place in
            [(place * 240, UInt8(0x90)), (place * 240 + 120, 0x80)].map {
                SongEvent(tick: $0.0, .message(MIDIMessage(status: $0.1, data1: 69, data2: 100)))
            }
        }
        let layer = try SongLayer(Song(tracks: [Track(events: (markers + notes).sorted { $0.tick < $1.tick })]), port: 1)
        func events(start: Int64) throws -> [TimedMusicEvent] {
            let base = Song(tracks: [Track(endTick: 4_800)])
            return try Timeline(base, sampleRate: 48_000, layers: [.init(layer, start: start)]).events.map {
                TimedMusicEvent(time: $0.time, event: $0.event.moved(toPort: 0))
            }
        }
        let whole = try events(start: 0), step = 12_000
        try TinySFZ(text: Self.turns(2)).write { path in
            let sound = try SamplerRig(path).play(whole, frames: 7 * step)[0]
            func part(_ first: Int, _ sound: [Float]) -> [Float] { Array(sound[first * step..<(first + 3) * step]) }
            #expect(part(1, sound) == part(4, sound), "both rounds of the loop")
            #expect(part(0, sound) != part(1, sound))
            // Seven steps before it begins it is in the second of its loop.
            let entered = try SamplerRig(path).play(events(start: 7 * 240), frames: 3 * step)[0]
            #expect(Array(entered[..<(2 * step)]) == Array(sound[2 * step..<4 * step]))
        }
        try expectEqual(Self.turns(2), whole, from: 1.45)
    }

    @Test func controllersOfAPartWithoutNotesStartNothing() throws {
        let text = Self.region("hichan=1") + Self.region("lochan=2 hikey=-1 on_locc20=1 on_hicc20=127 loop_count=20")
        try expectEqual(text, [SamplerRig.message(100, 0xB1, 20, 90)] + Self.notes([69, 69, 69, 69, 69, 69, 69]), from: 1)
    }
}
