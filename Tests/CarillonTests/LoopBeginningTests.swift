import Carillon
import Patches
import RemoteIO
import Reports
import Testing

@testable import Sessions

/// What begins a loop, and what begins while loops play.
@Suite struct LoopBeginningTests {
    /// A song that begins while a loop of bars plays takes its tempo, which stays.
    @Test func aSongTakesTheTempoOfALoop() throws {
        var options = SessionInTime.options
        (options.songsHaveOwnInstruments, options.songsWait, options.device.loopSeconds) = (true, true, 10)
        let time = try SessionInTime(options, [SessionInTime.listed(20)]), session = time.session
        try session.perform(.metronome(true, tempo: 150))
        try time.pass(0.3)
        try session.perform(LooperSessionTests.command("record", 1))
        try time.pass(2)
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.2))
        try session.perform(LooperSessionTests.command("play", 1))
        try time.pass(2)
        #expect(session.snapshot.loops[0].state == "playing")
        try session.perform(.metronome(false, tempo: nil))
        #expect(throws: Fault.self) { try session.perform(.tempo(80)) }
        try session.perform(.play)
        try time.pass(1)
        #expect(time.transport?.isPlaying == true && time.transport?.tempo == 150)
        #expect(session.takeNotices().contains { $0.contains("the tempo of loop 1") })
        try session.finish()
    }

    /// A voice begins the recording on the frame on which it is above -30 dBFS.
    @Test func soundBeginsAnArmedLoop() throws {
        let port = SimulatedPort(), first = 60_000
        port.captures = { frame, _ in frame < first ? 0.02 : Float(frame - first + 400) / 10_000 }
        var options = LiveOptions()
        let text = "version: 1\nunits:\n  voice: {unit: input}\noutputs: [voice]\n"
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        options.device.loopSeconds = 10
        let session = try Session(options, on: port)
        try session.start()
        func pass(_ seconds: Double) throws {
            for _ in 0..<Int((seconds * 100).rounded()) {
                port.advance(seconds: 0.01)
                try session.maintain()
            }
        }
        try pass(0.5)
        try session.perform(LooperSessionTests.command("arm", 1))
        try pass(0.5)
        #expect(session.snapshot.loops[0].state == "empty")
        try pass(0.5)
        #expect(session.snapshot.loops[0].state == "recording")
        // The device plays it two periods of 256 frames after it is recorded; the level before it is half of that.
        let heard = port.played[0], onset = try #require(heard.firstIndex { abs($0) > abs(heard[50_000]) * 1.5 })
        let end = session.core.now
        try session.perform(LooperSessionTests.command("play", 1))
        try pass(0.1)
        #expect(Int((session.snapshot.loops[0].seconds * 48_000).rounded()) == Int(end.rawValue) - onset + 512)
        try session.finish()
    }
}
