import Carillon
import Control
import Installations
import Testing

@testable import CarillonCommand
@testable import Sessions

/// What a player's keys lead to: channels, sounds, a search, letters that are notes.
@Suite struct PlayerKeysTests {
    /// A session that does what it is told: sounds, volume, transposition and metronome are as the keys have left them.
    private struct Player {
        var interpreter = KeyInterpreter(KeyTable(.live), presets: SnapshotSamples.presets) { purpose in
            purpose == .learn
                ? ["strip-1.gain", "reverb.decay", "reverb.mix"].map { .init(name: $0, command: .learn($0)) }
                : ["soundfont", "reverb"].map { .init(name: $0, command: .panic(.unit($0))) }
        }
        var snapshot = SnapshotSamples.live

        mutating func press(_ keys: [Key]) -> [ControlCommand] {
            keys.flatMap { key -> [ControlCommand] in
                guard case .commands(let commands) = interpreter.outcome(of: key, at: snapshot) else { return [] }
                for command in commands { obey(command) }
                return commands
            }
        }

        mutating func type(_ text: String) -> [ControlCommand] { press(text.map(Key.character)) }

        private mutating func obey(_ command: ControlCommand) {
            // As a line says it: its words, then the values.
            let words = ControlGrammar.installation.text(command).split(separator: " ").map(String.init)
            let numbers = words.dropFirst().compactMap { Double($0.hasSuffix("dB") ? String($0.dropLast(2)) : $0) }
            switch words[0] {
            case "program":
                guard let place = snapshot.channels.firstIndex(where: { $0.number == Int(numbers[0]) }) else { return }
                snapshot.channels[place].sound = SnapshotSamples.presets.first {
                    $0.bank == Int(numbers[1]) && $0.program == Int(numbers[2])
                }
            case "volume": snapshot.volume = numbers[0]
            case "keys": snapshot.keyTranspose = Int(numbers[0])
            case "metronome":
                let tempo = numbers.first ?? snapshot.metronome?.tempo ?? 120
                snapshot.metronome = SnapshotSamples.metronome(isRunning: words[1] == "on", tempo: tempo)
            case "learn": snapshot.learning = words[1] == "off" ? nil : words[1]
            default: break
            }
        }
    }

    @Test func aControlIsLearnedForAParameterThatIsFound() {
        var player = Player()
        #expect(player.type("Ldec") == [])
        #expect(player.interpreter.names?.matches == ["reverb.decay"])
        #expect(player.press([.enter]) == [.learn("reverb.decay")] && player.interpreter.names == nil)
        #expect(player.press([.escape]) == [.learn(nil)])
        #expect(player.type("L") == [] && player.press([.down, .enter]) == [.learn("reverb.decay")])
        #expect(player.press([.escape]) == [.learn(nil)])
        #expect(player.type("Lnothing") == [] && player.press([.enter]) == [] && player.interpreter.names == nil)
        #expect(player.type("L") == [] && player.press([.escape]) == [] && player.interpreter.names == nil)
        #expect(player.type("Xrev") == [] && player.press([.enter]) == [.panic(.unit("reverb"))])
    }

    @Test func scenesAndThePatchHaveKeys() {
        var player = Player()
        #expect(player.type(".,w") == [.scene(.next), .scene(.previous), .savePatch(path: nil)])
    }

