import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// What is played to outside, as a player and a log see it.
@Suite struct OutputScreenTests {
    private static let outputs: [SessionSnapshot.Output] = [
        .init(name: "Volca", getsBeat: false, port: "volca keys MIDI 1", state: "plays out to volca keys MIDI 1"),
        .init(name: "Synth", getsBeat: false, port: nil, state: "no MIDI port of this name can be played to"),
        .init(name: "Volca", getsBeat: true, port: "Volca", state: "plays out to Volca"),
    ]

    private static var live: SessionSnapshot {
        var snapshot = SnapshotSamples.live
        snapshot.outputs = outputs
        return snapshot
    }

    private func lines(_ lines: [ScreenLine]) -> [String] {
        let texts = lines.map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
        let first = texts.firstIndex { $0.hasPrefix("out") } ?? 0
        return [texts[first]] + texts[(first + 1)...].prefix { $0.hasPrefix("  ") }
    }

    @Test func eachStandsBesideItsPortAtEveryWidth() {
        let style = ScreenStyle(hasUnicode: false, hasColour: false)
        let wide = ["out       Volca: volca keys MIDI 1  Synth: not there  Volca (clock)"]
        for columns in [140, 80] {
            #expect(lines(LiveScreen.lines(Self.live, columns: columns, style: style)) == wide)
            #expect(lines(PlayScreen.lines(Self.live, columns: columns, style: style)) == wide)
        }
        #expect(
            lines(LiveScreen.lines(Self.live, columns: 40, style: style)) == [
                "out       Volca: volca keys MIDI 1", "          Synth: not there  +1",
            ])
        #expect(!LiveScreen.lines(SnapshotSamples.live, columns: 80, style: style).contains { $0.text.hasPrefix("out") })
    }

    @Test func aMasterHasALight() {
        var snapshot = SnapshotSamples.play
        func line(_ state: SessionSnapshot.Following.State, tempo: Double? = 97.34, isHeld: Bool = false) -> ScreenLine? {
            snapshot.following = .init(
                name: "TR", port: "TR-8S MIDI 1", state: state, tempo: tempo, isPlaying: state != .waiting, isHeld: isHeld)
            let style = ScreenStyle(hasUnicode: false, hasColour: true)
            return PlayScreen.lines(snapshot, columns: 100, style: style).first { $0.text.hasPrefix("clock in") }
        }
        #expect(line(.waiting, tempo: nil)?.text.contains("TR-8S MIDI 1  waiting  stopped") == true)
        #expect(line(.locked)?.text.contains("TR-8S MIDI 1  locked  tempo 97.3") == true)
        for (state, colour) in [(.locked, .green), (.locking, .yellow), (.lost, .red)]
            as [(SessionSnapshot.Following.State, ScreenLine.Style)]
        {
            #expect(line(state)?.spans.contains { $0.text == state.rawValue && $0.style == colour } == true, "\(state)")
        }
        #expect(line(.locked, isHeld: true)?.text.contains("held") == true)
    }

    @Test func theLogTellsTheMasterAndNotEachOfItsBreaths() {
        var log = LiveLog(showsSong: true), snapshot = SnapshotSamples.play
        snapshot.following = .init(name: "TR", state: .locking, tempo: 119.6, isPlaying: true)
        #expect(
            log.lines(for: snapshot, at: 0).contains {
                $0.hasPrefix("event=clock-in state=locking name=TR tempo=119.6 master=playing time=")
            })
        snapshot.following?.state = .locked
        snapshot.following?.tempo = 120
        snapshot.transport?.rate = 1.001
        let lines = log.lines(for: snapshot, at: 0.1)
        #expect(lines.count == 1 && lines[0].hasPrefix("event=clock-in state=locked name=TR tempo=120.0 master=playing"))
        snapshot.following?.tempo = 120.05
        snapshot.transport?.rate = 1.002
        #expect(log.lines(for: snapshot, at: 0.2) == [])
        snapshot.following?.tempo = 121
        #expect(log.lines(for: snapshot, at: 0.3).count == 1)
        snapshot.following?.state = .lost
        #expect(log.lines(for: snapshot, at: 0.4).first?.hasPrefix("event=clock-in state=lost") == true)
    }

    @Test func theLogHasALineForEachChange() {
        var log = LiveLog(showsSong: false), snapshot = Self.live
        let first = log.lines(for: snapshot, at: 0).filter { $0.hasPrefix("event=output") }
        #expect(
            first == [
                "event=output state=connected name=Volca carries=notes port=\"volca keys MIDI 1\" time=480000",
                "event=output state=not-connected name=Synth carries=notes reason=\"no MIDI port of this name can be played to\" "
                    + "time=480000",
                "event=output state=connected name=Volca carries=clock port=Volca time=480000",
            ])
        #expect(log.lines(for: snapshot, at: 0.1) == [])
        snapshot.outputs[1].port = "Synth"
        snapshot.outputs.removeLast()
        #expect(
            log.lines(for: snapshot, at: 0.2) == [
                "event=output state=connected name=Synth carries=notes port=Synth time=480000",
                "event=output state=gone name=Volca carries=clock time=480000",
            ])
        // The message says no more.
        #expect(LiveLog.news(["output Volca: plays out to Volca", "something else"], beside: Self.live) == ["something else"])
    }

    @Test func theKeysAreThoseOfTheMoment() {
        let table = KeyTable(.live)
        func help(_ situation: KeyTable.Situation) -> String { table.shortHelp(in: situation).joined(separator: "; ") }
        #expect(help(.init()).contains("L learn a control") && help(.init()).contains("w save the patch"))
        #expect(!help(.init()).contains("b/n") && !help(.init()).contains("scene"))
        #expect(help(.init(hasPatches: true, hasScenes: true)).contains("b/n list back/on"))
        #expect(help(.init(hasScenes: true)).contains("./, scene on/back"))
        let typing = help(.init(hasPatches: true, hasScenes: true, isTyping: true))
        #expect(typing.contains("ctrl-b/ctrl-n list back/on") && !typing.contains("; b/n") && !typing.contains("save"))
        #expect(KeyTable(.play).shortHelp().contains("b/n list back/on"))
    }
}
