import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Sessions

@Suite struct ClockInTests {
    @Test(arguments: [(97.3, 1), (97.3, 2), (140, 3), (60, 4)] as [(Double, UInt64)])
    func aSongPlaysWithAMasterThatTrembles(_ tempo: Double, _ seed: UInt64) throws {
        let stage = try ClockStage(tempo: tempo, seed: seed, songs: [SessionInTime.listed(120, beatFrames: 24_000)])
        try stage.pass(0.5)
        // It waits for its master.
        #expect(stage.time.transport?.isPlaying == false)
        #expect(stage.following?.isPlaying == false && stage.following?.name == "Drum machine")
        stage.order(.start)
        try stage.pass(100 * 60 / tempo)
        #expect(stage.following?.state == .locked && stage.following?.isPlaying == true)
        let distances = try stage.distances(beats: 0..<98)
        #expect(distances.dropFirst(16).allSatisfy { abs($0) < 1 })
        // No note was left out at the beginning, where nobody knew yet.
        #expect(distances.allSatisfy { abs($0) < 100 })
        try stage.time.session.finish()
    }

    @Test func aSteadyMasterGivesASteadyTempo() throws {
        let stage = try ClockStage(tempo: 97.3, jitter: 0, songs: [SessionInTime.listed(80, beatFrames: 24_000)])
        stage.order(.start)
        try stage.pass(15)
        let before = stage.factors.count
        try stage.pass(30)
        #expect(stage.factors.count - before <= 1)
        #expect(try stage.distances(beats: 24..<70).allSatisfy { abs($0) < 0.5 })
        #expect(abs((stage.following?.tempo ?? 0) - 97.3) < 0.001)
        try stage.time.session.finish()
    }

    @Test func aSongOfOtherTemposKeepsTheMastersTempo() throws {
        // Twice as fast from the 21st beat on, by its own word.
        var song = SessionInTime.song(60, beatFrames: 24_000)
        song.tracks[0].events.append(SongEvent(tick: 20 * 480, .tempo(microsecondsPerQuarter: 250_000)))
        song.tracks[0].events.sort { $0.tick < $1.tick }
        let stage = try ClockStage(tempo: 110, jitter: 1, songs: [SessionSong(name: "leaps", song: song)])
        stage.order(.start)
        try stage.pass(30)
        #expect(try stage.distances(beats: 16..<50).allSatisfy { abs($0) < 8 })
        #expect(try stage.distances(beats: 30..<50).allSatisfy { abs($0) < 1 })
        try stage.time.session.finish()
    }

    @Test func anotherTempoIsTakenOver() throws {
        let stage = try ClockStage(tempo: 120, jitter: 1, songs: [SessionInTime.listed(120, beatFrames: 24_000)])
        stage.order(.start)
        try stage.pass(10)
        stage.tempo = 140
        try stage.pass(20)
        #expect(try stage.distances(beats: 12..<18).allSatisfy { abs($0) < 1 })
        #expect(try stage.distances(beats: 18..<30).allSatisfy { abs($0) < 60 })
        #expect(try stage.distances(beats: 30..<60).allSatisfy { abs($0) < 1 })
        try stage.time.session.finish()
    }

    @Test func itStopsAndGoesOnAndBeginsInTheMiddle() throws {
        let stage = try ClockStage(tempo: 120, jitter: 1, songs: [SessionInTime.listed(100, beatFrames: 24_000)])
        stage.order(.start)
        try stage.pass(5.2)
        stage.order(.stop)
        try stage.pass(1)
        let stopped = stage.time.onsets.count
        #expect(stage.time.transport?.isPlaying == false && stage.time.held.values.allSatisfy { $0 == 0 })
        try stage.pass(2)
        #expect(stage.time.onsets.count == stopped && stage.following?.isPlaying == false && stage.following?.state == .locked)
        // On from there.
        stage.order(.continue)
        try stage.pass(5.2)
        #expect(stage.time.transport?.isPlaying == true)
        #expect(try stage.distances(beats: stopped + 4..<stopped + 9).allSatisfy { abs($0) < 1 })
        // Bar 13 of 4/4, which is beat 48.
        stage.order(.stop)
        try stage.pass(1)
        let again = stage.time.onsets.count
        stage.order(.position(192))
        stage.order(.continue)
        try stage.pass(12)
        #expect(stage.time.transport?.bar ?? 0 >= 18)
        #expect(try stage.distances(beats: 48..<70, first: 48 - again).allSatisfy { abs($0) < 100 })
        #expect(try stage.distances(beats: 56..<70, first: 48 - again).allSatisfy { abs($0) < 1 })
        // From the beginning, while it plays.
        stage.order(.start)
        try stage.pass(8.2)
        #expect(stage.time.transport?.bar == 5)
        #expect(try stage.time.onsets.suffix(7).dropLast().allSatisfy { try stage.distanceFromBeat($0.time) < 1 })
        try stage.time.session.finish()
    }