    @Test func keysWalkThroughTheSoundsOfAChannel() {
        var player = Player()
        #expect(
            player.type("vv") == [
                .program(channel: 1, bank: 0, program: 25), .program(channel: 1, bank: 0, program: 48),
            ])
        // Melodic sounds end where the kits begin, and begin at the first.
        #expect(player.press([.pageDown, .character("v")]) == [.program(channel: 1, bank: 8, program: 0)])
        #expect(player.press([.pageUp, .character("V")]) == [.program(channel: 1, bank: 0, program: 0)])
        #expect(player.type("cv") == [.program(channel: 2, bank: 0, program: 50)])
        #expect(player.type("CC") == [])
        // Round the end of those that there are.
        #expect(player.interpreter.choice.channel == 10)
    }

    @Test func aDrumChannelWalksThroughKits() {
        var choice = SoundChoice(SnapshotSamples.presets)
        let kit = SnapshotSamples.presets[5]
        var snapshot = SnapshotSamples.sixteenChannels
        snapshot.channels[0].sound = kit
        #expect(choice.commands(steps: 1, in: snapshot) == [.program(channel: 1, bank: 128, program: 40)])
        #expect(choice.commands(steps: -1, in: snapshot) == [])
        choice.step(-1, in: snapshot)
        #expect(choice.channel == 16)
    }

    /// `C`, `c`, `v` and `/` are about the zone that is selected, whatever channel it plays.
    @Test func keysChooseTheSoundOfAZone() {
        var player = Player()
        player.snapshot.zones = [
            .init(name: "left", keys: "C-1-B3", plays: "bass", channel: 225, sound: SnapshotSamples.presets[0], isHeard: true),
            .init(name: "right", keys: "C4-G9", plays: "piano", channel: 241, sound: SnapshotSamples.presets[1], isHeard: true),
        ]
        let presets = SnapshotSamples.presets
        #expect(player.type("v") == [.program(zone: "left", bank: presets[1].bank, program: presets[1].program)])
        #expect(player.type("cV") == [.program(zone: "right", bank: presets[0].bank, program: presets[0].program)])
        #expect(player.type("/grand") == [])
        #expect(player.press([.enter]) == [.program(zone: "right", bank: presets[0].bank, program: presets[0].program)])
        #expect(player.type("c/grand") == [])
        #expect(player.press([.enter]) == [.program(zone: "left", bank: presets[0].bank, program: presets[0].program)])
    }

    @Test func aSearchFindsByNameAndNumberAndEnterTakes() {
        var player = Player()
        #expect(player.type("/PiANo") == [])
        #expect(player.interpreter.choice.matches.map(\.name) == ["Grand Piano", "Piano, Wide"])
        // Keys that mean something else type now.
        #expect(player.type(" wq") == [] && player.interpreter.choice.matches.isEmpty)
        #expect(player.press([.enter]) == [] && player.interpreter.choice.search == nil)
        #expect(player.type("/128:") == [])
        #expect(player.press([.down, .down, .enter]) == [.program(channel: 1, bank: 128, program: 40)])
        #expect(player.type("/x") == [] && player.press([.backspace, .backspace]) == [])
        #expect(player.interpreter.choice.search == nil)
        #expect(player.type("/") == [] && player.press([.escape]) == [])
        #expect(player.type("qq") == [.quit])
        #expect(player.type("/q") == [] && player.press([.control("d"), .control("d")]) == [.quit])
    }

    @Test func whatBeginsAWordComesBeforeWhatIsInsideOne() {
        let random = SoundPreset(bank: 0, program: 1, name: "Random")
        var choice = SoundChoice([SnapshotSamples.presets[0], SnapshotSamples.presets[4], random])
        choice.beginSearch()
        for character in "and" { _ = choice.take(.character(character)) }
        #expect(choice.matches.map(\.name) == ["Grand Piano", "Random"])
        _ = choice.take(.backspace)
        _ = choice.take(.backspace)
        _ = choice.take(.backspace)
        for character in "ra" { _ = choice.take(.character(character)) }
        #expect(choice.matches.map(\.name) == ["Random", "Grand Piano"])
    }

    @Test func lettersOfASearchAreNoCommandsWhereThereAreNoSounds() {
        var interpreter = KeyInterpreter(KeyTable(.live))
        #expect(interpreter.outcome(of: .character("v"), at: SessionSnapshot()) == .commands([]))
        for character in "/quiet pad" {
            #expect(interpreter.outcome(of: .character(character), at: SessionSnapshot()) == .commands([]))
        }
        #expect(interpreter.choice.search?.text == "quiet pad" && interpreter.choice.matches.isEmpty)
        // Another patch of the set list sounds meanwhile.
        interpreter.offer(SnapshotSamples.presets)
        #expect(interpreter.outcome(of: .character("q"), at: SessionSnapshot()) == .commands([]))
        #expect(interpreter.outcome(of: .enter, at: SessionSnapshot()) == .commands([]))
        #expect(interpreter.choice.search == nil)
        #expect(interpreter.outcome(of: .character("q"), at: SessionSnapshot()) == .commands([.quit]))
    }

    /// While a key of a keyboard is down, the session ends at the second q in a row, within a few seconds.
    @Test func heldKeysAskBeforeQuitting() {
        var interpreter = KeyInterpreter(KeyTable(.live)), held = SessionSnapshot()
        held.sources = [.init(name: "Keystation", identity: "usb", isConnected: true, reason: "", heldNotes: 1, events: 1)]
        let confirmation = KeyInterpreter.Outcome.confirmation("keys are down")
        #expect(interpreter.outcome(of: .character("q"), at: held) == confirmation)
        for (key, outcome) in [("p", .commands([.panic(.all)])), ("?", .help)] as [(Character, KeyInterpreter.Outcome)] {
            #expect(interpreter.outcome(of: .character(key), at: held) == outcome)
            #expect(interpreter.outcome(of: .character("q"), at: held) == confirmation)
        }
        held.seconds = 6
        #expect(interpreter.outcome(of: .character("q"), at: held) == confirmation)
        held.seconds = 10
        #expect(interpreter.outcome(of: .character("q"), at: held) == .commands([.quit]))
    }

    @Test func loopsThatNoFileHasAskBeforeQuitting() {
        var interpreter = KeyInterpreter(KeyTable(.live)), snapshot = SessionSnapshot()
        for (state, isSaved, asks) in [("empty", false, false), ("playing", true, false), ("stopped", false, true)] {
            snapshot.loops = [
                .init(
                    track: 1, state: state, seconds: 1, beats: 2, position: 0, layers: 1, undone: 0, isMuted: false,
                    isSoloed: false, isSaved: isSaved)
            ]
            let outcome = interpreter.outcome(of: .character("q"), at: snapshot)
            #expect((outcome != .commands([.quit])) == asks, "\(state) \(outcome)")
        }
        #expect(interpreter.outcome(of: .character("q"), at: snapshot) == .commands([.quit]))
    }

    @Test func lettersAreTwoOctaves() {
        #expect("zsxdcvgbhnjm".map(TypingKeys.key) == (60..<72).map { $0 })
        #expect("q2w3er5t6y7u".map(TypingKeys.key) == (72..<84).map { $0 })
        #expect(TypingKeys.key(of: "k") == nil && TypingKeys.key(of: "Z") == nil)
    }

    @Test func lettersAreNotesOnceTheyAreAskedToBe() {
        var player = Player()
        #expect(player.type("z") == [])
        #expect(
            player.type("kzq") == [
                .note(channel: 1, key: 60, velocity: 100, seconds: 0.5), .note(channel: 1, key: 72, velocity: 100, seconds: 0.5),
            ])
        // A neighbour of a note does nothing, and the other keys what they always do.
        #expect(player.type("a14f>") == [.volume(1)])
        #expect(player.press([.tab]) == [])
        #expect(player.type("x ") == [.note(channel: 1, key: 62, velocity: 100, seconds: nil), .releaseNotes])
        #expect(player.type("CCC") == [] && player.type("x") == [.note(channel: 2, key: 62, velocity: 100, seconds: nil)])
        // Octaves are the letters' own meanwhile.
        #expect(player.type("((z)") == [.note(channel: 2, key: 36, velocity: 100, seconds: nil)])
        #expect(player.type("z)") == [.note(channel: 2, key: 48, velocity: 100, seconds: nil)])
        #expect(player.press([.tab]) == [.releaseNotes])
        #expect(player.press([.escape]) == [.releaseNotes])
        #expect(player.type("xkk") == [.panic(.channel(2)), .releaseNotes])
    }

    @Test func volumeTranspositionAndMetronomeCountFromWhereTheyStand() {
        var player = Player()
        #expect(player.type(">><") == [.volume(1), .volume(2), .volume(1)])
        #expect(player.type("))}{") == [.transposeKeys(1), .transposeKeys(2), .transposeKeys(14), .transposeKeys(2)])
        #expect(player.type("+") == [])
        #expect(
            player.type("m+=-m") == [
                .metronome(true, tempo: nil), .metronome(true, tempo: 122), .metronome(true, tempo: 124),
                .metronome(true, tempo: 122), .metronome(false, tempo: nil),
            ])
        #expect(player.type("M") == [.set("metronome.beats=5")])
    }

    @Test func inPlayTheVolumeHasTheSameKeys() {
        var interpreter = KeyInterpreter(KeyTable(.play))
        #expect(interpreter.outcome(of: .character("<"), at: SnapshotSamples.play) == .commands([.volume(-1)]))
        #expect(interpreter.outcome(of: .character("k"), at: SnapshotSamples.play) == .nothing)
    }
}
