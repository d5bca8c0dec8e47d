import Carillon
import Patches
import RemoteIO
import Reports
import Testing

@testable import Sessions

/// What begins a loop, and what begins while loops play.
@Suite struct LoopBeginningTests {
    /// Songs that begin while a loop of bars plays take its tempo, which stays; they are counted in at it.
    @Test func aSongTakesTheTempoOfALoop() throws {
        var options = SessionInTime.options
        (options.songsHaveOwnInstruments, options.songsWait, options.device.loopSeconds) = (true, true, 10)
        let songs = [SessionInTime.listed(4), SessionInTime.listed(20, key: 72)]
        let time = try SessionInTime(options, songs), session = time.session
        try session.perform(.metronome(true, tempo: 150))
        try time.pass(0.3)
        try session.perform(LooperSessionTests.command("record", 1))
        try time.pass(2)
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.2))
        try session.perform(LooperSessionTests.command("play", 1))
        try time.pass(2)
        #expect(session.snapshot.loops[0].state == "playing")
        try session.perform(.metronome(false, tempo: nil))
        try session.perform(.looper(stretch: false))
        #expect(throws: Fault.self) { try session.perform(.tempo(80)) }
        try session.perform(.metronome(false, tempo: nil, countIn: 1))
        let asked = session.sampleTime.rawValue
        try session.perform(.play)
        #expect(try time.pass(atMost: 4) { time.held[60] == 1 })
        // A bar of four at 150 a minute is 1.6 s.
        #expect((76_800..<82_000).contains(try #require(time.onsets.last).time - asked))
        #expect(time.transport?.isPlaying == true && time.transport?.tempo == 150, "\(time.transport?.tempo ?? 0)")
        #expect(session.takeNotices().contains { $0.contains("the tempo of loop 1") })
        #expect(try time.pass(atMost: 4) { time.held[72] == 1 })
        try time.pass(1)
        #expect(time.transport?.tempo == 150)
        try session.finish()
    }

    /// A voice begins the recording on the frame on which it is above -30 dBFS.
    @Test func soundBeginsAnArmedLoop() throws {
        let first = 60_000
        let voice = try LoopVoice { $0 < first ? 0.02 : Float($0 - first + 400) / 10_000 }
        try voice.pass(0.5)
        #expect(try voice.arm(0.5) == "empty")
        try voice.pass(0.5)
        #expect(voice.state == "recording")
        // The device plays it two periods of 256 frames after it is recorded; the level before it is half of that.
        let heard = voice.port.played[0], onset = try #require(heard.firstIndex { abs($0) > abs(heard[50_000]) * 1.5 })
        let end = voice.session.core.now
        try voice.ask("play")
        try voice.pass(0.1)
        let frames = Int((voice.session.snapshot.loops[0].seconds * 48_000).rounded())
        // And placed earlier by the way that it comes in later.
        let core = voice.session.core
        #expect(frames == Int(end.rawValue) - onset + 512 + core.port.inputLatency + core.graph.latency)
        try voice.session.finish()
    }

    /// What sounds already begins nothing, nor what came after another request has ended the wait.
    @Test func soundThatWasThereBeginsNothing() throws {
        // Sound for two seconds, half a second of quiet, sound for a second, and quiet.
        let voice = try LoopVoice { $0 < 96_000 || (120_000..<168_000).contains($0) ? ($0 % 100 < 50 ? 0.3 : -0.3) : 0 }
        try voice.pass(0.5)
        #expect(try voice.arm(1) == "empty")
        // Another request ends the wait: the sound after the quiet is not meant.
        try voice.ask("clear")
        try voice.pass(2.5)
        #expect(try voice.arm(0.5) == "empty")
        try voice.session.finish()
    }

    @Test func soundAfterQuietBeginsAnArmedLoop() throws {
        let voice = try LoopVoice { $0 < 96_000 || $0 >= 120_000 ? ($0 % 100 < 50 ? 0.3 : -0.3) : 0 }
        try voice.pass(0.5)
        #expect(try voice.arm(1.9) == "empty")
        try voice.pass(0.6)
        #expect(voice.state == "recording")
        try voice.session.finish()
    }
}
