import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// What stands on the screen, to the letter.
@Suite struct ScreenTests {
    static let plain = ScreenStyle(hasUnicode: false, hasColour: false)

    private func text(_ lines: [ScreenLine]) -> String {
        // A label without anything behind it is padded; here nothing stands at the end of a line.
        lines.map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }

    @Test func layersStandWithTheirDigits() {
        var snapshot = SnapshotSamples.play
        snapshot.layers = [
            .init(name: "beat", state: .on), .init(name: "choir", state: .off), .init(name: "bell", state: .going),
            .init(name: "drone", state: .coming),
        ]
        let lines = text(PlayScreen.lines(snapshot, columns: 80, style: Self.plain)).split(separator: "\n")
        #expect(lines.contains("layers    1 beat on  2 choir off  3 bell ends  4 drone next bar"))
        #expect(
            text(PlayScreen.lines(snapshot, columns: 40, style: Self.plain)).split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test func liveAt80Columns() {
        #expect(
            text(LiveScreen.lines(SnapshotSamples.live, columns: 80, style: Self.plain)) == """
                keyboard  Keystation 61 MK3  4 held
                          KeyLab 88  not connected: no rule names it; add one
                volume    0.0 dB  limiter idle
                notes     1: C4  E4  G4  2: Eb2  10: C2
                channels  > 1 Grand Piano        ########--     3 Upright Bass
                            2 String Ensemble    ###--         10 Standard Kit       ########--
                left      [###################################-----------     ] -18.3 peak  -6.1
                right     [##########################---------------          ] -30.0 peak -12.0
                dBFS       -60    -48       -36        -24  -18  -12   -6    0
                load      [#########--------                     ]  23 %  worst 46 %  12 voices
                faults    0 xruns  0 late events
                device    hw:0,0  running  48000 Hz  period 256  x 2  S16_LE x 2
                          latency 10.7 ms  SCHED_FIFO 70
                keys      / find a sound  k letters are keys  m metronome  L learn a control
                          w save the patch  s save recording  p panic  q quit  ? help
                """)
    }

