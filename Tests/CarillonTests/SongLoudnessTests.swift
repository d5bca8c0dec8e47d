import AudioFiles
import Carillon
import Foundation
import Sequencer
import SongFiles
import Synchronization
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Songs of a session are brought to one loudness by a gain of their own.
@Suite struct SongLoudnessTests {
    /// A song of four seconds, so soft.
    private func song(_ decibels: Double) -> Song {
        var song = SessionInTime.song(44)
        let volume = UInt8((127 * pow(10, decibels / 40)).rounded())
        song.tracks[0].events.insert(
            SongEvent(tick: 0, .message(MIDIMessage(status: 0xB0, data1: 7, data2: volume))), at: 1)
        return song
    }

    private var options: LiveOptions {
        var options = SessionInTime.options
        options.faderLevel = 0
        options.loudness = SongLoudnessOptions(LoudnessTarget(loudness: -33))
        return options
    }

    private func loudness(_ planes: [ArraySlice<Float>]) throws -> Double {
        let meter = try #require(LoudnessMeter(channels: 2, sampleRate: 48_000))
        planes[0].withUnsafeBufferPointer { left in
            planes[1].withUnsafeBufferPointer { right in
                if let left = left.baseAddress, let right = right.baseAddress {
                    meter.add([left, right], frames: planes[0].count)
                }
            }
        }
        return try #require(meter.integratedLoudness)
    }

    @Test func aListStaysWithinTwoUnitsOfLoudness() throws {
        let levels: [Double] = [0, -25, -3, -20, -12, -24, -1, -9, -16, -6]
        let songs = levels.enumerated().map { SessionSong(name: "\($0)", song: song($1)) }
        let time = try SessionInTime(options, songs)
        #expect(try time.pass { time.session.isOver })
        let starts = stride(from: 0, to: time.onsets.count, by: 44).map { Int(time.onsets[$0].time) }
        try #require(starts.count == levels.count)
        let found = try starts.map { start in
            try loudness(time.port.played.map { $0[(start + 24_000)..<(start + 4 * 48_000)] })
        }
        let (low, high) = (try #require(found.min()), try #require(found.max()))
        #expect(high - low < 2 && abs(high + 33) < 1, "\(found)")
        try time.session.finish()
    }

    @Test func withoutATargetSongsPlayAsTheyAre() throws {
        var options = options
        options.loudness = nil
        let time = try SessionInTime(options, [SessionSong(name: "soft", song: song(-20))])
        #expect(time.transport?.level == 0)
        options.loudness = SongLoudnessOptions(LoudnessTarget(loudness: -33))
        let other = try SessionInTime(options, [SessionSong(name: "soft", song: song(-20))])
        #expect(try #require(other.transport?.level) > 1)
        for session in [time, other] { try session.session.finish() }
    }

    /// What was measured once is known the next time, unless the song or what plays it is another.
    @Test func gainsAreKeptByContentAndSound() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/a.mid"
        try SongWriter.write(song(-12), path: path)
        var options = options
        options.loudness?.folder = folder + "/cache/loudness"
        func gain(_ options: LiveOptions) -> Double {
            let loudness = SongLoudness(options, waits: false)!, song = SessionSong(name: "a", path: path)
            defer { loudness.end() }
            let gain = loudness.gain(of: song, isFirst: true)
            if loudness.part(of: 0) == nil { return gain }
            while loudness.part(of: 0) != nil { sched_yield() }
            return loudness.gain(of: song)
        }
        let measured = gain(options)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/cache/loudness")
        #expect(measured != 0 && files.count == 1)
        // The file says so, and is believed.
        let kept = folder + "/cache/loudness/" + files[0]
        let text = try String(contentsOfFile: kept, encoding: .utf8)
        try text.replacingOccurrences(of: "gain \(measured)", with: "gain 4.25").write(
            toFile: kept, atomically: true, encoding: .utf8)
        #expect(gain(options) == 4.25)
        // Another sound, another song, a damaged file: measured again.
        var other = options
        other.gain = 3
        #expect(abs(gain(other) - measured + 3) < 0.11)
        try "nothing".write(toFile: kept, atomically: true, encoding: .utf8)
        #expect(gain(options) == measured)
        try SongWriter.write(song(-6), path: path)
        #expect(abs(gain(options) - measured + 6) < 0.11)
    }

