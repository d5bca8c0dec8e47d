import Carillon
import Graphs
import MIDI
import Patches
import RealtimeCore
import Sequencer
import SongFiles
import Testing

@testable import Sessions

@Suite struct JournalTests {
    /// One entry of every kind.
    static let everything: [Journal.Entry] = [
        .init(time: SampleTime(1), unit: nil, event: .music(.reset(.gs, port: 3))),
        .init(time: SampleTime(1), unit: nil, event: .music(.partMode(.drums, port: 0, channel: 11))),
        .init(time: SampleTime(5), unit: nil, event: .music(.masterVolume(0.30000001, port: 0))),
        .init(time: SampleTime(5), unit: nil, event: .music(.masterTuning(cents: -33.25, port: 15))),
        .init(time: SampleTime(6), unit: nil, event: .music(.masterBalance(-0.5, port: 2))),
        .init(
            time: SampleTime(6), unit: nil,
            event: .music(.scaleTuning(channels: 0x8201, step: 11, hundredths: -6_400, port: 1))),
        .init(
            time: SampleTime(7), unit: nil,
            event: .music(.keyTuning(KeyTuning(key: 3, semitone: 127, fraction: 16_382, program: 7, bank: 9, port: 15)))),
        .init(time: SampleTime(8), unit: nil, event: .music(.effect(4, of: .reverbType, port: 0))),
        .init(
            time: SampleTime(8), unit: nil,
            event: .music(.effect(EffectParameter.chorusDepth.value(of: 77), of: .chorusDepth, port: 4))),
        .init(time: SampleTime(9), unit: nil, event: .music(.message(MIDIMessage(status: 0x93, data1: 60, data2: 100)))),
        .init(time: SampleTime(9), unit: "reverb", event: .parameter(index: 2, element: 0, value: 0.1)),
        .init(
            time: SampleTime(9), unit: "reverb",
            event: .ramp(index: 2, element: 1, value: 0.3, frames: 1 << 30, curve: .exponential)),
        .init(time: SampleTime(10), unit: "x", event: .ramp(index: 0, element: 0, value: -1, frames: 0, curve: .sShaped)),
        .init(time: SampleTime(1 << 40), unit: "square-wave", event: .reset),
    ]

    private func sample() -> Journal {
        var journal = Journal()
        journal.setup.patch.soundFonts = ["/music/my fonts/a.sf2", "b.sf2:3"]
        journal.setup.patch.units = [PatchUnit("square-wave", "square-wave"), PatchUnit("reverb", "reverb")]
        journal.setup.patch.units[1].values = ["decay": [0.1]]
        var edited = journal.setup.patch
        edited.units.removeLast()
        journal.edits = [.init(time: SampleTime(5), journal.setup.patch.difference(to: edited))]
        journal.entries = Self.everything
        journal.end = SampleTime((1 << 40) + 7)
        return journal
    }

    @Test func aJournalsTextSaysAllOfIt() throws {
        let journal = sample()
        let text = try journal.text
        let again = try Journal(text: text, path: "x")
        #expect(try again.text == text)
        #expect(again.setup == journal.setup)
        #expect(again.edits == journal.edits)
        // A change of the graph comes before the events of its frame.
        #expect(text.contains(" 0 11\n5 * edit {") && text.contains("}\n5 * volume"), "\(text)")
        #expect(again.entries.count == Self.everything.count)
        #expect(again.end == journal.end && again.hasEnd && again.begin == journal.begin && again.isComplete)
    }

    @Test func aJournalThatWasCutOffAfterALineEndsSomeSecondsAfterItsLastEvent() throws {
        let lines = try sample().text.split(separator: "\n").dropLast(2)
        let cut = try Journal(text: lines.joined(separator: "\n") + "\n99 * mess", path: "x")
        #expect(cut.entries.count == Self.everything.count - 1)
        #expect(!cut.hasEnd && cut.end == SampleTime(11) + 5 * cut.setup.sampleRate)
        let empty = try Journal(text: Journal().header, path: "x")
        #expect(!empty.hasEnd && empty.end == .zero)
    }

