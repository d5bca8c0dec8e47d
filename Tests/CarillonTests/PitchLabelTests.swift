import Carillon
import Foundation
import Testing

/// Labels tell how a note's pitch changes while it sounds, by the rules that the sampler has for it.
@Suite struct PitchLabelTests {
    private typealias Event = (tick: Int64, kind: SongEvent.Kind)

    private func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> Event {
        (tick, .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    /// A registered parameter and its value.
    private func parameter(_ tick: Int64, _ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> [Event] {
        [(101, 0), (100, number), (6, value)].map { message(tick, 0xB0 | channel, $0, $1) }
    }

    /// The wheel, -8192...8191.
    private func bend(_ tick: Int64, _ value: Int, channel: UInt8 = 0) -> Event {
        message(tick, 0xE0 | channel, UInt8((value + 8_192) & 127), UInt8((value + 8_192) >> 7))
    }

    /// A tick is fifty frames.
    private func labels(
        _ events: [Event], end: Int64 = 1_000, _ change: (inout RenderOptions) -> Void = { _ in }
    ) throws -> [NoteLabel] {
        var options = RenderedSong.options()
        (options.hasEffects, options.hasLabels, options.tail) = (false, true, .exact)
        change(&options)
        let song = RenderedSong.song(events, end: end), renderer = try SongRenderer(song, options: options)
        _ = try renderer.render(into: { (_, _) throws(AudioFileError) in })
        return try #require(renderer.labels(of: song)).notes
    }

    /// True if the bends are these, of semitones against 440 Hz.
    private func isSame(_ label: NoteLabel, _ wanted: [(frame: Int64, semitones: Double)]) -> Bool {
        label.bends.map(\.frame) == wanted.map(\.frame)
            && zip(label.bends, wanted).allSatisfy { abs($0.pitch - 440 * pow(2, $1.semitones / 12)) < 1e-3 }
    }

    @Test func aBendIsTheNotesFromItsFrameOn() throws {
        // Four semitones of range, half of it: two. The second channel has the wheel's usual two.
        let notes = try labels(
            RenderedSong.note(0, 500) + parameter(0, 0, 4)
                + [bend(200, 4_096), bend(250, 4_096), bend(300, 0), bend(650, -4_096), bend(900, 0)]
                + [message(100, 0x91, 69, 100), bend(220, 4_096, channel: 1), message(700, 0x81, 69)]
                + RenderedSong.note(600, 200))
        #expect(notes.count == 3 && notes.allSatisfy { $0.outcome == .played && $0.pitch == 440 })
        // It rings on when its key is up.
        #expect(isSame(notes[0], [(10_000, 2), (15_000, 0), (32_500, -2), (45_000, 0)]), "\(notes[0].bends)")
        #expect(isSame(notes[1], [(11_000, 1)]), "\(notes[1].bends)")
        #expect(notes[2].bends.first.map { $0.frame == 32_500 && abs($0.pitch - 440 * pow(2, -2.0 / 12)) < 1e-3 } == true)
    }

    /// The rises through zero of a piece of sound.
    private func rises(_ samples: ArraySlice<Float>) -> Int {
        zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }

    @Test func theAudioHasThePitchThatIsTold() throws {
        var options = RenderOptions()
        (options.hasEffects, options.hasLabels, options.tail) = (false, true, .exact)
        let song = RenderedSong.song(
            RenderedSong.note(0, 1_900) + parameter(0, 0, 12) + [bend(960, 4_096 + 683)], end: 1_920)
        let (samples, note) = try TinySoundFont().write { path -> ([Float], NoteLabel) in
            options.instrument = .soundFont([path])
            let renderer = try SongRenderer(song, options: options)
            var samples: [Float] = []
            _ = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
                samples += UnsafeBufferPointer(start: channels[0], count: frames)
            })
            return (samples, try #require(renderer.labels(of: song)?.notes.first))
        }
        let (pitch, bend) = (try #require(note.pitch), try #require(note.bends.first))
        #expect(note.bends.count == 1 && bend.frame == 48_000)
        let before = rises(samples[4_000..<44_000]), behind = rises(samples[52_000..<92_000])
        #expect(before > 300 && abs(Double(behind) / Double(before) - bend.pitch / pitch) < 0.006)
    }

    @Test func tuningAndRangeMoveWhatSounds() throws {
        var scale = [UInt8](repeating: 64, count: 12)
        scale[9] = 74
        let notes = try labels(
            RenderedSong.note(0, 900) + parameter(100, 1, 96) + parameter(200, 2, 65) + [bend(300, 4_096)]
                + parameter(400, 0, 12) + [message(500, 0xB0, 121, 0)]
                + [(600, .systemExclusive([0xF0, 0x7F, 0x7F, 8, 8, 0, 0, 1] + scale + [0xF7]))])
        // Half a semitone, a whole one more, the wheel's one, six with the new range, none; a tenth of one by the scale.
        let wanted: [(frame: Int64, semitones: Double)] = [
            (5_000, 0.5), (10_000, 1.5), (15_000, 2.5), (20_000, 7.5), (25_000, 1.5), (30_000, 1.6),
        ]
        #expect(isSame(notes[0], wanted), "\(notes[0].bends)")
    }

    @Test func drumsAndReleasedNotesAreLeftAlone() throws {
        let drum = [message(0, 0x99, 38, 100), message(400, 0x89, 38), bend(100, 4_096, channel: 9)]
        // The second bend comes long after the note's end.
        let notes = try labels(RenderedSong.note(0, 100) + drum + [bend(1_900, 4_096)], end: 2_000)
        #expect(notes.count == 2 && notes.allSatisfy { $0.bends.isEmpty })
        #expect(notes.contains { $0.pitch == nil })
        #expect(try labels(RenderedSong.note(0, 100)) { $0.instrument = .squareWave }.allSatisfy { $0.bends.isEmpty })
    }

    @Test func neitherBlocksNorThreadsNorSharesChangeThem() throws {
        var events: [Event] = (0..<12).flatMap { RenderedSong.note(Int64($0) * 30, 400, key: UInt8(50 + $0)) }
        for step in 0..<40 { events.append(bend(Int64(step) * 17 + 3, (step * 977) % 16_384 - 8_192)) }
        let plain = try labels(events)
        #expect(plain.allSatisfy { $0.bends.count > 5 })
        var options = RenderedSong.options()
        options.hasLabels = true
        #expect(try RenderedSong.render(RenderedSong.song(events, end: 1_000), options).seen == "")
        for (block, threads, shares) in [(64, 1, 1), (1_000, 1, 4), (77, 2, 4), (512, 2, 8)] {
            let other = try labels(events) {
                ($0.blockFrames, $0.threads) = (block, threads)
                $0.settings = ["soundfont.shares=\(shares)"]
            }
            #expect(other == plain, "blocks of \(block), \(threads) threads, \(shares) shares")
        }
    }

    /// A zone's own bend comes on top of its members'.
    @Test func aMemberOfAZoneIsBentByItsManagerToo() throws {
        let notes = try labels(
            parameter(0, 6, 3) + [message(10, 0x91, 69, 100), message(20, 0x92, 69, 100)]
                + [bend(100, 4_096), bend(200, 4_096, channel: 1)]
                + [message(400, 0x81, 69), message(400, 0x82, 69)])
        // Two semitones of range for the manager, forty-eight for its members.
        #expect(notes.count == 2)
        #expect(isSame(notes[0], [(5_000, 1), (10_000, 25)]), "\(notes[0].bends)")
        #expect(isSame(notes[1], [(5_000, 1)]), "\(notes[1].bends)")
    }
}
