import Carillon
import MIDI
import Patches
import Sequencer
import TestFolders
import Testing

@testable import EngineCore
@testable import Sessions

/// Entries of a set list with songs, tempo, meter, count-in and level.
@Suite(.serialized) struct SetListEntryTests {
    private static let songs = [
        SessionInTime.listed(8, beatFrames: 24_000), SessionInTime.listed(8, key: 72, beatFrames: 24_000),
    ]

    private static func options(waits: Bool = true) -> LiveOptions {
        var options = SetListSamples.options((0..<3).map { _ in KeysAndSongsTests.patch })
        options.patches[0].song = 1
        (options.patches[0].tempo, options.patches[0].countIn, options.patches[0].goesOn) = (240, 1, true)
        (options.patches[0].level, options.patches[1].level) = (3, -6)
        options.patches[1].song = 2
        options.patches[2].meter = Meter(text: "7/8")
        options.songsWait = waits
        return options
    }

    /// The entry's song is counted in, plays in the entry's tempo, and the next entry goes on from its end in its own.
    @Test(arguments: [true, false]) func anEntryBeginsWithItsSong(_ waits: Bool) throws {
        let time = try SessionInTime(Self.options(waits: waits), Self.songs), session = time.session
        if waits {
            try time.pass(0.5)
            #expect(time.transport?.song == "song of 60" && time.transport?.isPlaying == false && time.onsets.isEmpty)
            try session.perform(.togglePlay)
        }
        let from = session.sampleTime.rawValue
        try time.pass(0.8)
        #expect(time.onsets.isEmpty && session.snapshot.metronome?.countIn == 1)
        try time.pass(2)
        #expect(time.transport?.tempo == 240 && time.onsets.count == 8 && (48_000..<53_000).contains(time.onsets[0].time - from))
        #expect(time.onsets[7].time - time.onsets[0].time == 7 * 12_000)
        #expect(try time.pass(atMost: 2) { session.snapshot.patches?.name == "patch 2" && time.onsets.count > 8 })
        try time.pass(1)
        #expect(time.transport?.tempo == 120 && time.transport?.song == "song of 72" && session.snapshot.metronome?.countIn == 0)
        #expect(time.onsets.last?.key == 72)
        // Its own song is the last that plays by itself.
        #expect(try time.pass(atMost: 6) { time.transport?.hasEnded == true })
        try time.pass(1)
        #expect(session.snapshot.patches?.name == "patch 2" && time.transport?.next == nil)
        try session.finish()
    }

    /// An entry without song and tempo has the usual tempo, also beside a song that waits for another entry.
    @Test func aTempoIsThatOfTheEntry() throws {
        var options = Self.options()
        (options.patches[0].song, options.patches[0].tempo) = (nil, nil)
        options.patches[1].tempo = 90
        let time = try SessionInTime(options, Self.songs), session = time.session
        try time.pass(0.3)
        #expect(session.snapshot.tempo == 120)
        try session.perform(.patch(.next))
        try time.pass(0.3)
        #expect(session.snapshot.tempo == 90)
        try session.perform(.patch(.number(1)))
        try time.pass(0.3)
        #expect(session.snapshot.tempo == 120)
        try session.finish()
    }

    /// Loops that no file has stay where an entry has loops of its own; saved ones give way, also to a file that came later.
    @Test func unsavedLoopsStay() throws {
        let place = TemporaryFolder(), mine = place.file("mine")
        defer { withExtendedLifetime(place) {} }
        var options = Self.options()
        options.device.loopSeconds = 4
        options.patches[0].countIn = nil
        options.patches[1].loops = mine
        let time = try SessionInTime(options, Self.songs), session = time.session
        func record(_ track: Int) throws {
            for action in ["record", "play"] {
                try session.perform(LooperSessionTests.command(action, track))
                try time.pass(1)
            }
        }
        func states() -> [String] { session.snapshot.loops.prefix(2).map(\.state) }
        try record(1)
        try session.perform(.saveLoops(mine))
        try time.pass(1)
        try record(2)
        try session.perform(.patch(.next))
        try time.pass(0.5)
        #expect(states() == ["playing", "playing"])
        #expect(session.takeNotices().contains { $0.contains("mine.yaml stay out") })
        try session.perform(.saveLoops(place.file("both")))
        try time.pass(1)
        try session.perform(.patch(.number(1)))
        try time.pass(0.5)
        try session.perform(.patch(.next))
        try time.pass(0.5)
        #expect(states() == ["stopped", "empty"])
        try session.finish()
    }