    /// The first song of a session is hashed once and read once to be measured.
    @Test func theFileOfTheFirstSongIsReadTwice() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/a.mid"
        try SongWriter.write(song(-12), path: path)
        var options = options
        options.loudness?.folder = folder + "/cache"
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE)) >= 0)
        let loudness = try #require(SongLoudness(options, waits: false))
        defer { loudness.end() }
        #expect(loudness.gain(of: SessionSong(name: "a", path: path), isFirst: true) == 0)
        while loudness.part(of: 0) != nil { sched_yield() }
        #expect(loudness.gain(of: SessionSong(name: "a", path: path)) != 0)
        var events = [UInt8](repeating: 0, count: 4_096)
        // Openings and closings; events of a watched file have no name, so each is as long as its head.
        #expect(read(watch, &events, events.count) / MemoryLayout<inotify_event>.size == 4)
    }

    /// A song whose start found no room in the renderer's queue stays due.
    @Test func theStartOfAMeasuredSongStaysDueUntilItPlays() {
        var wait = LoudnessWait(), asked = 0
        func step(_ now: Int64) -> LoudnessWait.Step? {
            wait.step(now: SampleTime(now), soon: SampleTime(now + 10), sampleRate: 48_000) {
                asked += 1
                return now < 100 ? 0.5 : nil
            }
        }
        #expect(wait.takes(.play) { 0.5 } && wait.isOn && step(0) == nil && step(100) == .setLevel)
        #expect(step(4_000) == nil && step(5_000) == .play && step(6_000) == .play)
        wait.end()
        #expect(!wait.isOn && step(7_000) == nil && asked == 5 && !wait.takes(.play) { 0.5 })
    }

    /// A song that is played at another tempo has another loudness.
    @Test func songsAreMeasuredInTheMannerInWhichTheyPlay() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mid").path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: path) } }
        // Half a second of sound and as much of silence, which the measuring leaves out.
        try SongWriter.write(SessionInTime.song(60, beatFrames: 48_000), path: path)
        func gain(_ tempo: Double, own: Double = 1) -> Double {
            var options = options
            options.loudness?.tempo = tempo
            let loudness = SongLoudness(options, waits: true)
            defer { loudness?.end() }
            var song = SessionSong(name: "a", path: path)
            song.manner.tempo = own
            return loudness!.gain(of: song, isFirst: true)
        }
        let (written, fast) = (gain(1), gain(4))
        #expect(abs(fast - written) > 0.1, "\(written), \(fast)")
        #expect(gain(2, own: 2) == fast && gain(1) == written)
    }

    /// A session whose measuring stands until `go`, in front of two songs that nothing is known of.
    private func measuring(_ body: (SessionInTime, _ go: () -> Void) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let stands = Mutex(true), go = { stands.withLock { $0 = false } }
        defer { go() }
        var options = options
        options.loudness?.folder = folder
        options.loudness?.pace = { while stands.withLock({ $0 }) { sched_yield() } }
        let time = try SessionInTime(options, [SessionSong(name: "a", song: song(-20)), SessionSong(name: "b", song: song(-20))])
        #expect(time.transport?.stateWord == "measuring" && time.transport?.measured != nil)
        try body(time, go)
    }

    /// What is asked meanwhile is done at once, and the song plays by itself, as loud as it should.
    @Test func theFirstSongWaitsForItsLoudnessAndNothingElseDoes() throws {
        try measuring { time, go in
            try time.pass(0.5)
            #expect(time.onsets.isEmpty && time.transport?.stateWord == "measuring")
            try time.session.perform(.togglePlay)
            #expect(time.transport?.stateWord == "paused")
            try time.session.perform(.togglePlay)
            try time.session.perform(.next)
            #expect(time.transport?.number == 2 && time.transport?.stateWord == "measuring")
            try time.session.perform(.seek(.seconds(2)))
            go()
            while time.transport?.isPlaying != true { try time.pass(0.01) }
            #expect(try #require(time.transport?.level) > 1 && time.transport?.measured == nil)
            // From the place that was asked for on, with the level from the first note on.
            #expect(try time.pass { time.session.isOver } && time.onsets.count == 24)
            let levels = time.onsets.map { onset in
                time.port.played[0][Int(onset.time)..<Int(onset.time) + 2_400].map(abs).max() ?? 0
            }
            // Peaks of this wave differ by 3 % from note to note; the level by more than 12 %.
            #expect(abs(levels[0] / levels[20] - 1) < 0.06, "\(levels)")
            try time.session.finish()
        }
    }

    @Test func aSessionThatMeasuresStopsAndEndsAtOnce() throws {
        try measuring { time, _ in
            try time.session.perform(.stop)
            #expect(time.transport?.stateWord == "paused")
            try time.session.perform(.play)
            #expect(time.transport?.stateWord == "measuring")
            try time.session.perform(.quit)
            #expect(time.session.isOver)
            try time.session.finish()
            #expect(time.onsets.isEmpty)
        }
    }
}
