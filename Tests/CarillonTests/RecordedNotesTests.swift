import Carillon
import CarillonTestKit
import Glibc
import Graphs
import MIDI
import Patches
import RealtimeCore
import Sequencer
import TestFolders
import Testing

@testable import Sessions

/// What stands in the song of what was played: the keys, or what MIDI units made of them for instruments.
@Suite struct RecordedNotesTests {
    /// A key or note that begins (velocity) or ends (0), and its frame since the first.
    struct Note: Hashable {
        var time: Int
        var key: UInt8
        var velocity: UInt8
    }

    static let arpeggiator: [String: Float] = ["mode": 2, "octaves": 2, "tempo": 133, "division": 3, "gate": 45, "swing": 61]

    /// Keys into an arpeggiator that an instrument hears, and behind it all that `change` makes.
    private static func patch(_ change: (inout Patch) -> Void = { _ in }) -> Patch {
        var patch = Patch()
        var unit = PatchUnit("climber", "arpeggiator")
        unit.parts = PartList(0..<16)
        unit.values = arpeggiator.mapValues { [$0] }
        var keys = PatchUnit("lead", "square-wave", role: .instrument)
        keys.parts = PartList()
        patch.units = [unit, keys, PatchUnit("limiter", "limiter", role: .master)]
        patch.connections = [
            PatchConnection(PatchPort("climber"), to: PatchPort("lead")),
            PatchConnection(PatchPort("lead"), to: PatchPort("limiter")),
        ]
        patch.outputs = [PatchPort("limiter")]
        change(&patch)
        return patch
    }

    private static func session(_ patch: Patch = patch(), _ recorded: RecordedMusic = .keys) throws -> SessionInTime {
        var options = SessionInTime.options
        (options.ports, options.patch, options.recording.music) = (1, patch, recorded)
        return try SessionInTime(options)
    }

    /// Keys and their frames: chords that overlap, at places that are on no slice.
    private static let played: [(time: Int, event: MusicEvent)] = [
        (4_801, .noteOn(60, velocity: 90)), (4_999, .noteOn(64, velocity: 70)), (9_000, .noteOn(67, velocity: 101)),
        (40_003, .noteOff(64)), (41_117, .noteOn(72, velocity: 55)), (80_000, .noteOff(60)), (80_000, .noteOff(67)),
        (90_001, .noteOff(72)),
    ]

    private func play(_ time: SessionInTime, _ events: [(time: Int, event: MusicEvent)] = played) throws {
        for (frame, event) in events { try time.session.receive(event, at: SampleTime(Int64(frame))) }
    }

    /// The tracks of a song that was saved, by name: notes with their frames since the first.
    private func saved(_ session: Session, _ command: (String) -> ControlCommand) throws -> [String: [Note]] {
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        guard case .saved(let path) = try session.perform(command("\(folder)/a.mid")) else { return [:] }
        let song = try SongReader.read(path: path, strict: true).song
        // A tick is a frame.
        #expect(song.division == .ticksPerQuarter(24_000))
        return Dictionary(uniqueKeysWithValues: song.tracks.dropFirst().map { ($0.name, $0.events.compactMap(Self.note)) })
    }

    private static func note(_ event: SongEvent) -> Note? {
        guard case .message(let message) = event.kind, message.beginsNote || message.endsNote else { return nil }
        return Note(time: Int(event.tick), key: message.data1, velocity: message.beginsNote ? message.data2 : 0)
    }

    /// What an arpeggiator makes of the keys, by itself.
    private func made() throws -> [Note] {
        let rig = OfflineRig(channels: 1)
        let node = try rig.add(Arpeggiator.self, startValues: Self.arpeggiator)
        let (recorder, recording) = try rig.listen(to: node)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        for (time, event) in Self.played { rig.send(event, to: node, at: time) }
        rig.render(120_000)
        return recording.events.compactMap { entry in
            guard case .message(let message) = entry.event else { return nil }
            return Note(
                time: entry.time - Self.played[0].time, key: message.data1, velocity: message.beginsNote ? message.data2 : 0)
        }
    }