    @Test func aSongWaitsWhereItsEntryIsSelectedAndGoesOnWhereAnEntryHasNone() throws {
        let time = try SessionInTime(Self.options(), Self.songs), session = time.session
        try session.perform(.patch(.next))
        try time.pass(0.3)
        #expect(time.transport?.song == "song of 72" && time.transport?.isPlaying == false)
        try session.perform(.play)
        try time.pass(0.6)
        try session.perform(.patch(.number(3)))
        try time.pass(0.3)
        #expect(session.snapshot.patches?.name == "patch 3" && time.transport?.isPlaying == true)
        #expect(session.snapshot.metronome?.beats == 7 && session.snapshot.metronome?.unit == 8)
        try session.perform(.patch(.number(2)))
        try time.pass(0.3)
        #expect(time.transport?.isPlaying == false && time.transport?.seconds == 0 && session.snapshot.metronome?.beats == 4)
        #expect(time.held[72] ?? 0 == 0)
        try session.finish()
    }

    /// The song of a later entry does not begin in one that has none.
    @Test func anEntryWithoutASongStartsNone() throws {
        var options = Self.options()
        (options.patches[0].song, options.patches[0].tempo) = (nil, nil)
        let time = try SessionInTime(options, Self.songs), session = time.session
        for request in [.togglePlay, .next, .seek(.seconds(1))] as [ControlCommand] {
            #expect(throws: Fault.self) { try session.perform(request) }
        }
        try time.pass(1)
        #expect(time.transport == nil && time.onsets.isEmpty)
        for place in [.next, .previous, .next] as [PatchPlace] {
            try session.perform(.patch(place))
            try time.pass(0.3)
            #expect(time.transport?.song == (place == .next ? "song of 72" : nil))
        }
        try session.perform(.togglePlay)
        try time.pass(1)
        #expect(time.transport?.isPlaying == true && time.onsets.first?.key == 72)
        try session.finish()
    }

    /// The volume is the session's; the level of an entry comes on top of it.
    @Test func theVolumeStaysWhenThePatchChanges() throws {
        let time = try SessionInTime(Self.options(), Self.songs), session = time.session
        try session.perform(.volume(-12))
        try time.pass(0.2)
        for (place, level) in [(PatchPlace.next, -18.0), (.previous, -9), (.next, -18)] {
            try session.perform(.patch(place))
            try time.pass(0.3)
            #expect(try session.snapshot.volume == -12 && Double(session.engine.value("mixer.volume")) == level)
        }
        try session.finish()
    }

    @Test func anEntryHasALevelOfItsOwnAndNeedsNoPatch() throws {
        var options = Self.options()
        options.patches.append(ListedPatch("keys"))
        let time = try SessionInTime(options, Self.songs), session = time.session
        #expect(try session.engine.value("mixer.volume") == 3 && session.snapshot.volume == 0)
        try session.perform(.patch(.next))
        try time.pass(0.3)
        #expect(try session.engine.value("mixer.volume") == -6 && session.snapshot.volume == 0)
        try session.perform(.patch(.named("keys")))
        try time.pass(0.3)
        #expect(session.snapshot.patches?.name == "keys" && session.snapshot.volume == 0)
        try session.receive(.noteOn(64))
        try time.pass(0.2)
        #expect(session.counters.unheardEvents == 0 && session.snapshot.levels.contains { $0.peak > -40 })
        try session.receive(.noteOff(64))
        try session.finish()
    }

    /// A patch with two scenes.
    private static var sceneries: Patch {
        var patch = KeysAndSongsTests.patch
        patch.scenes = ["soft", "loud"].map { Scene($0) }
        return patch
    }

    /// A part calls its scene, goes to its marker and shows its words; a marker that the song passes begins its part.
    @Test func partsAreSteppedByRequestsAndByMarkers() throws {
        var song = SessionInTime.song(16, beatFrames: 24_000)
        var markers = Track(name: "markers")
        markers.events = [(0, "A"), (1920, "B"), (3840, "A")].map { SongEvent(tick: $0, .text(SongText(.marker, $1))) }
        markers.endTick = 3840
        song.tracks.append(markers)
        var options = SetListSamples.options([Self.sceneries, Self.sceneries])
        options.patches[0].song = 1
        options.patches[0].sheet = EntrySheet(
            try ChordSheet("{t: Title}\n[Verse]\none\n\n[Chorus]\n[C]two"),
            parts: [
                .init(name: "Verse", scene: "soft", marker: "a"), .init(name: "Chorus", scene: "loud", marker: "B"),
                .init(name: "Coda"),
            ])
        options.songsWait = true
        let time = try SessionInTime(options, [SessionSong(name: "marked", song: song)]), session = time.session
        var shown: [String?] { [session.snapshot.text?.part, session.snapshot.scene] }
        #expect(session.snapshot.text?.title == "Title" && session.snapshot.text?.lines.map(\.words) == ["one"])
        #expect(session.snapshot.text?.ahead == [.init(chords: "C", words: "two")] && shown == ["Verse", nil])
        try session.perform(.nextPart)
        try time.pass(0.1)
        #expect(shown == ["Chorus", "loud"] && time.transport?.seconds == 2 && time.transport?.isPlaying == false)
        try session.perform(.previousPart)
        try session.perform(.previousPart)
        try session.perform(.play)
        try time.pass(0.3)
        #expect(shown == ["Verse", "soft"] && session.snapshot.text?.number == 1)
        #expect(try time.pass(atMost: 3) { shown == ["Chorus", "loud"] } && time.transport?.marker == "B")
        #expect(try time.pass(atMost: 3) { shown == ["Verse", "soft"] } && time.transport?.marker == "A")
        try session.perform(.part("coda"))
        #expect(shown == ["Coda", "soft"] && session.snapshot.text?.lines.isEmpty == true)
        #expect(throws: Fault.self) { try session.perform(.part("bridge")) }
        try session.perform(.patch(.next))
        try time.pass(0.2)
        #expect(session.snapshot.text == nil)
        #expect(throws: Fault.noParts) { try session.perform(.nextPart) }
        try session.finish()
    }

