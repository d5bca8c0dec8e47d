import Carillon
import Foundation
import Sequencer
import Testing

/// Labels say what was played: their frames are those of the audio, and every note-on has one row.
@Suite struct NoteLabelTests {
    private struct Sound {
        var samples: [Float] = []
        let labels: SongLabels
        let report: RenderReport
        let renderer: SongRenderer
    }

    private func render(_ song: Song, _ options: RenderOptions) throws -> Sound {
        var options = options
        options.hasLabels = true
        let renderer = try SongRenderer(song, options: options)
        var samples: [Float] = []
        let report = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
            samples += UnsafeBufferPointer(start: channels[0], count: frames)
        })
        return Sound(
            samples: samples, labels: try #require(renderer.labels(of: song)), report: report, renderer: renderer)
    }

    /// Calls `body` with a SoundFont that plays one level from its first frame on, until a key is up.
    private func withLevel<R>(_ change: (inout TinySoundFont) -> Void = { _ in }, _ body: (String) throws -> R) throws -> R {
        var font = TinySoundFont()
        font.sample[4] = 48_000
        change(&font)
        var bytes = font.bytes
        let smpl = try #require(bytes.firstRange(of: Array("smpl".utf8))).upperBound + 4
        for frame in 0..<font.frames { (bytes[smpl + 2 * frame], bytes[smpl + 2 * frame + 1]) = (0, 0x20) }
        return try TinySoundFont.write(bytes, body)
    }

    private func options(_ font: String, rate: Int = 48_000) -> RenderOptions {
        var options = RenderOptions()
        options.instrument = .soundFont([font])
        options.sampleRate = rate
        options.hasEffects = false
        return options
    }

    private func control(_ tick: Int64, _ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> (
        tick: Int64, kind: SongEvent.Kind
    ) {
        (tick, .message(MIDIMessage(status: 0xB0 | channel, data1: number, data2: value)))
    }

    /// The frames at which sound begins, and at which it is silent again.
    private func edges(_ samples: [Float]) -> (begins: [Int64], ends: [Int64]) {
        var begins: [Int64] = [], ends: [Int64] = []
        for index in samples.indices {
            let sounds = samples[index] != 0, sounded = index > 0 && samples[index - 1] != 0
            if sounds && !sounded { begins.append(Int64(index)) }
            if !sounds && sounded { ends.append(Int64(index)) }
        }
        return (begins, ends)
    }

    @Test(arguments: [16_000, 44_100, 48_000]) func labelsLieOnTheFramesOfTheAudio(_ rate: Int) throws {
        // 1 200 tempos; a note every quarter, of which every third is held by the pedal.
        var events: [(tick: Int64, kind: SongEvent.Kind)] = [], elapsed: [Int64] = [0]
        for n in 0..<1_200 {
            let tempo = Int64(380_001 + n * 997 % 240_007)
            events.append((Int64(n) * 24, .tempo(microsecondsPerQuarter: UInt32(tempo))))
            for _ in 0..<24 { elapsed.append(elapsed[elapsed.count - 1] + tempo) }
        }
        /// Microseconds * ticks over 480, to the nearest frame, in whole numbers.
        func frame(_ tick: Int64) -> Int64 {
            let divisor = Int128(480_000_000), value = Int128(elapsed[Int(tick)]) * Int128(rate)
            return Int64((value * 2 + divisor) / (divisor * 2))
        }
        var wanted: [(on: Int64, up: Int64, release: Int64)] = []
        for n in 0..<59 {
            let on = Int64(n * 480 + 1 + n * 37 % 60), up = on + 100 + Int64(n * 13 % 50), release = n % 3 == 0 ? up + 61 : up
            events += RenderedSong.note(on, up - on)
            if release > up { events += [control(on, 64, 127), control(release, 64, 0)] }
            wanted.append((on, up, release))
        }
        let sound = try withLevel { try render(RenderedSong.song(events), options($0, rate: rate)) }
        let notes = sound.labels.notes, edges = edges(sound.samples)
        #expect(notes.count == 59 && notes.allSatisfy { $0.outcome == .played })
        #expect(notes.map(\.onset) == wanted.map { frame($0.on) })
        #expect(notes.map(\.keyUp) == wanted.map { frame($0.up) })
        #expect(notes.map(\.release) == wanted.map { frame($0.release) })
        #expect(edges.begins == notes.compactMap(\.onset))
        #expect(edges.ends.count == 59)
        for (note, end) in zip(notes, edges.ends) { #expect((0...64).contains(try #require(note.end) - end)) }
        #expect(sound.labels.frames == sound.report.frames && sound.labels.sampleRate == rate)
        // A quarter has a beat, on the frame of its tick.
        let beats = sound.labels.marks.beats
        #expect(beats.prefix(59).map(\.frame) == (0..<59).map { frame(Int64($0) * 480) })
        #expect(beats[5].bar == 2 && beats[5].beat == 2)
        // The last stands where the song ends.
        #expect(sound.labels.marks.tempos.count == 1_199)
    }

    @Test func pitchHasBendTuningAndTransposition() throws {
        var events = RenderedSong.note(480, 100) + RenderedSong.note(960, 100)
        events.append((700, .message(MIDIMessage(status: 0xE0, data1: 0, data2: 96))))
        events += [(0, .message(MIDIMessage(status: 0x99, data1: 38, data2: 90)))]
        var options = options("")
        options.passage.transpose = 12
        let labels = try withLevel { font in
            options.instrument = .soundFont([font])
            return try render(RenderedSong.song(events), options).labels
        }
        #expect(labels.notes.map(\.key) == [38, 69, 69] && labels.notes.map(\.soundingKey) == [38, 81, 81])
        // The file has the keys that sound.
        let written = labels.song.tracks.flatMap(\.events).compactMap { event -> UInt8? in
            if case .message(let message) = event.kind, message.beginsNote { message.data1 } else { nil }
        }
        #expect(written.sorted() == [38, 81, 81])
        #expect(labels.notes[0].pitch == nil)
        #expect(abs((labels.notes[1].pitch ?? 0) - 880) < 1e-6)
        // Half of two semitones.
        #expect(abs((labels.notes[2].pitch ?? 0) / 880 - pow(2, 1.0 / 12)) < 1e-6)
    }

    @Test(arguments: ["auld-lang-syne", "blue-lantern", "crooked-mile", "drum-groove", "program-tour", "sea-wall"])
    func everyNoteHasOneRowAndTheSumsAgree(_ name: String) throws {
        let song = try RenderedSong.song(name)
        var options = RenderedSong.options(6)
        let whole = try render(song, options)
        #expect(whole.labels.notes.count == whole.report.summary.noteCount)
        #expect(whole.labels.notes.count { $0.onset != nil } == whole.report.notesPlayed)
        let heard = whole.labels.count(.played) + whole.labels.count(.inaudible)
        #expect(heard + whole.labels.count(.outside) == whole.labels.notes.count, "\(name)")
        #expect(whole.labels.notes.allSatisfy { $0.track != nil })
        // Tracks are those of the file.
        for track in song.tracks.indices {
            let count = song.tracks[track].events.count {
                if case .message(let message) = $0.kind { message.beginsNote } else { false }
            }
            #expect(whole.labels.notes.count { $0.track == track + 1 } == count, "\(name), track \(track + 1)")
        }
        for note in whole.labels.notes where note.onset != nil {
            // A drum is cut by another of its class.
            if note.pitch != nil, let up = note.keyUp, let release = note.release { #expect(up <= release) }
            if let end = note.end, let onset = note.onset { #expect(end > onset) }
        }
        // Blocks and threads change nothing, and labels no sample.
        (options.blockFrames, options.threads) = (77, 2)
        let pieces = try render(song, options)
        #expect(pieces.labels.notes == whole.labels.notes && pieces.labels.marks == whole.labels.marks)
        #expect(pieces.samples == whole.samples)
        options = RenderedSong.options(6)
        #expect(try RenderedSong.render(song, options).samples[0] == whole.samples)
        options.hasLabels = true
        #expect(try RenderedSong.render(song, options).seen == "")
    }

    @Test func passagesAndRoundsAreCountedFromWhatIsHeard() throws {
        let song = RenderedSong.song((0..<8).flatMap { RenderedSong.note(Int64($0) * 480 + 7, 200) }, end: 3_840)
        try withLevel { font in
            var options = options(font)
            (options.passage.from, options.passage.tempo) = (.bar(2), 0.5)
            let part = try render(song, options)
            #expect(edges(part.samples).begins == part.labels.notes.compactMap(\.onset))
            #expect(part.labels.notes.count == 8 && part.labels.count(.played) == 4 && part.labels.count(.outside) == 4)
            #expect(part.labels.notes[0].onset == 700 && part.labels.notes[0].keyUp == 20_700)
            #expect(part.labels.marks.beats.prefix(2).map(\.frame) == [0, 48_000])
            #expect(part.labels.marks.beats[0].bar == 2 && part.labels.marks.tempos.map(\.quartersPerMinute) == [60])
            var twice = self.options(font)
            twice.passage.loops = 2
            let rounds = try render(song, twice)
            #expect(rounds.labels.notes.count == 16 && rounds.labels.count(.played) == rounds.report.notesPlayed)
            #expect(edges(rounds.samples).begins == rounds.labels.notes.compactMap(\.onset))
            #expect(rounds.labels.marks.beats.count == 16)
        }
    }

    @Test func whatIsNotHeardSaysWhy() throws {
        func strike(_ tick: Int64, _ channel: UInt8, _ key: UInt8, _ velocity: UInt8 = 100) -> (tick: Int64, kind: SongEvent.Kind)
        {
            (tick, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: velocity)))
        }
        var events = (0..<4).map { strike(0, UInt8($0), 60) } + [strike(0, 0, 100), strike(480, 0, 60), strike(480, 0, 62)]
        events += [control(960, 123, 0)]
        let song = RenderedSong.song(events, end: 1_200)
        // Keys up to 90 alone.
        let outcomes = try withLevel {
            $0.generators = [(43, 90 << 8)] + $0.generators
        } _: { font in
            var options = options(font)
            options.settings = ["strip-2.mute=on", "soundfont.polyphony=1", "strip-4.mute=on"]
            options.channels.only = PartList([0, 1, 3])
            return try render(song, options).labels
        }
        let said = outcomes.notes.map { "\($0.channel)-\($0.key) \($0.outcome.rawValue)" }
        #expect(said.contains("1-100 no-sample"), "\(said)")
        #expect(said.contains("3-60 left-out"), "\(said)")
        #expect(
            said.suffix(2).contains { $0.hasSuffix("stolen") } && said.suffix(2).contains { $0.hasSuffix(" played") }, "\(said)")
        #expect(outcomes.notes.count == 7)
    }

    /// A tick is fifty frames.
    @Test func pedalsRestrikesAndLegatoAreTakenAsTheySound() throws {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        func key(_ tick: Int64, _ channel: UInt8, _ key: UInt8, isDown: Bool = true) {
            let status: UInt8 = (isDown ? 0x90 : 0x80) | channel
            events.append((tick, .message(MIDIMessage(status: status, data1: key, data2: 100))))
        }
        // Sostenuto.
        key(0, 0, 60)
        key(200, 0, 60, isDown: false)
        events += [control(100, 66, 127), control(300, 66, 0)]
        // Struck again while it is down.
        key(0, 1, 62)
        key(200, 1, 62)
        key(400, 1, 62, isDown: false)
        // Legato, in either share of the sampler.
        for channel: UInt8 in [2, 3] {
            events += [control(0, 126, 1, channel: channel), control(0, 68, 127, channel: channel)]
            key(0, channel, 64)
            key(200, channel, 65)
            key(300, channel, 64, isDown: false)
            key(400, channel, 65, isDown: false)
        }
        // All notes off.
        key(0, 4, 67)
        events.append(control(250, 123, 0, channel: 4))
        let song = RenderedSong.song(events, end: 600)
        let labels = try withLevel { try render(song, options($0)).labels }
        func times(_ channel: Int) -> [[Int64?]] {
            labels.notes.filter { $0.channel == channel }.map { [$0.onset, $0.keyUp, $0.release] }
        }
        #expect(labels.count(.played) == 8 && labels.notes.count == 8)
        #expect(times(1) == [[0, 10_000, 15_000]])
        #expect(times(2) == [[0, 10_000, 10_000], [10_000, 20_000, 20_000]])
        for channel in [3, 4] { #expect(times(channel) == [[0, 15_000, 10_000], [10_000, 20_000, 20_000]], "\(channel)") }
        #expect(times(5) == [[0, 12_500, 12_500]])
        #expect(labels.notes.allSatisfy { ($0.release ?? 0)...($0.release ?? 0) + 1_000 ~= $0.end ?? -1 })
    }

    /// A tick is fifty frames.
    @Test func restrikesUnderAPedalAreCutWhereThatIsAskedFor() throws {
        var events = [control(0, 64, 127), control(1_000, 64, 0)]
        // Struck twice more, once on one frame with itself; another key; another channel.
        for tick: Int64 in [0, 200, 200, 400] { events += RenderedSong.note(tick, 50, key: 60) }
        events += RenderedSong.note(300, 50, key: 62)
        events += [control(0, 64, 127, channel: 1), (300, .message(MIDIMessage(status: 0x91, data1: 60, data2: 100)))]
        var labels = try withLevel { try render(RenderedSong.song(events, end: 1_100), options($0)).labels }
        let overlapping = labels
        labels.cutRestrikes()
        let notes = labels.notes
        #expect(notes.map(\.onset) == [0, 10_000, 10_000, 15_000, 15_000, 20_000])
        #expect(notes.filter { $0.channel == 1 }.map(\.release) == [10_000, 20_000, 20_000, 50_000, 50_000])
        #expect(notes.filter { $0.channel == 2 }.map(\.release) == overlapping.notes.filter { $0.channel == 2 }.map(\.release))
        #expect(overlapping.notes.filter { $0.channel == 1 }.allSatisfy { $0.release == 50_000 })
        #expect(notes.map(\.end) == overlapping.notes.map(\.end))
    }

    @Test func beatsHaveTheUnitOfTheirMeter() throws {
        let events: [(tick: Int64, kind: SongEvent.Kind)] = [
            (0, .timeSignature(TimeSignature(6, over: 8))), (1_440, .timeSignature(TimeSignature(2, over: 2))),
        ]
        let song = RenderedSong.song(events + RenderedSong.note(0, 3_359), end: 3_360)
        let marks = try render(song, RenderedSong.options(4)).labels.marks
        #expect(marks.beats.prefix(8).map(\.unit) == [8, 8, 8, 8, 8, 8, 2, 2])
        #expect(marks.beats.prefix(8).map(\.frame) == [0, 12_000, 24_000, 36_000, 48_000, 60_000, 72_000, 120_000])
        #expect(marks.tempos.map(\.quartersPerMinute) == [120])
    }

    @Test func aPassageHasTheStateThatItBeginsWith() throws {
        var events = RenderedSong.note(0, 100) + RenderedSong.note(1_920, 100)
        events += [(0, .message(MIDIMessage(status: 0xC0, data1: 40))), control(10, 7, 90), control(2_000, 11, 80)]
        var options = RenderedSong.options(3)
        options.passage.from = .bar(2)
        let labels = try render(RenderedSong.song(events, end: 3_840), options).labels
        let messages = labels.song.tracks.flatMap(\.events).compactMap { event -> (tick: Int64, bytes: [UInt8])? in
            guard case .message(let message) = event.kind, message.kind != .noteOn, message.kind != .noteOff else { return nil }
            return (event.tick, [message.status, message.data1, message.data2])
        }
        #expect(messages.contains { $0.tick == 0 && $0.bytes[0] == 0xC0 && $0.bytes[1] == 40 })
        #expect(messages.contains { $0.tick == 0 && $0.bytes == [0xB0, 7, 90] })
        #expect(messages.contains { $0.tick == 4_000 && $0.bytes == [0xB0, 11, 80] })
    }

    @Test func notesOfALayerHaveNoTrack() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 100) + RenderedSong.note(960, 100), end: 1_920)
        let over = RenderedSong.song(RenderedSong.note(0, 100) + RenderedSong.note(480, 100), end: 1_920)
        var options = RenderedSong.options(3)
        options.hasLabels = true
        let renderer = try SongRenderer(song, layers: [RenderLayer("over", over)], options: options)
        _ = try renderer.render(into: { (_, _) throws(AudioFileError) in })
        let labels = try #require(renderer.labels(of: song))
        #expect(labels.notes.map(\.onset) == [0, 0, 24_000, 48_000])
        #expect(labels.notes.map(\.track) == [1, nil, nil, 1])
    }

    @Test(arguments: ["general-midi", "split-two-soundfonts", "arpeggiated-lead", "organ-with-pedal", "layer-pad"])
    func patchesHaveARowForEachNoteToo(_ name: String) throws {
        let song = try RenderedSong.song("auld-lang-syne")
        var options = RenderedSong.options(3)
        options.patch = try #require(PatchExample.named(name)).patch
        let sound = try render(song, options), labels = sound.labels
        #expect(labels.notes.count == sound.report.summary.noteCount)
        #expect(labels.notes.count - labels.count(.outside) - labels.count(.leftOut) == sound.report.notesPlayed)
        #expect((labels.count(.changed) > 0) == (name == "arpeggiated-lead"))
        #expect((labels.count(.played) > 0) == labels.instruments.contains { $0.tells })
    }

    @Test func anInstrumentThatTellsNothingIsSaidSo() throws {
        let song = RenderedSong.song(RenderedSong.note(480, 240), end: 1_200)
        var options = RenderedSong.options(instrument: .squareWave)
        options.tail = .exact
        let labels = try render(song, options).labels
        #expect(labels.instruments.map(\.tells) == [false])
        let note = try #require(labels.notes.first)
        #expect(note.outcome == .sent && note.onset == 24_000 && note.keyUp == 36_000 && note.pitch == 440)
        #expect(note.release == nil && note.end == nil)
    }

    @Test func recordsWithoutRoomAreAnError() throws {
        let events = (0..<40_000).map { n -> (tick: Int64, kind: SongEvent.Kind) in
            (0, .message(MIDIMessage(status: 0x90, data1: UInt8(20 + n % 80), data2: 100)))
        }
        #expect {
            _ = try withLevel { try render(RenderedSong.song(events, end: 10), options($0)) }
        } throws: {
            ($0 as? Fault)?.kind == .lostLabels
        }
    }

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 44_056, 47_999])
    func theMIDIFileHasEveryOnsetOnItsFrame(_ rate: Int) throws {
        let events = (0..<40).flatMap { RenderedSong.note(Int64($0) * 101 + 3, 60, key: UInt8(40 + $0)) }
        let labels = try withLevel { font in try render(RenderedSong.song(events), options(font, rate: rate)).labels }
        // Written, read and laid out at the same rate.
        let again = try SongReader.read(bytes: try SongWriter.bytes(of: labels.song), name: "labels")
        let timeline = try Timeline(again.song, sampleRate: rate)
        let onsets = timeline.events.compactMap { $0.event.beginsNote ? $0.time.rawValue : nil }
        #expect(onsets == labels.notes.compactMap(\.onset))
    }

    /// A part that is shifted and has a range: a label has the song's key, and the key that sounds.
    @Test func aShiftedPartHasTheKeysOfTheSong() throws {
        func roland(_ address: UInt8, _ value: UInt8) -> (tick: Int64, kind: SongEvent.Kind) {
            let body: [UInt8] = [0x40, 0x11, address, value], sum = body.reduce(0) { $0 + Int($1) } % 128
            return (0, .systemExclusive([0xF0, 0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum) % 128), 0xF7]))
        }
        let events = [roland(0x16, 64 + 12), roland(0x1A, 32), roland(0x1D, 60)]
        let song = RenderedSong.song(
            events + RenderedSong.note(480, 240) + RenderedSong.note(960, 240, key: 50), end: 1_920)
        try withLevel { font in
            let labels = try render(song, options(font)).labels.notes
            #expect(labels.map(\.key) == [69, 50] && labels.map(\.velocity) == [100, 100])
            #expect(labels.map(\.soundingKey) == [81, 50] && labels.map(\.outcome) == [.played, .noSample])
            #expect(abs((labels[0].pitch ?? 0) - 880) < 0.01)
        }
    }
}
