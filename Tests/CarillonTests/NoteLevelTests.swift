import Carillon
import Foundation
import Testing

/// The level of a note is the peak that it has alone.
@Suite struct NoteLevelTests {
    private func labels(_ song: Song, _ options: RenderOptions) throws -> SongLabels {
        var options = options
        options.hasLabels = true
        let renderer = try SongRenderer(song, options: options)
        _ = try renderer.render(into: { (_, _) throws(AudioFileError) in })
        return try #require(renderer.labels(of: song))
    }

    /// The peak of a song of both sides, in dBFS.
    private func peak(_ song: Song, _ options: RenderOptions) throws -> Double {
        let samples = try RenderedSong.render(song, options).samples.joined()
        return 20 * log10(Double(samples.reduce(0) { max($0, abs($1)) }))
    }

    /// The song with one of its note-ons, counted in the order of a track's events.
    private func alone(_ song: Song, track: Int, note: Int) -> Song {
        var song = song
        for index in song.tracks.indices {
            var count = 0
            song.tracks[index].events.removeAll { event in
                guard case .message(let message) = event.kind, message.beginsNote else { return false }
                count += 1
                return index != track - 1 || count != note
            }
        }
        return song
    }

    /// Sounds of one and of several samples, drums, vibrato, pans, volumes and pedals.
    @Test(arguments: ["auld-lang-syne", "blue-lantern", "drum-groove", "program-tour", "sea-wall"])
    func levelsAreThoseOfNotesAlone(_ name: String) throws {
        let song = try RenderedSong.song(name)
        var options = RenderedSong.options(8)
        (options.hasEffects, options.sampleRate) = (false, 16_000)
        let notes = try labels(song, options).notes
        // Rows of one track are in the order of its events.
        var counts: [Int: Int] = [:], heard: [(track: Int, note: Int, level: Double)] = []
        for label in notes where label.track != nil {
            let track = try #require(label.track)
            counts[track, default: 0] += 1
            // The end is faded.
            if label.outcome == .played, label.onset ?? 0 < 7 * 16_000 {
                heard.append((track, counts[track] ?? 0, try #require(label.level)))
            }
        }
        #expect(heard.count > 10)
        for index in stride(from: 0, to: heard.count, by: max(heard.count / 10, 1)) {
            let (track, note, level) = heard[index]
            let peak = try peak(alone(song, track: track, note: note), options)
            #expect(abs(level - peak) < 0.5, "\(name), track \(track), note \(note): \(level), alone \(peak)")
        }
    }

    @Test(arguments: ["strip-1.gain=-12", "strip-1.pan=50", "mixer.volume=-6", "soundfont.gain=0.1", "soundfont.shares=4"])
    func whatTurnsANoteDownTurnsItsLevel(_ setting: String) throws {
        let song = RenderedSong.song(
            RenderedSong.note(0, 480) + [(0, .message(MIDIMessage(status: 0xB0, data1: 10, data2: 127)))])
        var options = RenderedSong.options()
        (options.hasEffects, options.settings) = (false, [setting] + ["soundfont.polyphony=64"])
        let level = try #require(try labels(song, options).notes.first?.level)
        #expect(abs(level - (try peak(song, options))) < 0.5)
    }

    /// Volume 0, expression 0, the master's volume 0, and all but nothing: no sound, and no `played`.
    @Test func silentNotesAreInaudible() throws {
        func note(_ messages: [SongEvent.Kind]) throws -> NoteLabel {
            let song = RenderedSong.song(messages.map { (0, $0) } + RenderedSong.note(10, 480, velocity: 64))
            var options = RenderedSong.options()
            options.hasEffects = false
            return try #require(try labels(song, options).notes.first)
        }
        func control(_ number: UInt8, _ value: UInt8) -> SongEvent.Kind {
            .message(MIDIMessage(status: 0xB0, data1: number, data2: value))
        }
        for silent in [
            [control(7, 0)], [control(11, 0)], [.systemExclusive([0xF0, 0x7F, 0x7F, 4, 1, 0, 0, 0xF7])],
            [control(7, 1), control(11, 1)],
        ] {
            let label = try note(silent)
            #expect(label.outcome == .inaudible && label.level ?? -120 < NoteLabel.quietest, "\(silent): \(label)")
        }
        let soft = try note([control(7, 127)])
        #expect(soft.outcome == .played && soft.level ?? -120 > NoteLabel.quietest, "\(soft)")
    }

    /// What a note reached before another took its voices over stays its own.
    @Test func inLegatoEachNoteHasItsOwnLevel() throws {
        var events = RenderedSong.note(0, 960, key: 60, velocity: 127) + RenderedSong.note(480, 480, key: 62, velocity: 127)
        for (tick, number, value) in [(0, 126, 1), (0, 68, 127), (470, 11, 40)] as [(Int64, UInt8, UInt8)] {
            events.append((tick, .message(MIDIMessage(status: 0xB0, data1: number, data2: value))))
        }
        events.insert((0, .message(MIDIMessage(status: 0xC0, data1: 16))), at: 0)
        let notes = try labels(RenderedSong.song(events), RenderedSong.options()).notes
        let levels = notes.compactMap(\.level)
        #expect(notes.map(\.outcome) == [.played, .played] && levels.count == 2)
        #expect(levels[0] - levels[1] > 10)
    }
}