    @Test func liveAt40Columns() {
        #expect(
            text(LiveScreen.lines(SnapshotSamples.live, columns: 40, style: Self.plain)) == """
                keyboard  Keystation 61 MK3  4 held
                          KeyLab 88  not connected: no r
                volume    0.0 dB  limiter idle
                notes     1: C4  E4  G4  2: Eb2  10: C2
                channels  > 1 Grand Piano     #######--
                            2 String Ensemble ###--
                           10 Standard Kit    ########-
                left      [########-- ] -18.3 peak  -6.1
                right     [######---  ] -30.0 peak -12.0
                dBFS       -60 -20   0
                load       23 %  worst 46 %  12 voices
                faults    0 xruns  0 late events
                device    hw:0,0  running  48000 Hz
                          period 256  x 2  S16_LE x 2
                          latency 10.7 ms  SCHED_FIFO 70
                keys      ? help  q quit  / find a sound
                          k letters are keys
                          m metronome  +4
                """)
    }

    @Test func liveAt200Columns() {
        #expect(
            text(LiveScreen.lines(SnapshotSamples.live, columns: 200, style: Self.plain)) == """
                keyboard  Keystation 61 MK3  4 held
                          KeyLab 88  not connected: no rule names it; add one
                volume    0.0 dB  limiter idle
                notes     1: C4  E4  G4  2: Eb2  10: C2
                channels  > 1 Grand Piano                ###########--      2 String Ensemble            #####--            3 Upright Bass                                 10 Standard Kit               ###########---
                left      [###################################################################################-------------------------            ] -18.3 peak  -6.1
                right     [############################################################------------------------------------                        ] -30.0 peak -12.0
                dBFS       -60                  -48                     -36                     -24         -18         -12          -6           0
                load      [#########---------                      ]  23 %  worst 46 %  12 voices
                faults    0 xruns  0 late events
                device    hw:0,0  running  48000 Hz  period 256  x 2  S16_LE x 2  latency 10.7 ms  SCHED_FIFO 70
                keys      / find a sound  k letters are keys  m metronome  L learn a control  w save the patch  s save recording  p panic  q quit  ? help
                """)
    }

    @Test(arguments: [true, false]) func theLimiterIsShownOnceItHasHadToWork(_ isLive: Bool) {
        var snapshot = isLive ? SnapshotSamples.live : SnapshotSamples.play
        func line() -> String? {
            let lines =
                isLive
                ? LiveScreen.lines(snapshot, columns: 80, rows: 40, style: Self.plain)
                : PlayScreen.lines(snapshot, columns: 80, rows: 40, style: Self.plain)
            return text(lines).split(separator: "\n").map(String.init).first { $0.hasPrefix("limiter") }
        }
        #expect(line() == nil)
        (snapshot.seconds, snapshot.gain, snapshot.limiter.now, snapshot.limiter.most) = (10, 1, 0.4, 3.2)
        snapshot.limiter.reducedSeconds = 2.5
        #expect(line() == "limiter   0.4 dB  most 3.2 dB  25 % of the time  --gain -3 avoids it")
    }

    @Test func liveBeforeAnythingHasHappened() {
        #expect(
            text(LiveScreen.lines(SessionSnapshot(), columns: 80, style: Self.plain)) == """
                keyboard  none; one that is plugged in plays at once
                volume    0.0 dB  limiter idle
                notes
                load      [                                        ]   0 %  worst 0 %  0 voices
                faults    0 xruns  0 late events
                device    none open  opening
                keys      / find a sound  k letters are keys  m metronome  L learn a control
                          w save the patch  s save recording  p panic  q quit  ? help
                """)
    }

    @Test func playAt80Columns() {
        let lines = PlayScreen.lines(
            SnapshotSamples.play, columns: 80, style: Self.plain, message: "saved evening.mid", waitingKeys: "o ")
        #expect(
            text(lines) == """
                song      2/3 pachelbel-canon.mid  playing
                position  1:02 [###############                                 ] 3:20  bar 17:2
                played    tempo 54.0  x 1.05  transpose +2  repeats  volume 0.0 dB  limiter idle
                channels    1 Grand Piano        ########--     3 mute Upright Bass
                            2 String Ensemble    ###--         10 Standard Kit       ########--
                notes
                left      [###################################-----------     ] -18.3 peak  -6.1
                right     [##########################---------------          ] -30.0 peak -12.0
                dBFS       -60    -48       -36        -24  -18  -12   -6    0
                load      [#########--------                     ]  23 %  worst 46 %  12 voices
                faults    3 xruns  (1 render late)  (2 driver)  1 late event
                device    hw:0,0  running  48000 Hz (wanted 44100)  period 256  x 2 (wanted 3)
                          S16_LE x 2  latency 10.7 ms  SCHED_FIFO 70
                key       o ...
                          saved evening.mid
                keys      space play/pause  b/n list back/on  s save recording  p panic  q quit
                          ? help
                """)
    }

    @Test func playAt40Columns() {
        #expect(
            text(PlayScreen.lines(SnapshotSamples.play, columns: 40, style: Self.plain)) == """
                song      2/3 pachelbel-canon.m  playing
                position  1:02 [##      ] 3:20  bar 17:2
                played    tempo 54.0  x 1.05
                          transpose +2  repeats
                          volume 0.0 dB  limiter idle
                channels    1 Grand Piano     #######--
                            2 String Ensemble ###--
                            3 mute Upright Ba
                           10 Standard Kit    ########-
                notes
                left      [########-- ] -18.3 peak  -6.1
                right     [######---  ] -30.0 peak -12.0
                dBFS       -60 -20   0
                load       23 %  worst 46 %  12 voices
                faults    3 xruns  (1 render late)
                          (2 driver)  1 late event
                device    hw:0,0  running
                          48000 Hz (wanted 44100)
                          period 256  x 2 (wanted 3)
                          S16_LE x 2  latency 10.7 ms
                          SCHED_FIFO 70
                keys      ? help  q quit
                          space play/pause
                          b/n list back/on  +2
                """)
    }

    @Test func playAt200Columns() {
        #expect(
            text(PlayScreen.lines(SnapshotSamples.play, columns: 200, style: Self.plain)) == """
                song      2/3 pachelbel-canon.mid  playing
                position  1:02 [#####################################                                                                                   ] 3:20  bar 17:2
                played    tempo 54.0  x 1.05  transpose +2  repeats  volume 0.0 dB  limiter idle
                channels    1 Grand Piano                ###########--      2 String Ensemble            #####--            3 mute Upright Bass                            10 Standard Kit               ###########---
                notes
                left      [###################################################################################-------------------------            ] -18.3 peak  -6.1
                right     [############################################################------------------------------------                        ] -30.0 peak -12.0
                dBFS       -60                  -48                     -36                     -24         -18         -12          -6           0
                load      [#########---------                      ]  23 %  worst 46 %  12 voices
                faults    3 xruns  (1 render late)  (2 driver)  1 late event
                device    hw:0,0  running  48000 Hz (wanted 44100)  period 256  x 2 (wanted 3)  S16_LE x 2  latency 10.7 ms  SCHED_FIFO 70
                keys      space play/pause  b/n list back/on  s save recording  p panic  q quit  ? help
                """)
    }

    @Test func playWithAllItsKeysHasRoomIn24Rows() {
        let lines = PlayScreen.lines(SnapshotSamples.play, columns: 80, rows: 23, style: Self.plain, helpPage: 1)
        #expect(
            text(lines) == """
                song      2/3 pachelbel-canon.mid  playing
                position  1:02 [###############                                 ] 3:20  bar 17:2
                played    tempo 54.0  x 1.05  transpose +2  repeats  volume 0.0 dB  limiter idle
                channels    1 Grand Piano        ########--     3 mute Upright Bass
                            2 String Ensemble    ###--         10 Standard Kit       ########--
                notes
                left      [###################################-----------     ] -18.3 peak  -6.1
                right     [##########################---------------          ] -30.0 peak -12.0
                dBFS       -60    -48       -36        -24  -18  -12   -6    0
                load      [#########--------                     ]  23 %  worst 46 %  12 voices
                faults    3 xruns  (1 render late)  (2 driver)  1 late event
                device    hw:0,0  running  48000 Hz (wanted 44100)  period 256  x 2 (wanted 3)
                          S16_LE x 2  latency 10.7 ms  SCHED_FIFO 70
                keys      q quit  ? close  space play/pause  left/right 5 s back/on
                          down/up a bar back/on  J/j marker back/on  home to the beginning
                          b/n list back/on  B/N song back/on  -/+ slower/faster
                          [/] song a semitone down/up  r tempo and pitch as written  l repeat
                          1-9 0 mute channel 1-10  ; 1-6 mute channel 11-16  o 1-9 0 solo
                          u all channels  y 1-9 layer  </> quieter/louder  t tap the tempo
                          S stage view  w save the patch  s save recording  p panic
                """)
    }

    @Test func inFewRowsStaysWhatMattersMost() {
        #expect(
            text(PlayScreen.lines(SnapshotSamples.play, columns: 80, rows: 8, style: Self.plain)) == """
                song      2/3 pachelbel-canon.mid  playing
                position  1:02 [###############                                 ] 3:20  bar 17:2
                played    tempo 54.0  x 1.05  transpose +2  repeats  volume 0.0 dB  limiter idle
                faults    3 xruns  (1 render late)  (2 driver)  1 late event
                device    hw:0,0  running  48000 Hz (wanted 44100)  period 256  x 2 (wanted 3)
                          S16_LE x 2  latency 10.7 ms  SCHED_FIFO 70
                keys      space play/pause  b/n list back/on  s save recording  p panic  q quit
                          ? help
                """)
    }

    @Test(arguments: [1, 2, 9, 20, 39, 61, 100, 300]) func noLineIsWiderAndNoScreenHigherThanAllowed(_ columns: Int) {
        var crowded = SnapshotSamples.play
        crowded.transport?.song = "\u{6625}\u{306E}\u{6D77}\u{1F3B9} and a very long name for so short a song.mid"
        crowded.transport?.channels = Array(1...16)
        crowded.sources = (1...9).map { SnapshotSamples.source("Keyboard \u{1F3B9} number \($0)", isConnected: $0 % 2 == 0) }
        crowded.notes = (0...127).map { SnapshotSamples.note(channel: $0 % 3 + 1, key: $0) }
        crowded.levels = (0..<12).map { _ in SnapshotSamples.level(average: .infinity, peak: .nan) }
        crowded.load = .nan
        crowded.worstLoad = 1e300
        for style in [Self.plain, ScreenStyle(hasUnicode: true, hasColour: true)] {
            for rows in [1, 3, 10, 60] {
                let screens = [
                    LiveScreen.lines(crowded, columns: columns, rows: rows, style: style, helpPage: 1),
                    PlayScreen.lines(crowded, columns: columns, rows: rows, style: style, helpPage: 1),
                ]
                for lines in screens {
                    #expect((1...rows).contains(lines.count))
                    for line in lines { #expect(line.columns <= columns, "\(line.text)") }
                }
            }
        }
    }

    @Test func namesCannotCommandTheTerminal() {
        var snapshot = SnapshotSamples.play
        snapshot.transport?.song = "a\u{1B}[2Jb\u{9B}1mc\u{202E}"
        snapshot.device.name = "hw\u{7}"
        snapshot.device.state = "\r\n"
        for line in PlayScreen.lines(snapshot, columns: 80, style: ScreenStyle(hasUnicode: true, hasColour: false)) {
            #expect(line.text.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) })
        }
    }

    @Test func withoutUnicodeEverythingIsASCII() {
        var snapshot = SnapshotSamples.play
        snapshot.transport?.song = "caf\u{E9}"
        for line in PlayScreen.lines(snapshot, columns: 80, style: Self.plain) {
            #expect(line.text.utf8.allSatisfy { $0 < 128 })
        }
        let bars = PlayScreen.lines(snapshot, columns: 80, style: ScreenStyle(hasUnicode: true, hasColour: false))
        #expect(bars.contains { $0.text.contains("\u{2588}\u{2592}") } && bars[0].text.contains("caf\u{E9}"))
    }

    @Test func aChannelsLevelIsInTheColoursOfADesk() throws {
        let style = ScreenStyle(hasUnicode: true, hasColour: true)
        let cell = ChannelGrid.Cell(
            number: 3, level: SnapshotSamples.level(average: -12, peak: -1),
            sound: SoundPreset(bank: 0, program: 4, name: "Piano\u{1B}[2J"))
        let line = try #require(ChannelGrid(cells: [cell], columns: 34, style: style).lines.first)
        #expect(line.text.hasPrefix("  3 Piano?[2J") && line.columns == 34)
        let full = style.full, between = style.between
        #expect(
            line.spans.suffix(3) == [
                ScreenLine.Span(text: String(repeating: full, count: 8), style: .green),
                ScreenLine.Span(text: "\(full)\(between)", style: .yellow),
                ScreenLine.Span(text: "\(between)", style: .red),
            ])
    }

    @Test(arguments: [40, 80, 100, 140]) func aSongWithWordsShowsThemWhole(_ columns: Int) {
        for style in [Self.plain, ScreenStyle(hasUnicode: true, hasColour: true)] {
            let lines = PlayScreen.lines(SnapshotSamples.karaoke, columns: columns, rows: 40, style: style)
            let shown = lines.map(\.text)
            #expect(shown.contains { $0.hasPrefix("words     How I won|der what you are") })
            #expect(shown.contains { $0.hasPrefix("          Up above the world so high") })
            #expect(shown.contains { $0.hasPrefix("next      bach-air.mid") })
            #expect(shown.contains { $0.hasPrefix("marker    2/4 Verse 2") })
            for number in 1...16 { #expect(shown.contains { $0.contains(" \(number) ") }) }
            #expect(shown.contains { $0.contains(" 2 solo") } && shown.contains { $0.contains(" 3 mute Harp") })
            #expect(lines.allSatisfy { $0.columns <= columns })
        }
    }

    @Test func ofALongLineWhatIsSungStaysInSight() throws {
        var snapshot = SnapshotSamples.karaoke
        snapshot.transport?.lyrics?.sung = String(repeating: "la ", count: 30) + "li"
        let line = try #require(
            PlayScreen.lines(snapshot, columns: 50, style: Self.plain).first { $0.text.hasPrefix("words") })
        #expect(line.text.hasPrefix("words     ..") && line.text.contains("la li|der what you are") && line.columns <= 50)
    }

    private func live(_ hand: LiveHand, _ change: (inout SessionSnapshot) -> Void = { _ in }) -> [String] {
        var snapshot = SnapshotSamples.live
        change(&snapshot)
        let lines = LiveScreen.lines(snapshot, columns: 80, rows: 30, style: Self.plain, hand: hand)
        return text(lines).split(separator: "\n").map(String.init)
    }

    @Test func whatThePlayerHasInHandIsShown() {
        var hand = LiveHand(choice: SoundChoice(SnapshotSamples.presets))
        hand.choice.step(1, in: SnapshotSamples.sixteenChannels)
        _ = hand.typing.toggle()
        _ = hand.typing.toggleHold()
        let lines = live(hand) { snapshot in
            snapshot.volume = -3
            snapshot.keyTranspose = -12
            snapshot.limiter.now = 0.44
            snapshot.metronome = SnapshotSamples.metronome(tempo: 96, beats: 3, beat: 2)
        }
        #expect(lines.contains("volume    -3.0 dB  limiter -0.4 dB  keys -12  metronome 96  beat 2/3"))
        #expect(lines.contains("          letters are keys, held"))
        #expect(lines.contains { $0.contains("> 2 String Ensemble") } && !lines.contains { $0.contains("> 1") })
    }

    @Test func aSearchShowsWhatItFinds() {
        var hand = LiveHand(choice: SoundChoice(SnapshotSamples.presets))
        hand.choice.beginSearch()
        for character in "str" { _ = hand.choice.take(.character(character)) }
        _ = hand.choice.take(.down)
        let lines = live(hand)
        let find = lines.firstIndex { $0.hasPrefix("find") } ?? 0
        #expect(
            Array(lines[find..<(find + 4)]) == [
                "find      str_  3 sounds for channel 1", "               0:25  Steel Strings",
                "          >    0:48  String Ensemble", "               0:50  Synth Strings",
            ])
    }

    @Test func aSearchWithoutSoundsSaysSo() {
        var hand = LiveHand()
        hand.choice.beginSearch()
        for character in "organ" { _ = hand.choice.take(.character(character)) }
        #expect(live(hand).contains("find      organ_  no sounds to choose in this patch"))
    }

    @Test func scenesAndWhatIsLearnedAreShown() {
        var hand = LiveHand()
        let lines = live(hand) { snapshot in
            (snapshot.scenes, snapshot.scene) = (["verse", "chorus"], "chorus")
            snapshot.learning = "reverb.decay"
        }
        #expect(lines.contains("scenes    verse  > chorus"))
        #expect(lines.contains("learn     reverb.decay  move its control; esc: none"))
        hand.names = NameChoice(
            .learn, among: ["reverb.decay", "reverb.mix", "strip-1.gain"].map { .init(name: $0, command: .learn($0)) })
        for character in "rev" { _ = hand.names?.take(.character(character)) }
        let found = live(hand)
        let find = found.firstIndex { $0.hasPrefix("find") } ?? 0
        #expect(
            Array(found[find..<(find + 3)]) == [
                "find      rev_  2 parameters and requests; enter, then move a control", "          > reverb.decay",
                "            reverb.mix",
            ])
    }

    @Test func theEnvironmentChoosesTheStyle() {
        func style(_ variables: [String: String]) -> ScreenStyle { ScreenStyle { variables[$0] } }
        #expect(style([:]) == ScreenStyle(hasUnicode: false, hasColour: true))
        #expect(style(["LANG": "de_DE.UTF-8"]) == ScreenStyle(hasUnicode: true, hasColour: true))
        #expect(style(["LANG": "C.utf8", "LC_ALL": "C"]).hasUnicode == false)
        #expect(style(["LC_ALL": "", "LC_CTYPE": "C.UTF-8"]).hasUnicode)
        #expect(style(["NO_COLOR": "1"]).hasColour == false)
        #expect(style(["NO_COLOR": ""]).hasColour)
    }

    @Test func coloursChangeNoLetter() {
        let lines = LiveScreen.lines(SnapshotSamples.live, columns: 80, style: Self.plain)
        for line in lines {
            let encoded = line.encoded(hasColour: true)
            #expect(encoded.replacing(/\u{1B}\[[0-9]*m/, with: "") == line.text)
            #expect(line.encoded(hasColour: false) == line.text)
        }
        #expect(lines.contains { $0.encoded(hasColour: true).contains("\u{1B}[32m") })
    }

    @Test(arguments: [(0, "C-1"), (21, "A0"), (60, "C4"), (61, "C#4"), (69, "A4"), (127, "G9")])
    func notesHaveTheirNames(_ key: Int, _ name: String) { #expect(Screen.name(ofKey: key) == name) }

    @Test func levelsStandWhereTheyBelongOnTheScale() {
        #expect(LevelScale.place(-60) == 0 && LevelScale.place(0) == 1 && LevelScale.place(-30) == 0.5)
        #expect(LevelScale.place(-.infinity) == 0 && LevelScale.place(6) == 1)
        #expect(LevelScale.text(SnapshotSamples.level(average: -.infinity, peak: -100.04)) == "  -inf peak-100.0")
        #expect(LevelScale.text(SnapshotSamples.level(average: -3, peak: 0)).count == LevelScale.textColumns)
    }
}