    /// A song that plays keeps no entry waiting for lifted keys; its meter goes on where an entry has no song, and a metronome that was
    /// asked for at the start clicks.
    @Test func aSongHoldsNoKeysAndKeepsItsMeter() throws {
        var options = Self.options()
        options.list.changes = .keysUp
        options.patches[1].meter = Meter(text: "3/4")
        options.patches[2].meter = nil
        let time = try SessionInTime(options, Self.songs), session = time.session
        try session.perform(.metronome(true, tempo: 100))
        try session.perform(.tempo(110))
        try time.pass(0.2)
        #expect(session.snapshot.metronome?.isRunning == true && session.snapshot.metronome?.tempo == 110)
        try session.perform(.patch(.next))
        try time.pass(0.2)
        try session.perform(.play)
        #expect(try time.pass(atMost: 2) { time.held[72] == 1 })
        try session.perform(.patch(.number(3)))
        try time.pass(0.1)
        #expect(session.snapshot.patches?.name == "patch 3" && session.snapshot.metronome?.beats == 3)
        #expect(time.transport?.isPlaying == true)
        #expect(try time.pass(atMost: 8) { time.transport?.isPlaying != true })
        try time.pass(0.3)
        #expect(session.snapshot.metronome?.beats == 4)
        try session.finish()
    }

    /// The output fades, whether a patch has a mixer at its end or none.
    @Test(arguments: [true, false]) func theOutputFades(_ hasMixer: Bool) throws {
        let patch = hasMixer ? SetListSamples.bells() : KeysAndSongsTests.patch
        let time = try SessionInTime(SetListSamples.options([patch, patch])), session = time.session
        try session.perform(.fade(to: -20, over: 0.5))
        try time.pass(0.7)
        #expect(abs(session.snapshot.volume + 20) < 0.1)
        try session.finish()
    }

    /// A list says when a requested entry plays; a program and a request obey it, a request with a time of its own does not.
    @Test func anEntryWaitsForLiftedKeysOrTheBar() throws {
        var options = SetListSamples.options((0..<4).map { _ in SetListSamples.bells() })
        options.list.changes = .keysUp
        let time = try SessionInTime(options), session = time.session
        try session.receive(.noteOn(60))
        try time.pass(0.1)
        for _ in 0..<2 { try session.perform(.patch(.next)) }
        try time.pass(0.5)
        #expect(session.snapshot.patches?.number == 1 && session.snapshot.patches?.wanted == "patch 3")
        try session.receive(.noteOff(60))
        try time.pass(0.1)
        #expect(session.snapshot.patches?.number == 3 && session.snapshot.patches?.wanted == nil)
        options.list.changes = .bar
        let bars = try SessionInTime(options)
        // Nothing plays: at once.
        try bars.session.perform(.patch(.next))
        try bars.pass(0.2)
        #expect(bars.session.snapshot.patches?.number == 2)
        try bars.session.perform(.metronome(true, tempo: 120))
        try bars.pass(0.5)
        try bars.session.perform(.patch(.next))
        try bars.pass(0.5)
        #expect(bars.session.snapshot.patches?.number == 2)
        #expect(try bars.pass(atMost: 1.2) { bars.session.snapshot.patches?.number == 3 })
        try bars.session.receive(.noteOn(60))
        try bars.pass(0.1)
        try bars.session.perform(.nextPatchAtKeysUp)
        try bars.pass(3)
        #expect(bars.session.snapshot.patches?.number == 3)
        try bars.session.receive(.noteOff(60))
        #expect(try bars.pass(atMost: 0.2) { bars.session.snapshot.patches?.number == 4 })
        for session in [session, bars.session] { try session.finish() }
    }