    @Test(arguments: [
        "12 * message 300 1 1 0", "12 * message 144 128 1 0", "12 * message 144 1 1", "x * off", "-3 * off", "12 *",
        "12 * set 0 0 7fc00000", "12 * ramp 0 0 0 5", "12 * ramp 0 0 0 -1 linear", "12 * ramp 0 0 0 5 wavy",
        "12 * ramp 0 0 0 1073741825 linear", "12 * set 0 0 0 5 linear", "12 * mode 9 0 0", "12 * reset 77 0", "0 * off",
        "rate 0", "parts 17", "gain 3f800000", "9 * edit", "9 reverb edit {}",
    ])
    func aDamagedLineIsNamed(_ line: String) {
        let text = Journal.firstLine + "\nrate 48000\n5 * off\n" + line + "\n"
        #expect(throws: Fault.malformed(path: "x", line: 4)) { try Journal(text: text, path: "x") }
    }

    @Test func aJournalOfVersionOneSaysASongsGraph() throws {
        let lines = [
            "carillon-journal 1", "rate 44100", "instrument square-wave", "parts 0 3 9", "effects off", "gain c0c00000",
            "set strip-1.pan=-50", "begin 0", "complete yes", "9 * off", "end 100", "",
        ]
        let journal = try Journal(text: lines.joined(separator: "\n"), path: "x")
        #expect(journal.setup.song?.parts == [0, 3, 9] && journal.setup.song?.settings == ["strip-1.pan=-50"])
        let patch = try #require(try journal.setup.song?.patch(sampleRate: 44_100))
        #expect(patch[unit: "strip-1"]?.values["pan"] == [-50] && patch[unit: "mixer"]?.values["volume"] == [-6])
        #expect(try JournalRenderer(journal).frames == 100)
        for damaged in ["parts 17 3", "parts 256", "gain 1.5", "patch {}"] {
            #expect(throws: Fault.malformed(path: "x", line: 2)) {
                try Journal(text: "carillon-journal 1\n\(damaged)\n", path: "x")
            }
        }
    }

    @Test func aSongIsNoJournal() {
        #expect(throws: Fault.notAJournal(path: "x")) { try Journal(text: "MThd", path: "x") }
    }

    @Test func theRecorderForgetsWhatIsOlderThanItsMinutesAndNothingElse() {
        var recorder = MIDIRecorder(frames: 1000, capacity: 64)
        for time in 0..<500 {
            recorder.record(.init(time: SampleTime(Int64(time) * 30), unit: nil, event: .reset))
            let expected = (0...time).filter { time * 30 - $0 * 30 <= 1000 }.map { Int64($0) * 30 }
            #expect(recorder.entries.map(\.time.rawValue) == expected)
        }
        let journal = recorder.journal(Journal.Setup(), end: SampleTime(20_000))
        #expect(!journal.isComplete && journal.begin == SampleTime(499 * 30 - 990))
    }

    @Test func whatIsForgottenLeavesItsProgramsControllersAndParametersBehind() throws {
        var recorder = MIDIRecorder(frames: 1000, capacity: 64)
        func play(_ time: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
            let message = MIDIMessage(status: status, data1: data1, data2: data2)
            recorder.record(.init(time: SampleTime(time), unit: nil, event: .music(.message(message))))
        }
        play(1, 0xC2, 19)
        play(2, 0xB2, 7, 33)
        recorder.record(
            .init(time: SampleTime(3), unit: "reverb", event: .parameter(index: 1, element: 0, value: 2)))
        for time in 0..<30_000 { play(10 + Int64(time), time % 2 == 0 ? 0x92 : 0x82, 60, 90) }
        let journal = recorder.journal(Journal.Setup(), end: SampleTime(40_000))
        let head = journal.entries.prefix { $0.time == journal.begin }.map(\.line)
        #expect(head.contains("\(journal.begin.rawValue) * message 194 19 0 0\n"))
        #expect(head.contains("\(journal.begin.rawValue) * message 178 7 33 0\n"))
        #expect(head.contains("\(journal.begin.rawValue) reverb set 1 0 40000000\n"))
        #expect(!journal.isComplete)
    }

    /// A patch of a set list leaves, another comes whose units have the same names and ports that others had.
    @Test func whatAUnitWasToldGoesWithItsName() throws {
        var before = Patch(), after = Patch()
        before.units = [PatchUnit("reverb", "reverb"), PatchUnit("organ", "square-wave"), PatchUnit("limiter", "limiter")]
        let names = ["reverb": "former-1.reverb", "organ": "former-1.organ"]
        after = before.renaming(names)
        var choir = PatchUnit("organ", "square-wave")
        choir.parts = PartList([4])
        after.units += [choir, PatchUnit("reverb", "reverb")]
        after[unit: "limiter"]?.role = .master
        var difference = before.renaming(names).difference(to: after)
        difference.renamed = names
        var recorder = MIDIRecorder(frames: 1000, capacity: 64, patch: before)
        func told(_ unit: String, _ time: Int64) {
            recorder.record(.init(time: SampleTime(time), unit: unit, event: .parameter(index: 1, element: 0, value: 2)))
        }
        func program(_ channel: UInt8, _ time: Int64) {
            let message = MIDIMessage(status: 0xC0 | channel, data1: 19, data2: 0)
            recorder.record(.init(time: SampleTime(time), unit: nil, event: .music(.message(message))))
        }
        func lines() -> Set<String> {
            Set(
                recorder.journal(Journal.Setup(), end: SampleTime(2000)).entries.map { entry in
                    entry.line.dropLast().split(separator: " ").dropFirst().joined(separator: " ")
                }
            ).subtracting(["* reset 2 0"])
        }
        for unit in ["reverb", "organ", "limiter"] { told(unit, 3) }
        program(4, 4)
        program(5, 4)
        recorder.record(Journal.Edit(time: SampleTime(10), difference))
        told("organ", 10)
        recorder.forget(before: SampleTime(100))
        var head = lines()
        let set = "set 1 0 40000000"
        #expect(
            head == ["former-1.reverb \(set)", "former-1.organ \(set)", "limiter \(set)", "organ \(set)", "* message 197 19 0 0"])
        // The former patch goes, and all that it was told.
        var rest = after
        rest.units.removeAll { $0.name.hasPrefix("former") }
        recorder.record(Journal.Edit(time: SampleTime(200), after.difference(to: rest)))
        recorder.forget(before: SampleTime(300))
        head = lines()
        #expect(head == ["limiter \(set)", "organ \(set)", "* message 197 19 0 0"])
    }

    @Test func theRecorderNeverHoldsMoreThanItsRoom() {
        var recorder = MIDIRecorder(frames: 1 << 30, capacity: 10)
        for time in 0..<1000 { recorder.record(.init(time: SampleTime(Int64(time)), unit: nil, event: .reset)) }
        #expect(recorder.entries.map(\.time.rawValue) == (990..<1000).map { Int64($0) })
    }

    @Test(arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000, 384_000])
    func aRecordedSongKeepsEveryFrame(_ rate: Int) throws {
        var journal = Journal()
        journal.setup.sampleRate = rate
        let times: [Int64] = [3, 777, 778, 100_001, 40_000_000]
        journal.entries = times.map {
            .init(
                time: SampleTime(1000 + $0), unit: nil,
                event: .music(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100))))
        }
        let song = try #require(RecordedSong.song(journal, title: "Played"))
        let read = try SongReader.read(bytes: SongWriter.bytes(of: song), name: "played.mid").song
        let timeline = try Timeline(read, sampleRate: rate)
        let onsets = timeline.events.compactMap { event -> Int64? in
            if case .message(let message) = event.event, message.kind == .noteOn { event.time.rawValue } else { nil }
        }
        #expect(onsets == times.map { $0 - times[0] })
    }

    @Test func whatIsStillDownInARecordedSongGoesUpAtItsEnd() throws {
        var journal = Journal()
        let messages: [[UInt8]] = [
            [0x90, 60, 100], [0x90, 60, 90], [0x91, 64, 100], [0xB1, 64, 127], [0x92, 67, 100], [0x92, 67, 0],
            [0x93, 70, 100], [0xB3, 123, 0], [0xB0, 66, 127], [0xB0, 66, 0],
        ]
        journal.entries = messages.enumerated().map { index, bytes in
            let message = MIDIMessage(status: bytes[0], data1: bytes[1], data2: bytes[2])
            return .init(time: SampleTime(Int64(100 + index)), unit: nil, event: .music(.message(message)))
        }
        journal.end = SampleTime(48_100)
        let track = try #require(RecordedSong.song(journal, title: "Played")?.tracks.last)
        let endings = track.events.filter { $0.tick == 48_000 }.compactMap { event -> [UInt8]? in
            guard case .message(let message) = event.kind else { return nil }
            return [message.status, message.data1, message.data2]
        }
        #expect(endings == [[0x80, 60, 64], [0x80, 60, 64], [0x81, 64, 64], [0xB1, 64, 0]])
        #expect(track.events.count == messages.count + endings.count && track.endTick == 48_000)
    }

    @Test func aStandardThatLetsRingIsALineOfItsOwn() throws {
        let entry = Journal.Entry(time: SampleTime(5), unit: nil, event: .music(.standard(.xg, port: 3)))
        #expect(entry.line == "5 * standard 4 3\n")
        #expect(Journal.Entry(line: "5 * standard 4 3")?.line == entry.line)
        for line in ["5 * standard 9 3", "5 * standard 4 16"] { #expect(Journal.Entry(line: line[...])?.line == nil) }
    }

    @Test func whereTheMusicStandsIsWrittenAndReadAgain() {
        let said: [(MusicalTime, String)] = [
            (.tempo(90), "tempo 42b40000"), (.meter(bar: 4, Meter(beats: 6, unit: 3)), "meter 6 8 4"), (.beat(24), "beat 24"),
            (.frame(48_000), "frame 48000"), (.place(26_880), "place 26880"), (.stopped, "stopped"),
        ]
        for (time, words) in said {
            let entry = Journal.Entry(time: SampleTime(5), unit: nil, event: .music(.time(time)))
            #expect(entry.line == "5 * \(words)\n" && Journal.Entry(line: "5 * \(words)")?.line == entry.line)
        }
        for line in ["meter 0 4 0", "meter 4 3 0", "meter 4 4", "beat -1", "frame x"] {
            #expect(Journal.Entry(line: "5 * \(line)")?.line == nil, "\(line)")
        }
    }

    @Test func aRecordedSongSaysAScaleInOneMessage() throws {
        var journal = Journal()
        func scale(_ time: Int64, _ channels: UInt16, _ step: UInt8, _ hundredths: Int16) -> Journal.Entry {
            .init(
                time: SampleTime(time), unit: nil,
                event: .music(.scaleTuning(channels: channels, step: step, hundredths: hundredths, port: 0)))
        }
        let note = MIDIMessage(status: 0x90, data1: 60, data2: 100)
        journal.entries = [.init(time: SampleTime(5), unit: nil, event: .music(.message(note)))]
        journal.entries += (UInt8(0)..<12).map { scale(10, 0b11, $0, Int16($0) * 100) }
        journal.entries += [scale(20, 0b10, 4, -1_350)]
        journal.entries += [.init(time: SampleTime(20), unit: nil, event: .music(.message(note)))]
        journal.end = SampleTime(48_000)
        let track = try #require(RecordedSong.song(journal, title: "Played")?.tracks.last)
        let written = track.events.compactMap { event -> [UInt8]? in
            if case .systemExclusive(let bytes) = event.kind { bytes } else { nil }
        }
        #expect(written.count == 2 && written.allSatisfy { $0.count == 33 })
        var reader = SystemExclusive()
        let events = written.flatMap { reader.events(from: $0, port: 0) }
        let expected = (UInt8(0)..<12).map {
            MusicEvent.scaleTuning(channels: 0b11, step: $0, hundredths: Int16($0) * 100, port: 0)
        }
        for (event, wanted) in zip(events, expected) {
            guard case .scaleTuning(let channels, let step, let a, 0) = event,
                case .scaleTuning(_, let place, let b, _) = wanted
            else { Issue.record("\(event)"); continue }
            #expect(channels == 0b11 && step == place && abs(a - b) <= 1)
        }
        guard case .scaleTuning(0b10, 4, let third, 0) = events[16] else { Issue.record("\(events[16])"); return }
        #expect(abs(third + 1_350) <= 1)
        // What is tuned comes before the note that was played on the same frame.
        #expect(
            track.events.prefix(4).map { if case .message = $0.kind { true } else { false } }
                == [true, false, false, true])
    }

    @Test func whatSystemExclusiveMeansSurvivesTheSong() {
        var reader = SystemExclusive()
        for entry in Self.everything {
            guard case .music(let event) = entry.event else { continue }
            if case .message = event { continue }
            let events = RecordedSong.bytes(event).flatMap { reader.events(from: $0, port: event.port) }
            switch (event, events.last) {
            case (.masterVolume(let a, _), .masterVolume(let b, _)?): #expect(abs(a - b) < 1e-4)
            case (.masterTuning(let a, _), .masterTuning(let b, _)?): #expect(abs(a - b) < 0.01)
            case (.masterBalance(let a, _), .masterBalance(let b, _)?): #expect(abs(a - b) < 1e-3)
            case (.scaleTuning, _): #expect(events.contains(event))
            case (_, let last): #expect(last == event)
            }
        }
    }
}
