import AudioFiles
import Glibc
import Graph
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Carillon

/// A session in real time, without a device: what it does is waited for, never longer than some seconds.
@Suite(.serialized) struct LiveSessionTests {
    private func options() -> LiveOptions {
        var options = LiveOptions()
        options.devices = ["null"]
        options.instrument = .squareWave
        options.ports = 0
        return options
    }

    /// A song of quarter notes, the first on the first beat.
    private func song(_ notes: Int, beatFrames: Int = 4_800) -> SessionSong {
        var track = Track(name: "beats")
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: UInt32(beatFrames * 1_000_000 / 48_000)))]
        for beat in 0..<notes {
            let tick = Int64(beat) * 480
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100))))
            track.events.append(SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: 60, data2: 0))))
        }
        track.endTick = Int64(notes) * 480
        return SessionSong(name: "beats", song: Song(tracks: [track]))
    }

    private func wait(
        _ session: LiveSession, seconds: Double = 10, until condition: () -> Bool
    ) throws -> Bool {
        let deadline = ContinuousClock().now + .milliseconds(Int(seconds * 1000))
        while ContinuousClock().now < deadline {
            try session.maintain()
            if condition() { return true }
            usleep(2_000)
        }
        return false
    }

    @Test func aSongIsPlayedToItsEndAndTheSessionIsOver() throws {
        let session = try LiveSession(options(), songs: [song(4)])
        try session.start()
        #expect(try wait(session) { session.snapshot.notes == [.init(channel: 1, key: 60)] })
        #expect(try wait(session) { session.isOver })
        let transport = try #require(session.snapshot.transport)
        #expect(!transport.isPlaying && session.snapshot.notes.isEmpty)
        try session.finish()
    }

    @Test(arguments: [[2], [1, 2]]) func everyChannelHasALevelOfItsOwn(_ channels: [Int]) throws {
        var options = options()
        options.instrument = .soundFont([RenderedSong.soundFont])
        var track = Track(name: "the last channel loudest")
        for channel in channels {
            let status = UInt8(0x90 + channel - 1), isLast = channel == channels.last
            track.events += [
                SongEvent(tick: 0, .message(MIDIMessage(status: status, data1: 60, data2: isLast ? 100 : 1))),
                SongEvent(tick: isLast ? 9_600 : 1, .message(MIDIMessage(status: status - 16, data1: 60, data2: 0))),
            ]
        }
        track.events.sort { $0.tick < $1.tick }
        track.endTick = 9_600
        let session = try LiveSession(options, songs: [SessionSong(name: "levels", song: Song(tracks: [track]))])
        try session.start()
        #expect(try wait(session) {
            let shown = session.snapshot.channels
            guard shown.map(\.number) == channels, let last = shown.last?.level else { return false }
            return last.peak > -40 && last.average > -60 && shown.dropLast().allSatisfy { $0.level.peak < last.peak - 20 }
        })
        try session.finish()
    }

    @Test func aLoopHasNoSeam() throws {
        let session = try LiveSession(options(), songs: [song(3, beatFrames: 2_400)])
        try session.start()
        try session.perform(.loop(true))
        #expect(try wait(session) { session.recorder.count > 60 })
        try session.finish()
        let onsets = session.recorder.entries.compactMap { entry -> Int64? in
            if case .music(.message(let message)) = entry.event, message.kind == .noteOn { entry.time.rawValue } else { nil }
        }
        #expect(Set(zip(onsets, onsets.dropFirst()).map { $1 - $0 }) == [2_400])
    }

    @Test func whatWasPlayedLiveSoundsTheSameFromItsJournal() throws {
        var options = options()
        let path = "/tmp/carillon-capture-\(getpid()).wav"
        options.capturePath = path
        options.settings = ["reverb.decay=1s"]
        let session = try LiveSession(options, songs: [song(12)])
        try session.start()
        #expect(try wait(session) { session.snapshot.sampleTime > SampleTime(24_000) })
        try session.perform(.set("reverb.decay=3s"))
        try session.perform(.transpose(5))
        try session.perform(.seek(.seconds(0.15)))
        #expect(try wait(session) { session.isOver })
        try session.finish()
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }

        let reader = try AudioFileReader(path: path)
        let heard = try reader.readAll()
        let renderer = try JournalRenderer(Journal(path: path + ".journal"))
        var replayed = [[Float]](repeating: [], count: 2)
        try renderer.render { (samples, frames) in
            for c in 0..<2 { replayed[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
        }
        #expect(heard[0].count > 40_000)
        #expect(heard.map { $0.map(\.bitPattern) } == replayed.map { $0.map(\.bitPattern) })
        #expect(heard[0].contains { abs($0) > 0.01 })
    }

    @Test func aPauseReleasesTheNotesAndKeepsThePlace() throws {
        let session = try LiveSession(options(), songs: [song(40)])
        try session.start()
        #expect(try wait(session) { session.snapshot.transport!.seconds > 0.5 })
        try session.perform(.pause)
        #expect(try wait(session) { session.voices == 0 && !session.snapshot.transport!.isPlaying })
        let place = session.snapshot.transport!.seconds
        try session.maintain()
        #expect(session.snapshot.transport!.seconds == place)
        try session.perform(.play)
        #expect(try wait(session) { session.snapshot.transport!.seconds > place })
        try session.finish()
    }

    @Test func jumpsAreCountedWhereTheyLeadSomewhere() throws {
        var song = song(40)
        song.song.tracks[0].events.insert(SongEvent(tick: 0, .text(SongText(.marker, "Verse"))), at: 0)
        let session = try LiveSession(options(), songs: [song])
        try session.start()
        #expect(try wait(session) { session.snapshot.transport!.seconds > 0.3 })
        #expect(session.snapshot.transport!.marker == "Verse" && session.snapshot.transport!.markers == 1)
        // There is no marker after the first, and no song after the last: both go on as they are.
        try session.perform(.seek(.byMarkers(1)))
        try session.perform(.next)
        #expect(try wait(session) { session.snapshot.transport!.seconds > 0.5 })
        #expect(session.snapshot.transport!.jumps == 0)
        try session.perform(.seek(.seconds(2)))
        #expect(try wait(session) { session.snapshot.transport!.jumps == 1 })
        #expect(session.snapshot.transport!.seconds >= 2)
        try session.finish()
    }

    /// What fails beside the sound does not cost the sound.
    @Test func aJournalThatCannotBeWrittenLeavesTheCapture() throws {
        var options = options()
        let path = "/tmp/carillon-cut-\(getpid()).wav"
        options.capturePath = path
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }
        do {
            let session = try LiveSession(options, songs: [song(40)])
            try session.start()
            #expect(try wait(session) { session.snapshot.sampleTime > SampleTime(30_000) })
            // Nobody finishes it.
        }
        #expect(try AudioFileReader(path: path).frames > 20_000)
    }

    @Test func commandsThatMeanNothingAreRefused() throws {
        let session = try LiveSession(options())
        #expect(throws: LiveError.self) { try session.perform(.play) }
        #expect(throws: LiveError.self) { try session.perform(.mute(channel: 99, true)) }
        #expect(throws: LiveError.self) { try session.perform(.set("reverb.nothing=1")) }
        #expect(throws: LiveError.self) { try session.perform(.saveRecording(path: "/tmp/never.mid")) }
    }
}