    @Test func aMasterThatGoesWithoutAWordIsNotMissed() throws {
        let stage = try ClockStage(tempo: 128, jitter: 1, songs: [SessionInTime.listed(100, beatFrames: 24_000)])
        stage.order(.start)
        try stage.pass(10)
        stage.isSending = false
        try stage.pass(5)
        #expect(stage.following?.state == .lost && stage.time.transport?.isPlaying == true)
        #expect(abs((stage.following?.tempo ?? 0) - 128) < 0.2)
        stage.isSending = true
        try stage.pass(10)
        #expect(stage.following?.state == .locked)
        #expect(try stage.distances(beats: 12..<50).allSatisfy { abs($0) < 6 })
        #expect(try stage.distances(beats: 40..<50).allSatisfy { abs($0) < 1 })
        try stage.time.session.finish()
    }

    @Test func theTempoIsTheMastersAndTheRestIsAnybodys() throws {
        let stage = try ClockStage(tempo: 120, jitter: 1, songs: [SessionInTime.listed(200, beatFrames: 24_000)])
        let session = stage.time.session
        stage.order(.start)
        try stage.pass(8)
        do throws(Fault) {
            try session.perform(.tempo(1.2))
            Issue.record("nobody else sets the tempo")
        } catch { #expect("\(error)".contains("Drum machine")) }
        // Whoever lets it stand is obeyed, whatever the master does.
        try session.perform(.pause)
        try stage.pass(2)
        #expect(stage.time.transport?.isPlaying == false && stage.following?.isHeld == true)
        let held = stage.time.onsets.count
        try session.perform(.play)
        try stage.pass(6)
        // It comes in where the master is.
        #expect(stage.time.transport?.isPlaying == true && stage.following?.isHeld == false)
        let missed = 20 - held
        #expect(missed > 0)
        let place = Int((stage.time.transport?.seconds ?? 0) * 2)
        #expect(abs(place - 32) <= 1, "\(place)")
        // Who sends the song elsewhere finds the master's beat there.
        try session.perform(.seek(.seconds(60.1)))
        try stage.pass(8)
        #expect(abs((stage.time.transport?.seconds ?? 0) - 68) < 0.6)
        // The last one is rendered, and its beat is yet to come.
        #expect(try stage.time.onsets.suffix(7).dropLast().allSatisfy { try stage.distanceFromBeat($0.time) < 1 })
        try session.finish()
    }

    @Test func theNextSongTakesTheBeatOver() throws {
        let songs = [SessionInTime.listed(8, key: 60, beatFrames: 24_000), SessionInTime.listed(60, key: 64, beatFrames: 30_000)]
        let stage = try ClockStage(tempo: 125, jitter: 1, songs: songs)
        stage.order(.start)
        try stage.pass(20)
        #expect(stage.time.transport?.number == 2 && stage.time.onsets.count(where: { $0.key == 60 }) == 8)
        let second = stage.time.onsets.filter { $0.key == 64 }.dropFirst(8).dropLast()
        #expect(second.count > 10)
        #expect(try second.allSatisfy { try stage.distanceFromBeat($0.time) < 1 })
        // Behind the last song it waits for the next start.
        try stage.pass(30)
        #expect(!stage.time.session.isOver && stage.time.transport?.hasEnded == true)
        stage.order(.start)
        try stage.pass(2)
        #expect(stage.time.transport?.isPlaying == true)
        try stage.time.session.finish()
    }

    @Test func aSongThatCountsFilmFramesSaysSoOnce() throws {
        var track = Track(name: "film")
        track.events = [SongEvent(tick: 100, .message(MIDIMessage(status: 0x90, data1: 60, data2: 100)))]
        track.endTick = 2_000
        let film = Song(division: .smpte(.pal, ticksPerFrame: 40), tracks: [track])
        let stage = try ClockStage(tempo: 120, songs: [SessionSong(name: "film", song: film)])
        stage.order(.start)
        try stage.pass(1)
        #expect(stage.time.transport?.isPlaying == true)
        let told = stage.time.session.takeNotices()
        #expect(told.count(where: { $0.contains("film counts film frames") }) == 1)
        try stage.pass(1)
        #expect(stage.time.session.takeNotices() == [])
        stage.order(.stop)
        try stage.pass(0.5)
        #expect(stage.time.transport?.isPlaying == false)
        try stage.time.session.finish()
    }

    @Test func whoIsFollowedHasAName() {
        for name in ["", "any"] {
            var options = SessionInTime.options
            options.connections.master = name
            #expect(throws: Fault.self) { try SessionInTime(options, [SessionInTime.listed(4)]) }
        }
        var options = SessionInTime.options
        (options.connections.master, options.connections.clock) = ("Volca", ["Volca"])
        #expect(throws: Fault.self) { try SessionInTime(options, [SessionInTime.listed(4)]) }
    }
}
