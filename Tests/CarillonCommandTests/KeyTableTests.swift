import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// The table of keys: what the help says is what the keys do.
@Suite struct KeyTableTests {
    private static var playing: SessionSnapshot {
        var snapshot = SessionSnapshot()
        snapshot.transport = SnapshotSamples.transport
        return snapshot
    }

    private func commands(
        _ keys: [Key], on surface: KeyTable.Surface = .play, at snapshot: SessionSnapshot = playing
    ) -> [ControlCommand] {
        var interpreter = KeyInterpreter(KeyTable(surface))
        return keys.flatMap { key -> [ControlCommand] in
            if case .commands(let commands) = interpreter.outcome(of: key, at: snapshot) { return commands }
            return []
        }
    }

    private func typed(_ text: String) -> [Key] { text.map(Key.character) }

    @Test(arguments: [KeyTable.Surface.live, .play]) func noKeyStandsTwice(_ surface: KeyTable.Surface) {
        let keys = KeyTable(surface).bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for binding in KeyTable(surface).bindings { #expect(binding.keys.count == binding.actions.count) }
    }

    @Test func theHelpNamesEveryKey() {
        let songs = [
            "space play/pause", "left/right 5 s", "down/up a bar", "J/j marker", "[/] song a semitone", "o 1-9 0 solo",
            "l repeat", "B/N song",
        ]
        let all = ["-/+ slower", "s save", "p panic", "q quit", "? help", "b/n list"]
        let keys = ["C/c zone", "k letters", "P 1-4 panic of one keyboard", "./, scene"]
        for (table, situation, shown) in [
            (KeyTable(.play), KeyTable.Situation(), songs + all), (KeyTable(.live), KeyTable.Situation(), all + keys),
            (KeyTable(.live), KeyTable.Situation(hasSongs: true), songs + all + keys),
        ] {
            let help = table.help(in: situation).joined(separator: "  ")
            for word in songs + all + keys { #expect(help.contains(word) == shown.contains(word), "\(word)") }
        }
    }

    @Test func theReferenceHasTheKeysOfTheTable() {
        let page = Program.package + "/Sources/Carillon/Carillon.docc/Reference/Keys.md"
        let isCurrent = String(decoding: bytes(page), as: UTF8.self) == KeyTable(.live).markdown + "\n"
        #expect(isCurrent, "make it with: carillon keys --markdown > Sources/Carillon/Carillon.docc/Reference/Keys.md")
    }

    @Test func theReferenceHasTheOpcodesOfTheTable() {
        let page = Program.package + "/Sources/Carillon/Carillon.docc/Reference/SFZ.md"
        let isCurrent = String(decoding: bytes(page), as: UTF8.self) == SFZCommand.markdown + "\n"
        #expect(isCurrent, "make it with: carillon sfz --markdown > Sources/Carillon/Carillon.docc/Reference/SFZ.md")
    }

    /// A key means the same on both screens.
    @Test func playHasNoKeyOfItsOwn() {
        for binding in KeyTable(.play).bindings {
            for key in binding.keys { #expect(KeyTable(.live).action(of: key) == KeyTable(.play).action(of: key)) }
        }
    }

    @Test func theListIsThatOfPatchesElseOfSongs() {
        var snapshot = Self.playing
        #expect(commands(typed("bnBN"), on: .live, at: snapshot) == [.previous, .next, .previous, .next])
        snapshot.patches = .init(name: "organ", number: 1, count: 2)
        #expect(commands(typed("bnBN"), on: .live, at: snapshot) == [.patch(.previous), .patch(.next), .previous, .next])
        // The tempo is the song's, or without one the metronome's.
        #expect(commands(typed("+"), on: .live, at: snapshot) == [.tempo(1.05)])
        (snapshot.transport, snapshot.metronome) = (nil, SnapshotSamples.metronome(tempo: 96))
        #expect(commands(typed("+"), on: .live, at: snapshot) == [.metronome(true, tempo: 98)])
    }

    @Test func aLayerHasADigit() {
        var snapshot = Self.playing
        snapshot.layers = [
            .init(name: "beat", state: .on), .init(name: "choir", state: .off), .init(name: "bell", state: .going),
        ]
        #expect(
            commands(typed("y1y2y3y4"), at: snapshot) == [.layer("beat", false), .layer("choir", true), .layer("bell", true)])
        // Without the y it is a channel's.
        #expect(commands(typed("y") + [.escape] + typed("1"), at: snapshot) == [.mute(channel: 1, true)])
    }

    @Test func keysBecomeCommands() {
        #expect(commands([.character(" ")]) == [.togglePlay])
        #expect(commands([.left, .right]) == [.seek(.bySeconds(-5)), .seek(.bySeconds(5))])
        #expect(commands([.down, .up]) == [.seek(.byBars(-1)), .seek(.byBars(1))])
        #expect(commands(typed("Jj")) == [.seek(.byMarkers(-1)), .seek(.byMarkers(1))])
        #expect(commands(typed("bnspq")) == [.previous, .next, .saveRecording(path: nil), .panic(.all), .quit])
        #expect(commands([.home, .control("d")]) == [.seek(.seconds(0)), .quit])
        #expect(commands([.paste, .unknown, .character("\u{E9}"), .tab]) == [])
    }

    @Test func digitsAreThePanicOfOneKeyboardInTheScreensOrder() {
        let live = SnapshotSamples.live
        #expect(commands(typed("P1P2"), on: .live, at: live) == live.keyboards.map { .panic(.source($0.identity)) })
        #expect(live.keyboards.map(\.isConnected) == [true, false])
        #expect(commands(typed("P3P") + [.escape] + typed("1"), on: .live, at: live) == [])
    }

    @Test func tempoAndPitchCountFromWhereTheyStand() {
        #expect(commands(typed("++-")) == [.tempo(1.05), .tempo(1.1), .tempo(1.05)])
        #expect(commands(typed("]][")) == [.transpose(1), .transpose(2), .transpose(1)])
        #expect(commands(typed("+]r+")) == [.tempo(1.05), .transpose(1), .tempo(1), .transpose(0), .tempo(1.05)])
        var snapshot = Self.playing
        snapshot.transport?.rate = 10
        snapshot.transport?.transpose = -48
        #expect(commands(typed("+["), at: snapshot) == [.tempo(10), .transpose(-48)])
    }

    @Test func aNewSnapshotIsWhatCounts() {
        var interpreter = KeyInterpreter(KeyTable(.play))
        var snapshot = Self.playing
        #expect(interpreter.outcome(of: .character("+"), at: snapshot) == .commands([.tempo(1.05)]))
        snapshot.transport?.rate = 0.5
        #expect(interpreter.outcome(of: .character("+"), at: snapshot) == .commands([.tempo(0.55)]))
    }

    @Test func loopAndMutesToggle() {
        #expect(commands(typed("lll")) == [.repeats(.all), .repeats(.one), .repeats(.off)])
        #expect(
            commands(typed("330")) == [
                .mute(channel: 3, true), .mute(channel: 3, false), .mute(channel: 10, true),
            ])
    }

    @Test func prefixesSoloAndReachTheLastChannels() {
        #expect(commands(typed("o4o4")) == [.solo(channel: 4, true), .solo(channel: 4, false)])
        #expect(commands(typed(";6;7")) == [.mute(channel: 16, true)])
        #expect(commands(typed("o;2;o2")) == [.solo(channel: 12, true), .solo(channel: 12, false)])
        #expect(commands(typed("oq4")) == [.quit, .mute(channel: 4, true)])
        #expect(commands([.character("o"), .escape, .character("4")]) == [.mute(channel: 4, true)])
        #expect(
            commands(typed("3o4u3")) == [
                .mute(channel: 3, true), .solo(channel: 4, true), .mute(channel: 3, false), .solo(channel: 4, false),
                .mute(channel: 3, true),
            ])
    }

    @Test func aWaitingPrefixIsShown() {
        var interpreter = KeyInterpreter(KeyTable(.play))
        #expect(interpreter.waitingKeys == nil)
        _ = interpreter.outcome(of: .character("o"), at: Self.playing)
        _ = interpreter.outcome(of: .character(";"), at: Self.playing)
        #expect(interpreter.waitingKeys == "o ; ")
    }

    @Test func withoutASongSongKeysDoNothing() {
        #expect(commands(typed("+]lr3"), at: SessionSnapshot()) == [])
    }
}