    @Test(arguments: [1, 3]) func notesAreWhatTheArpeggiatorPlayedToTheTick(_ threads: Int) throws {
        var options = SessionInTime.options
        (options.ports, options.patch, options.device.threads) = (1, Self.patch(), threads)
        let time = try SessionInTime(options)
        try play(time)
        try time.pass(2.5)
        let notes = try saved(time.session) { .saveRecording(path: $0, .notes) }, made = try made()
        #expect(notes == ["climber": made] && made.count > 20)
        let keys = Self.played.compactMap { time, event -> Note? in
            guard case .message(let message) = event else { return nil }
            return Note(time: time - 4_801, key: message.data1, velocity: message.beginsNote ? message.data2 : 0)
        }
        #expect(try saved(time.session) { .saveRecording(path: $0) } == ["Played": keys])
        try time.session.finish()
    }

    @Test(arguments: RecordedMusic.allCases) func theSessionSaysWhichWhereNobodyElseDoes(_ recorded: RecordedMusic) throws {
        let time = try Self.session(Self.patch(), recorded)
        try play(time)
        try time.pass(1)
        let unsaid = try saved(time.session) { .saveRecording(path: $0) }
        #expect(try unsaid == saved(time.session) { .saveRecording(path: $0, recorded) })
        for other in RecordedMusic.allCases where other != recorded {
            #expect(try unsaid != saved(time.session) { .saveRecording(path: $0, other) })
        }
        try time.session.finish()
    }

    /// A key that an instrument hears stands there as it was played; what only a MIDI unit hears stands there as what it became;
    /// what one MIDI unit plays for another is heard by nobody.
    @Test func eachWhoPlaysForAnInstrumentHasATrack() throws {
        let patch = Self.patch { patch in
            patch.units[0].parts = PartList(0..<1)
            var down = PatchUnit("down", "transposer"), soft = PatchUnit("soft", "velocity-curve")
            (down.parts, down.values) = (PartList(1..<3), ["semitones": [-12]])
            (soft.parts, soft.values) = (PartList(), ["fixed": [1], "high": [33]])
            patch.units += [down, soft]
            patch.units[1].parts = PartList(2..<3)
            patch.connections += [
                PatchConnection(PatchPort("down"), to: PatchPort("soft")),
                PatchConnection(PatchPort("soft"), to: PatchPort("lead")),
            ]
        }
        let time = try Self.session(patch)
        try play(
            time,
            [
                (1_000, .noteOn(60, velocity: 90, channel: 2)), (2_001, .noteOn(65, velocity: 91, channel: 3)),
                (3_000, .noteOff(60, channel: 2)), (4_003, .noteOff(65, channel: 3)),
            ])
        try time.pass(1)
        #expect(
            try saved(time.session) { .saveRecording(path: $0, .notes) } == [
                "Played": [Note(time: 1_001, key: 65, velocity: 91), Note(time: 3_003, key: 65, velocity: 0)],
                "soft": [
                    Note(time: 0, key: 48, velocity: 33), Note(time: 1_001, key: 53, velocity: 33),
                    Note(time: 2_000, key: 48, velocity: 0), Note(time: 3_003, key: 53, velocity: 0),
                ],
            ])
        try time.session.finish()
    }

    @Test func whatAUnitHoldsEndsWhereItIsTakenOut() throws {
        var held = Self.patch()
        held.units[0] = PatchUnit("climber", "transposer")
        held.units[0].parts = PartList(0..<16)
        let time = try Self.session(held)
        try play(time, [(1_000, .noteOn(60, velocity: 90))])
        try time.pass(0.5)
        try time.session.apply(
            Self.patch { patch in
                patch.units.removeFirst()
                patch.connections.removeFirst()
                patch.units[0].parts = PartList(0..<16)
            })
        try time.pass(1)
        let notes = try #require(try saved(time.session) { .saveRecording(path: $0, .notes) }["climber"])
        #expect(notes.map(\.key) == [60, 60] && notes.map(\.velocity) == [90, 0])
        #expect((22_000..<30_000).contains(notes[1].time), "when the patch changed, not at the end")
        try time.session.finish()
    }
}
