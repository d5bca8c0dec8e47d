import AudioFiles
import Carillon
import CarillonTestKit
import FluidSynthUnit
import Glibc
import MIDI
import Testing

@testable import EngineCore
@testable import Sessions

/// What a player asks of a session: sounds by name, another octave, notes without a keyboard, a metronome.
@Suite struct PlayerTests {
    private static func live(_ instrument: RenderOptions.Instrument = .squareWave) -> LiveOptions {
        var options = LiveOptions()
        options.instrument = instrument
        options.ports = 1
        return options
    }

    private static let soundFont = RenderOptions.Instrument.soundFont([RenderedSong.soundFont])

    private func sound(_ session: Session, _ channel: Int) -> SoundPreset? {
        session.snapshot.channels.first { $0.number == channel }?.sound
    }

    /// Who types faster than the device plays, and then ends it, has done nothing wrong.
    @Test func aFullQueueIsWaitedForAtTheEnd() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(8)]), session = time.session
        try time.pass(0.5)
        var sent = 0
        #expect(throws: Fault.queueFull) {
            while sent < 1 << 20 {
                try session.engine.send(.message(MIDIMessage(status: 0xB0, data1: 1, data2: UInt8(sent & 127))))
                sent += 1
            }
        }
        #expect(throws: Fault.self) { try session.perform(.panic(.all)) }
        try session.finish()
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    /// Who seeks hundreds of times within one slice is told what was not done, and no music is lost by it.
    @Test(arguments: [1, 63, 64, 65, 500]) func aHammeredSongGoesOn(_ times: Int) throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(40)]), session = time.session
        try time.pass(0.25)
        var obeyed = 0
        for _ in 0..<times {
            do {
                try session.perform(.seek(.bar(4)))
                obeyed += 1
            } catch { #expect("\(error)" == "\(Fault.queueFull)") }
        }
        try time.pass(0.5)
        #expect(obeyed >= 1 && (times > 60 || obeyed == times))
        #expect(try time.pass(atMost: 20) { session.isOver })
        // From the fourth bar on: each beat of the 28 once.
        let last = try #require(time.onsets.last?.time), first = last - 27 * 4_800
        #expect(time.onsets.suffix(28).map(\.time) == (0..<28).map { first + $0 * 4_800 })
        #expect(time.held.values.allSatisfy { $0 == 0 })
    }

    // MARK: - Sounds

    @Test func aChannelGetsASoundOfTheListAndKeepsIt() throws {
        let time = try SessionInTime(Self.live(Self.soundFont)), session = time.session
        let presets = session.presets
        #expect(presets.count > 60 && presets.contains { $0.isDrums } && Set(presets).count == presets.count)
        #expect(sound(session, 1)?.program == 0 && sound(session, 10)?.isDrums == true)
        let wanted = try #require(presets.first { $0.program == 40 && $0.bank == 0 })
        var sent: [MIDIMessage] = []
        let recorded = session.onPerformance
        session.onPerformance = { performance in
            recorded(performance)
            for case .music(.message(let message)) in performance.entries.map(\.event) { sent.append(message) }
        }
        try session.perform(.program(channel: 2, bank: 0, program: 40))
        try time.pass(0.1)
        #expect(sound(session, 2) == wanted && sound(session, 1)?.program == 0)
        // As a keyboard would have sent it, so whoever records has it.
        #expect(sent.map(\.status) == [0xB1, 0xB1, 0xC1] && sent.last?.data1 == 40)
        #expect(
            session[RecorderPart.self]!.recording.journal(Journal.Setup(sampleRate: 48_000), end: session.sampleTime).entries
                .count { if case .music(.message) = $0.event { true } else { false } } == 3)
        try session.finish()
    }

    @Test func aSoundThatWasChosenIsHeard() throws {
        func peak(_ program: Int) throws -> Double {
            let time = try SessionInTime(Self.live(Self.soundFont)), session = time.session
            try session.perform(.program(channel: 1, bank: 0, program: program))
            try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.2))
            var peak = -Double.infinity
            for _ in 0..<20 {
                try time.pass(0.02)
                peak = max(peak, session.snapshot.channels[0].level.peak)
            }
            try session.finish()
            return peak
        }
        let piano = try peak(0), organ = try peak(19)
        #expect(piano > -60 && organ > -60 && abs(piano - organ) > 0.5)
    }

    @Test func drumKitsAndBanksAreReachedUnderEveryStandard() {
        for reset in [nil, SystemReset.gs, .generalMIDI, .generalMIDI2, .generalMIDIOff, .xg] {
            var sounds = ChannelSounds(), heard = ChannelPrograms()
            if let reset {
                sounds.take(RenderCommand(time: .zero, node: nil, event: .music(.reset(reset, port: 0))))
                _ = heard.apply(.reset(reset, port: 0))
            }
            for (part, wanted) in [
                (2, PresetRequest(kit: 16)), (2, PresetRequest(bank: 0, program: 4)), (9, PresetRequest(bank: 0, program: 7)),
                (9, PresetRequest(kit: 0)), (3, PresetRequest(bank: 8, program: 3)), (4, PresetRequest(bank: 64, program: 3)),
            ] {
                let events = sounds.choose(wanted, part: part)
                if reset == .generalMIDI, wanted.bank > 0, !wanted.isDrums {
                    #expect(events == nil, "GM has no banks")
                    continue
                }
                for event in events ?? [] { _ = heard.apply(event) }
                #expect(heard.request(part) == wanted && sounds.request(part: part) == wanted, "\(reset as Any) \(wanted)")
            }
        }
    }

    @Test func whatCannotBeChosenIsRefusedInASentence() throws {
        let session = try SessionInTime(Self.live(Self.soundFont)).session
        func refusal(_ command: ControlCommand) -> String {
            do throws(Fault) { try session.perform(command) } catch { return error.description }
            return ""
        }
        #expect(refusal(.program(channel: 17, bank: 0, program: 0)).contains("there is no channel 17"))
        #expect(refusal(.program(channel: 1, bank: 0, program: 128)) == "program: 128: choose from 0 to 127")
        #expect(refusal(.program(channel: 1, bank: 99, program: 0)).contains("no SoundFont in use has bank 99 program 0"))
        #expect(refusal(.transposeKeys(60)) == "semitones: 60: choose from -48 to 48")
        #expect(refusal(.note(channel: 1, key: 60, velocity: 0, seconds: nil)).hasPrefix("velocity: 0"))
        #expect(refusal(.note(channel: 1, key: 60, velocity: 1, seconds: .nan)).hasPrefix("length of the note"))
        #expect(!refusal(.volume(99)).isEmpty && !refusal(.metronome(true, tempo: 4000)).isEmpty)
        #expect(session.snapshot.metronome == nil)
        let square = try SessionInTime(Self.live()).session
        #expect(square.presets.isEmpty)
        #expect(throws: Fault.self) { try square.perform(.program(channel: 1, bank: 0, program: 0)) }
        var songs = Self.live(Self.soundFont)
        songs.ports = 0
        let play = try SessionInTime(songs, [SessionInTime.listed(4)]).session
        #expect(play.presets.isEmpty)
        #expect(throws: Fault.self) { try play.perform(.program(channel: 1, bank: 0, program: 0)) }
    }

    @Test func aSongsSoundsAreNamed() throws {
        var options = SessionInTime.options
        options.instrument = Self.soundFont
        var song = SessionInTime.song(8, channel: 2)
        song.tracks[0].events.insert(SongEvent(tick: 0, .message(MIDIMessage(status: 0xC2, data1: 48))), at: 0)
        let time = try SessionInTime(options, [SessionSong(name: "strings", song: song)]), session = time.session
        #expect(try time.pass { self.sound(session, 3)?.program == 48 })
        let name = try #require(session.graph.names.presets.first { $0.bank == 0 && $0.program == 48 }).name
        #expect(sound(session, 3)?.name == name && !name.isEmpty)
        try session.finish()
    }

    // MARK: - Volume, transposition, panic

    @Test func theVolumeIsTheMixers() throws {
        let session = try SessionInTime(Self.live()).session
        #expect(session.snapshot.volume == 0)
        try session.perform(.volume(-6))
        #expect(session.snapshot.volume == -6)
        #expect(try session.engine.value("mixer.volume") == -6)
        try session.perform(.set("mixer.volume=3dB"))
        #expect(session.snapshot.volume == 3)
    }

    /// What a session is given from its start is no part of what a person turns.
    @Test func theVolumeIsCountedFromTheGainOfTheStart() throws {
        var options = Self.live()
        options.gain = 12
        let session = try SessionInTime(options).session
        #expect(session.snapshot.volume == 0)
        #expect(try session.engine.value("mixer.volume") == 12)
        try session.perform(.volume(-6))
        #expect(try session.snapshot.volume == -6 && session.engine.value("mixer.volume") == 6)
        try session.perform(.volume(-120))
        #expect(try session.snapshot.volume == -120 && session.engine.value("mixer.volume") == -120)
        try session.perform(.volume(28))
        #expect(try session.snapshot.volume == 28 && session.engine.value("mixer.volume") == 40)
        #expect(throws: Fault.self) { try session.perform(.volume(29)) }
        #expect(session.snapshot.volume == 28)
    }

    @Test func aHeldNoteEndsByItsOwnKeyWhateverTheTranspositionIsByThen() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: nil))
        try time.pass(0.05)
        #expect(session.snapshot.notes.map(\.key) == [60])
        try session.perform(.transposeKeys(12))
        #expect(session.snapshot.keyTranspose == 12)
        try time.pass(0.05)
        #expect(session.snapshot.notes.map(\.key) == [60])
        try session.perform(.note(channel: 1, key: 62, velocity: 100, seconds: nil))
        try time.pass(0.05)
        #expect(session.snapshot.notes.map(\.key) == [74])
        try session.perform(.releaseNotes)
        try time.pass(0.05)
        #expect(session.snapshot.notes.isEmpty && time.held.allSatisfy { $0.value == 0 })
        try session.finish()
    }

    @Test func theFilterOfTheSessionIsBeforeTheTransposition() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        session.filter = KeyRange(60...72)
        try session.perform(.transposeKeys(-24))
        for key in [59, 60] { try session.perform(.note(channel: 1, key: key, velocity: 100, seconds: 0.1)) }
        try time.pass(0.05)
        #expect(session.snapshot.notes.map(\.key) == [36])
        #expect(session.filter is KeyRange)
        try session.finish()
    }

    @Test func panicOfAChannelEndsThatChannelAlone() throws {
        let time = try SessionInTime(Self.live(Self.soundFont)), session = time.session
        for channel in [1, 2] { try session.perform(.note(channel: channel, key: 60, velocity: 100, seconds: nil)) }
        try time.pass(0.1)
        #expect(session.snapshot.notes.map(\.channel) == [1, 2])
        try session.perform(.panic(.channel(2)))
        try time.pass(0.1)
        #expect(session.snapshot.notes.map(\.channel) == [1])
        #expect(throws: Fault.self) { try session.perform(.panic(.channel(99))) }
        try session.finish()
    }

    // MARK: - Notes without a keyboard

    @Test func aNoteEndsAfterItsTime() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        try session.perform(.note(channel: 3, key: 64, velocity: 90, seconds: 0.5))
        try time.pass(0.45)
        #expect(session.snapshot.notes == [.init(channel: 3, key: 64)])
        // Struck again, it is a new note of the whole length.
        try session.perform(.note(channel: 3, key: 64, velocity: 90, seconds: 0.5))
        try time.pass(0.45)
        #expect(session.snapshot.notes == [.init(channel: 3, key: 64)] && time.onsets.count == 2)
        try time.pass(0.1)
        #expect(session.snapshot.notes.isEmpty)
        try session.finish()
    }

    /// Whatever comes in whatever order, nothing sounds on when all is released.
    @Test func noNoteHangs() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        var random = SeededRandom(seed: 20)
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for step in 0..<3_000 {
            switch pick(12) {
            case 0: try session.perform(.transposeKeys(pick(97) - 48))
            case 1: try session.perform(.releaseNotes)
            case 2: try session.perform(.panic(.channel(pick(16) + 1)))
            case 3: session.filter = pick(2) == 0 ? nil : ChannelMap(to: pick(16) + 1)
            case 4: try session.perform(.volume(Double(pick(40) - 30)))
            case 5: try session.perform(.metronome(pick(2) == 0, tempo: pick(2) == 0 ? nil : Double(20 + pick(381))))
            default:
                try session.perform(
                    .note(
                        channel: pick(16) + 1, key: pick(128), velocity: pick(127) + 1,
                        seconds: pick(2) == 0 ? nil : Double(pick(100) + 1) / 200))
            }
            if step % 4 == 0 { try time.pass(0.01) }
        }
        try session.perform(.releaseNotes)
        try time.pass(0.1)
        #expect(session.snapshot.notes.isEmpty && time.onsets.count > 1_000)
        try time.pass(2)
        #expect(session.core.meters.voices == 0)
        try session.finish()
    }

    /// The split stays on its keys, and what it makes of them is transposed.
    @Test func theZonesOfAPatchHearTypedNotesAndAreTransposedBehind() throws {
        var options = Self.live()
        options.patch = ZoneSessionTests.patch([
            ZoneSessionTests.zone("left", "bass", keys: "0-B3") { $0.transpose = -12 },
            ZoneSessionTests.zone("right", "lead", keys: "C4-127"),
        ])
        let time = try SessionInTime(options), session = time.session
        try session.perform(.transposeKeys(12))
        try session.perform(.note(channel: 1, key: 59, velocity: 100, seconds: 0.2))
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.2))
        try time.pass(0.1)
        #expect(session.snapshot.notes == [.init(channel: 1, key: 59), .init(channel: 17, key: 72)])
        try session.perform(.volume(-3))
        #expect(session.snapshot.volume == -3 && session.presets.isEmpty)
        try session.perform(.metronome(true, tempo: nil))
        try time.pass(0.5)
        #expect(session.snapshot.notes.isEmpty && session.snapshot.metronome?.beat == 1)
        try session.finish()
    }

    // MARK: - Metronome

    @Test func theMetronomeComesWhenItIsAskedForAndClicks() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        #expect(session.snapshot.metronome == nil && session.engine.graph.node(named: "metronome") == nil)
        try session.perform(.metronome(true, tempo: 240))
        #expect(try time.pass(atMost: 2) { session.snapshot.metronome?.beat == 3 })
        #expect(session.snapshot.metronome?.isRunning == true && session.snapshot.metronome?.tempo == 240)
        // A device plays it, and the mix does not have it.
        #expect(time.port.played.allSatisfy { $0.contains { abs($0) > 0.05 } })
        #expect(session.snapshot.levels.allSatisfy { $0.peak < -60 })
        try session.perform(.set("metronome.beats=3"))
        try session.perform(.metronome(false, tempo: nil))
        try time.pass(6)
        let stopped = try #require(session.snapshot.metronome)
        #expect(!stopped.isRunning && stopped.beat == 0 && stopped.beats == 3 && stopped.tempo == 240)
        #expect(session.snapshot.levels.allSatisfy { $0.peak < -60 })
        try session.finish()
    }

    @Test func aCaptureWithMetronomeAndTypedNotesReplaysBitForBit() throws {
        var options = Self.live()
        let path = "/tmp/carillon-player-\(getpid()).wav"
        options.capturePath = path
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }
        let time = try SessionInTime(options), session = time.session
        try session.perform(.metronome(true, tempo: 150))
        try time.pass(0.5)
        try session.perform(.transposeKeys(7))
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.3))
        try session.perform(.volume(-3))
        try time.pass(1)
        try session.finish()
        let reader = try AudioFileReader(path: path)
        let heard = try reader.readAll()
        let renderer = try JournalRenderer(Journal(path: path + ".journal"))
        var replayed = [[Float]](repeating: [], count: 2)
        try renderer.render { (samples, frames) in
            for c in 0..<2 { replayed[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
        }
        #expect(heard[0].contains { abs($0) > 0.05 })
        #expect(heard.map { $0.map(\.bitPattern) } == replayed.map { $0.map(\.bitPattern) })
    }

    // MARK: - Words and what follows

    private static func words(_ kind: SongText.Kind, _ texts: [String], head: [String] = []) -> Song {
        var song = SessionInTime.song(texts.count)
        for text in head { song.tracks[0].events.append(SongEvent(tick: 0, .text(SongText(.text, text)))) }
        for (beat, text) in texts.enumerated() {
            song.tracks[0].events.append(SongEvent(tick: Int64(beat) * 480, .text(SongText(kind, text))))
        }
        song.tracks[0].events.sort { $0.tick < $1.tick }
        return song
    }

    @Test func theLineThatIsSungIsShown() throws {
        let karaoke = Self.words(.text, ["\\Twin", "kle ", "star", "/How I", " won", "der"], head: ["@KMIDI KARAOKE FILE"])
        let lyrics = Self.words(.lyric, ["Twin", "kle ", "star\r", "How I", " won", "der"])
        for song in [karaoke, lyrics] {
            let time = try SessionInTime(SessionInTime.options, [SessionSong(name: "twinkle", song: song)])
            var seen: [SessionSnapshot.Lyrics] = []
            _ = try time.pass {
                if let line = time.transport?.lyrics, line != seen.last { seen.append(line) }
                return time.transport?.hasEnded == true
            }
            #expect(
                seen.map { "\($0.sung)|\($0.toCome)/\($0.next)" } == [
                    "Twin|kle star/How I wonder", "Twinkle |star/How I wonder", "Twinkle star|/How I wonder",
                    "How I| wonder/", "How I won|der/", "How I wonder|/",
                ])
            try time.session.finish()
        }
    }

    @Test func aSongWithoutWordsHasNone() throws {
        let time = try SessionInTime(SessionInTime.options, [SessionInTime.listed(4)])
        try time.pass(0.1)
        #expect(time.transport?.lyrics == nil && time.transport?.next == nil)
    }

    @Test func theNextSongIsNamed() throws {
        let songs = [60, 62, 64].map { SessionInTime.listed(4, key: $0) }
        let time = try SessionInTime(SessionInTime.options, songs), session = time.session
        #expect(time.transport?.next == "song of 62")
        try session.perform(.next)
        try time.pass(0.1)
        #expect(time.transport?.next == "song of 64")
        try session.perform(.next)
        try time.pass(0.1)
        #expect(time.transport?.next == nil)
        try session.perform(.repeats(.all))
        try time.pass(0.1)
        #expect(time.transport?.next == "song of 60")
        try session.finish()
    }
}
