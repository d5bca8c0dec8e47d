import Carillon
import Testing

/// Notes sound on the frame that the tempo map says, through the whole graph.
@Suite struct OnsetTests {
    @Test func threeHundredNotesAtArbitraryFramesLandExactly() throws {
        // 48 000 ticks a second at 48 kHz: a tick is a frame, so every frame can be asked for.
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        var wanted: [Int] = []
        var time: Int64 = 1
        for n in 0..<300 {
            time += 2400 + Int64(n * 7919 % 1543)
            wanted.append(Int(time))
            events += RenderedSong.note(time, 480)
        }
        var song = RenderedSong.song(events)
        song.division = .ticksPerQuarter(24_000)
        var options = RenderedSong.options(instrument: .squareWave)
        options.tail = .exact
        options.hasEffects = false
        options.settings = ["square-wave.release=1ms"]
        let samples = try RenderedSong.render(song, options).samples[0]
        #expect(onsets(samples, gap: 400) == wanted)
    }

    @Test func theSoundFontIsAtMostSixtyThreeFramesLate() throws {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        var wanted: [Int] = []
        for n in 0..<40 {
            let time = Int64(1 + n * 48_000 + n * 37 % 640)
            wanted.append(Int(time))
            events += RenderedSong.note(time, 500, key: 76)
        }
        var song = RenderedSong.song([(0, .message(MIDIMessage(status: 0xC0, data1: 115)))] + events)
        song.division = .ticksPerQuarter(24_000)
        var options = RenderedSong.options()
        options.tail = .exact
        options.hasEffects = false
        // An onset is found by its level.
        options.settings = ["soundfont.gain=0.8"]
        let found = onsets(try RenderedSong.render(song, options).samples[0], gap: 1500)
        #expect(found.count == wanted.count)
        let errors = zip(found, wanted).map { $0 - $1 }
        // The sample itself starts a frame or two after its first, silent, frame.
        #expect(errors.allSatisfy { (0...66).contains($0) }, "\(errors)")
    }

    @Test func afterAnHourWithAThousandTempoChangesTheLastNoteIsExact() throws {
        let ticksBetween: Int64 = 3_600
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        var numerator: Int64 = 0    // microseconds * ticks, exact
        for n in 0..<1000 {
            let tempo = 300_001 + n * 997 % 400_003
            events.append((Int64(n) * ticksBetween, .tempo(microsecondsPerQuarter: UInt32(tempo))))
            numerator += Int64(tempo) * ticksBetween
        }
        let last = 1000 * ticksBetween
        events += RenderedSong.note(last, 100)
        var options = RenderedSong.options(instrument: .squareWave)
        options.tail = .exact
        options.blockFrames = 4096
        let renderer = try SongRenderer(RenderedSong.song(events), options: options)
        let exact = Double(numerator) / 480 / 1e6 * 48_000
        var onset: Int64?
        var position: Int64 = 0
        let report = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
            if onset == nil {
                for i in 0..<frames where channels[0][i] != 0 {
                    onset = position + Int64(i)
                    break
                }
            }
            position += Int64(frames)
        })
        #expect(report.duration > 3600 && report.duration < 3700)
        let found = try #require(onset)
        #expect(abs(Double(found) - exact) <= 0.5, "sounds at \(found), exact is \(exact)")
    }

    /// First non-zero frame after at least `gap` quiet ones.
    private func onsets(_ samples: [Float], gap: Int) -> [Int] {
        var found: [Int] = []
        var quiet = gap
        for (i, sample) in samples.enumerated() {
            if abs(sample) > 1e-7 {
                if quiet >= gap { found.append(i) }
                quiet = 0
            } else {
                quiet += 1
            }
        }
        return found
    }
}
