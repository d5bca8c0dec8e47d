import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Lines for scripts: one for each change, in stable words, never too many.
@Suite struct LiveLogTests {
    @Test func theFirstLinesTellHowThingsStand() {
        var log = LiveLog(showsSong: false)
        #expect(
            log.lines(for: SnapshotSamples.live, at: 0) == [
                "event=device state=running name=hw:0,0 wanted=hw:0,0 rate=48000 wanted-rate=48000 period=256 "
                    + "wanted-period=256 periods=2 wanted-periods=2 format=S16_LE channels=2 latency-ms=10.67 time=480000",
                "event=thread granted=\"SCHED_FIFO 70\" time=480000",
                "event=keyboard state=not-connected name=\"KeyLab 88\" identity=usb:1c75:0210 "
                    + "reason=\"not connected because no rule names it; add one\" time=480000",
                "event=keyboard state=connected name=\"Keystation 61 MK3\" identity=usb:0a4d:0090 reason=any time=480000",
            ])
        #expect(log.lines(for: SnapshotSamples.live, at: 1) == [])
    }

    @Test func theGuideHasEveryStateOfADevice() {
        let guide = Program.package + "/Sources/Carillon/Carillon.docc/Guides/PlayLive.md"
        let rows = String(decoding: bytes(guide), as: UTF8.self).split(separator: "\n")
        let row = rows.first { $0.hasPrefix("| `device` | `state` (") } ?? ""
        let states = row.split(separator: "(").dropFirst().first?.split(separator: ")").first ?? ""
        #expect(
            states.split(separator: ",").map { $0.drop { $0 == " " }.filter { $0 != "`" } }
                == DeviceState.Phase.allCases.map(\.description))
    }

    @Test func withoutKeyboardsThatIsSaidOnce() {
        var log = LiveLog(showsSong: false)
        #expect(log.lines(for: SessionSnapshot(), at: 0).last == "event=keyboard state=none time=0")
        #expect(log.lines(for: SessionSnapshot(), at: 2) == [])
    }

    @Test func aDeviceThatGoesAndReturnsIsTwoLines() {
        var log = LiveLog(showsSong: false)
        var snapshot = SnapshotSamples.live
        _ = log.lines(for: snapshot, at: 0)
        snapshot.device.state = "lost"
        snapshot.device.name = nil
        snapshot.device.rate = nil
        let lost = log.lines(for: snapshot, at: 0.1)
        #expect(lost.count == 1 && lost[0].hasPrefix("event=device state=lost name=none wanted=hw:0,0 wanted-rate=48000"))
        #expect(log.lines(for: SnapshotSamples.live, at: 0.2).map { $0.prefix(26) } == ["event=device state=running"])
    }

    /// A device runs for a moment before both clocks are known.
    @Test func theDelayOfAnotherDeviceIsToldOnceWhenItIsKnown() {
        var log = LiveLog(.nothing)
        var snapshot = SnapshotSamples.live
        var output = DeviceOutputState(unit: "phones", wanted: ["jack"], name: "jack", state: "running")
        snapshot.deviceOutputs = [output]
        #expect(log.lines(for: snapshot, at: 0).contains { $0.hasPrefix("event=device-output") && !$0.contains("delay-ms") })
        output.delayMilliseconds = 12.5
        snapshot.deviceOutputs = [output]
        #expect(
            log.lines(for: snapshot, at: 0.1) == [
                "event=device-output unit=phones state=running name=jack wanted=jack delay-ms=12.50 time=480000"
            ])
        // It is a calculation, which a new period changes a little: no news.
        output.delayMilliseconds = 12.6
        snapshot.deviceOutputs = [output]
        #expect(log.lines(for: snapshot, at: 0.2) == [])
    }

    @Test func keyboardsComeAndGoByName() {
        var log = LiveLog(showsSong: false)
        var snapshot = SnapshotSamples.live
        _ = log.lines(for: snapshot, at: 0)
        let gone = snapshot.sources.removeLast()
        #expect(
            log.lines(for: snapshot, at: 0.1) == [
                "event=keyboard state=gone name=\"Keystation 61 MK3\" identity=usb:0a4d:0090 time=480000"
            ])
        snapshot.sources.insert(gone, at: 0)
        #expect(
            log.lines(for: snapshot, at: 0.2) == [
                "event=keyboard state=connected name=\"Keystation 61 MK3\" identity=usb:0a4d:0090 reason=any time=480000"
            ])
        snapshot.sources[0].heldNotes = 9
        snapshot.sources[0].events = 1000
        #expect(log.lines(for: snapshot, at: 0.3) == [])
    }

    @Test func whatAPlayerChangesIsALineEach() {
        var log = LiveLog(showsSong: false)
        var snapshot = SnapshotSamples.live
        _ = log.lines(for: snapshot, at: 0)
        snapshot.channels[1].sound = SnapshotSamples.presets[1]
        snapshot.volume = -3
        snapshot.keyTranspose = 12
        snapshot.metronome = SnapshotSamples.metronome(tempo: 96)
        #expect(
            log.lines(for: snapshot, at: 0.1) == [
                "event=sound channel=2 bank=0 program=25 name=\"Steel Strings\" time=480000",
                "event=volume decibels=-3.0 time=480000", "event=keys semitones=12 time=480000",
                "event=metronome state=on tempo=96 time=480000",
            ])
        #expect(log.lines(for: snapshot, at: 0.2) == [])
        snapshot.metronome = SnapshotSamples.metronome(isRunning: false, tempo: 96)
        #expect(log.lines(for: snapshot, at: 0.3) == ["event=metronome state=off time=480000"])
    }

    @Test func xrunsAreCountedByCauseAndToldOnceASecond() {
        var log = LiveLog(showsSong: false)
        var snapshot = SnapshotSamples.live
        _ = log.lines(for: snapshot, at: 0)
        snapshot.xrunCauses.driver = 1
        #expect(log.lines(for: snapshot, at: 0.1) == ["event=xrun cause=driver count=1 total=1 time=480000"])
        var lines: [String] = []
        for tenth in 2...30 {
            snapshot.xrunCauses.wokeLate += 3
            snapshot.lateEvents += 1
            lines += log.lines(for: snapshot, at: Double(tenth) / 10)
        }
        #expect(
            lines == [
                "event=xrun cause=woke-late count=30 total=31 time=480000", "event=late count=10 total=10 time=480000",
                "event=xrun cause=woke-late count=30 total=61 time=480000", "event=late count=10 total=20 time=480000",
            ])
    }

    @Test func aStormOfChangesIsCutAndTheCutIsTold() {
        var log = LiveLog(showsSong: false)
        var snapshot = SessionSnapshot()
        var lines: [String] = []
        for step in 0..<1000 {
            snapshot.sources = step % 2 == 0 ? [] : [SnapshotSamples.source("flapping", isConnected: true)]
            lines += log.lines(for: snapshot, at: Double(step) / 100)
        }
        #expect(lines.count <= 10 * (LiveLog.linesPerSecond + 1))
        #expect(lines.contains("event=suppressed count=81 time=0"))
    }

    @Test func theSongsChangesAreTold() {
        var log = LiveLog(showsSong: true)
        var snapshot = SnapshotSamples.live
        snapshot.transport = SnapshotSamples.transport
        #expect(
            log.lines(for: snapshot, at: 0).suffix(2) == [
                "event=song name=pachelbel-canon.mid number=2 count=3 seconds=200.2 time=480000",
                "event=transport state=playing position=62.4 bar=17:2 time=480000",
            ])
        snapshot.transport?.isPlaying = false
        snapshot.transport?.rate = 0.5
        snapshot.transport?.transpose = -2
        snapshot.transport?.repetition = .all
        snapshot.transport?.muted = [3, 4]
        #expect(
            log.lines(for: snapshot, at: 0.1) == [
                "event=transport state=paused position=62.4 bar=17:2 time=480000", "event=tempo factor=0.50 time=480000",
                "event=transpose semitones=-2 time=480000", "event=repeat state=all time=480000",
                "event=channels muted=3,4 soloed=\"\" time=480000",
            ])
        snapshot.transport?.seconds = 63
        #expect(log.lines(for: snapshot, at: 0.2) == [])
        snapshot.transport?.jumps = 1
        snapshot.transport?.markerNumber = 2
        snapshot.transport?.marker = "Verse 2"
        #expect(
            log.lines(for: snapshot, at: 0.3) == [
                "event=transport state=paused position=63.0 bar=17:2 marker=\"Verse 2\" time=480000"
            ])
    }

    @Test func aNameCannotForgeALine() {
        var log = LiveLog(showsSong: false)
        var snapshot = SessionSnapshot()
        snapshot.sources = [SnapshotSamples.source("x\" state=connected\nevent=end \u{1B}[2J", isConnected: false)]
        let line = log.lines(for: snapshot, at: 0).last ?? ""
        #expect(line.contains("name=\"x' state=connected?event=end ?[2J\" identity="))
        #expect(!line.contains("\n") && !line.contains("\u{1B}"))
    }

    @Test func theLimiterIsToldWhenItTakesADecibelMore() {
        var log = LiveLog(showsSong: false)
        var snapshot = SessionSnapshot()
        _ = log.lines(for: snapshot, at: 0)
        (snapshot.gain, snapshot.seconds, snapshot.limiter.most) = (3, 10, 2.5)
        (snapshot.limiter.reducedSeconds, snapshot.limiter.pressedSeconds) = (4, 1)
        let line = "event=limiter reduction=2.5 reduced=0.40 pressed=0.10 gain-without=0 time=0"
        #expect(log.lines(for: snapshot, at: 2) == [line])
        snapshot.limiter.most = 2.9
        #expect(log.lines(for: snapshot, at: 4) == [])
        snapshot.limiter.most = 3.1
        #expect(log.lines(for: snapshot, at: 6).first?.hasPrefix("event=limiter reduction=3.1 ") == true)
        #expect(LiveLog.summary(snapshot, reason: "done").contains(" lost=0 reduction=3.1 reduced=0.40 pressed=0.10 time=0"))
        #expect(!LiveLog.summary(SessionSnapshot(), reason: "done").contains("reduc"))
    }

    @Test func messagesAreLinesToo() {
        var log = LiveLog(showsSong: false)
        _ = log.lines(for: SessionSnapshot(), at: 0)
        #expect(
            log.lines(for: SessionSnapshot(), messages: ["saved a.mid", "gone"], at: 1) == [
                "event=message text=\"saved a.mid\" time=0", "event=message text=gone time=0",
            ])
        let storm = [String](repeating: "again", count: 1000)
        #expect(log.lines(for: SessionSnapshot(), messages: storm, at: 1.5).count == LiveLog.linesPerSecond - 2)
    }

    @Test func whatAKeyboardsLineSaysIsNotSaidTwice() {
        let messages = ["Keystation 61 MK3: any", "Keystation 61 MK3: gone; 4 held notes, pedals and bends released"]
        #expect(LiveLog.news(messages, beside: SnapshotSamples.live) == [messages[1]])
    }

    @Test func theLastLineSumsUp() {
        #expect(
            LiveLog.summary(SnapshotSamples.play, reason: "SIGTERM")
                == "event=end reason=SIGTERM xruns=3 late=1 lost=0 time=480000")
    }
}
