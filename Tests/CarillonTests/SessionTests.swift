import AudioFiles
import Carillon
import Glibc
import Graphs
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Sessions

/// What a session does, in simulated time: nothing is waited for.
@Suite struct SessionTests {
    @Test func aSongIsPlayedToItsEndAndTheSessionIsOver() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(4)]), session = time.session
        #expect(try time.pass { session.snapshot.notes == [.init(channel: 1, key: 60)] })
        #expect(try time.pass { session.isOver })
        let transport = try #require(session.snapshot.transport)
        #expect(!transport.isPlaying && session.snapshot.notes.isEmpty)
        try session.finish()
    }

    @Test(arguments: [[2], [1, 2]]) func everyChannelHasALevelOfItsOwn(_ channels: [Int]) throws {
        var options = SessionInTime.options
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
        let time = try SessionInTime(options, [SessionSong(name: "levels", song: Song(tracks: [track]))])
        let session = time.session
        #expect(
            try time.pass {
                let shown = session.snapshot.channels
                guard shown.map(\.number) == channels, let last = shown.last?.level else { return false }
                return last.peak > -40 && last.average > -60 && shown.dropLast().allSatisfy { $0.level.peak < last.peak - 20 }
            })
        try session.finish()
    }

    @Test func aLoopHasNoSeam() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(3, beatFrames: 2_400)])
        try time.session.perform(.repeats(.all))
        #expect(try time.pass { time.onsets.count > 30 })
        #expect(time.transport?.rounds ?? 0 >= 9)
        try time.session.finish()
        let onsets = time.onsets.map(\.time)
        #expect(Set(zip(onsets, onsets.dropFirst()).map { $1 - $0 }) == [2_400])
    }

    @Test func whatWasPlayedLiveSoundsTheSameFromItsJournal() throws {
        var options = SessionInTime.options
        let path = "/tmp/carillon-capture-\(getpid()).wav"
        options.capturePath = path
        options.settings = ["reverb.decay=1s"]
        let time = try SessionInTime(options, [SessionInTime.listed(12)]), session = time.session
        try time.pass(0.5)
        try session.perform(.set("reverb.decay=3s"))
        try session.perform(.transpose(5))
        try session.perform(.seek(.seconds(0.15)))
        #expect(try time.pass { session.isOver })
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
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(40)]), session = time.session
        try time.pass(0.52)
        try session.perform(.pause)
        #expect(try time.pass { session.core.meters.voices == 0 && time.transport?.isPlaying == false })
        let place = try #require(time.transport).seconds
        try time.pass(1)
        #expect(time.transport?.seconds == place && time.held.allSatisfy { $0.value == 0 })
        try session.perform(.play)
        try time.pass(0.2)
        #expect(try #require(time.transport).seconds > place)
        try session.finish()
    }

    @Test func jumpsAreCountedWhereTheyLeadSomewhere() throws {
        var song = SessionInTime.song(40)
        song.tracks[0].events.insert(SongEvent(tick: 0, .text(SongText(.marker, "Verse"))), at: 0)
        let time = try SessionInTime(SessionInTime.options, [SessionSong(name: "verse", song: song)])
        let session = time.session
        try time.pass(0.3)
        #expect(time.transport?.marker == "Verse" && time.transport?.markers == 1)
        // There is no marker after the first, and no song after the last: both go on as they are.
        try session.perform(.seek(.byMarkers(1)))
        try session.perform(.next)
        try time.pass(0.2)
        #expect(time.transport?.jumps == 0)
        try session.perform(.seek(.seconds(2)))
        try time.pass(0.2)
        #expect(time.transport?.jumps == 1)
        #expect(try #require(time.transport).seconds >= 2)
        try session.finish()
    }

    /// A place that is shown at the end is the end, not the beginning that a play would go to.
    @Test func atTheEndTheEndIsShown() throws {
        var song = SessionInTime.song(8)
        song.tracks[0].events.append(SongEvent(tick: 7 * 480, .text(SongText(.marker, "Coda"))))
        song.tracks[0].events.sort { $0.tick < $1.tick }
        let time = try SessionInTime(SessionInTime.options, [SessionSong(name: "coda", song: song)])
        #expect(try time.pass { time.transport?.hasEnded == true })
        let shown = try #require(time.transport)
        #expect(shown.bar == 3 && shown.beat == 1 && shown.marker == "Coda" && shown.seconds == shown.length)
        try time.session.finish()
    }

    /// What fails beside the sound does not cost the sound.
    @Test func aJournalThatCannotBeWrittenLeavesTheCapture() throws {
        var options = SessionInTime.options
        let path = "/tmp/carillon-cut-\(getpid()).wav"
        options.capturePath = path
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }
        do {
            let time = try SessionInTime(options, [SessionInTime.listed(40)])
            try time.pass(0.7)
            // Nobody finishes it.
        }
        #expect(try AudioFileReader(path: path).frames > 20_000)
    }

    @Test func commandsThatMeanNothingAreRefused() throws {
        let session = try SessionInTime().session
        #expect(throws: Fault.self) { try session.perform(.play) }
        #expect(throws: Fault.self) { try session.perform(.mute(channel: 99, true)) }
        #expect(throws: Fault.self) { try session.perform(.set("reverb.nothing=1")) }
        #expect(throws: Fault.self) { try session.perform(.saveRecording(path: "/tmp/never.mid")) }
    }
}