    /// At a marker of the song a patch and a scene come on its frame.
    @Test func aPatchComesOnTheMarkerToTheFrame() throws {
        var song = SessionInTime.song(16, beatFrames: 24_000), options = Self.options()
        song.tracks[0].events.append(SongEvent(tick: 5 * 480, .text(SongText(.marker, "B"))))
        song.tracks[0].events.sort { $0.tick < $1.tick }
        options.patches = Array(options.patches.prefix(2))
        (options.patches[0].countIn, options.patches[0].tempo, options.patches[1].song) = (nil, nil, nil)
        let time = try SessionInTime(options, [SessionSong(name: "song", song: song)]), session = time.session
        try session.perform(.play)
        #expect(try time.pass(atMost: 1) { time.onsets.count == 1 })
        let marker = try session.core.boundary(.marker)
        #expect(marker.rawValue == time.onsets[0].time + 5 * 24_000)
        try session.perform(.nextPatch(at: .marker))
        while session.sampleTime + 4_000 < marker { try time.pass(0.01) }
        var ports: [UInt8: UInt8] = [:]
        session.onPerformance = { performance in
            for entry in performance.entries {
                guard case .music(.message(let message)) = entry.event, message.beginsNote else { continue }
                ports[message.data1] = message.port
            }
        }
        for (key, frame) in [(80, -1), (81, 0), (82, 1)] as [(UInt8, Int)] {
            try session.receive(.noteOn(key), at: marker + frame)
        }
        try time.pass(0.5)
        #expect(ports[80] != ports[81] && ports[81] == ports[82] && ports.count >= 3, "\(ports)")
        #expect(session.snapshot.patches?.number == 2)
        // There is no further one.
        #expect(throws: Fault.self) { try session.perform(.nextPatch(at: .marker)) }
        try session.finish()
    }

    /// The entries play again with what they are, and the tempo that was asked for at the start holds.
    @Test func aListThatRepeatsPlaysItsEntries() throws {
        var options = Self.options(waits: false)
        options.patches[0].goesOn = false
        options.list.keepsTempo = true
        let time = try SessionInTime(options, Self.songs), session = time.session
        try session.perform(.repeats(.all))
        try session.perform(.tempo(2))
        for (name, song) in [("patch 1", "song of 60"), ("patch 2", "song of 72"), ("patch 1", "song of 60")] {
            #expect(
                try time.pass(atMost: 8) {
                    session.snapshot.patches?.name == name && time.transport?.song == song && time.transport?.isPlaying == true
                }, "\(name)")
            #expect(time.transport?.tempo == 240 && time.transport?.next == nil)
        }
        try session.perform(.repeats(.off))
        #expect(try time.pass(atMost: 8) { time.transport?.hasEnded == true })
        try time.pass(1)
        #expect(session.snapshot.patches?.name == "patch 1")
        try session.finish()
    }

    /// Entries are added, moved, changed and taken away while one plays.
    @Test func anotherVersionOfTheListIsTaken() throws {
        let options = Self.options(),
            songs = ["one.mid", "two.mid", "new.mid"].map { path in
                SessionSong(name: path, song: SessionInTime.song(8, key: path == "new.mid" ? 90 : 60, beatFrames: 24_000))
            }
        let time = try SessionInTime(options, Array(songs[0..<2])), session = time.session
        try session.perform(.play)
        try session.perform(.set("mixer.volume=-9 dB"))
        try time.pass(0.5)
        var new = ListedPatch("new", SetListSamples.bells()), kept = options.patches[0]
        (new.song, kept.song, kept.sheet) = (1, 2, EntrySheet(try ChordSheet("words"), parts: []))
        let onsets = time.onsets.count
        try session.exchange(list: [new, options.patches[2], kept], songs: [songs[2], songs[0]], changes: .now)
        try time.pass(0.6)
        #expect(session.snapshot.patches?.number == 3 && session.snapshot.patches?.count == 3 && time.onsets.count > onsets)
        #expect(time.transport?.song == "one.mid" && time.transport?.isPlaying == true && session.snapshot.volume == -12)
        #expect(session.snapshot.text?.lines.first?.words == "words" && session.playlist?.items.count == 2)
        try session.perform(.patch(.named("new")))
        try time.pass(0.2)
        #expect(time.transport?.song == "new.mid" && session.snapshot.patches?.next == "patch 3")
        // What plays is in the list no more.
        try session.exchange(list: [kept, options.patches[2]], songs: [songs[2], songs[0]], changes: .now)
        #expect(session.snapshot.patches?.name == "new" && session.snapshot.patches?.number == 3)
        try session.perform(.patch(.number(1)))
        try time.pass(0.3)
        #expect(time.transport?.song == "one.mid")
        try session.perform(.lock(true))
        #expect(throws: Fault.locked) { try session.exchange(list: [kept], songs: [], changes: .now) }
        try session.finish()
    }
}
