import Carillon
import Testing

/// `--loop-file`: the end of the sound joins its beginning; and `--trim`: silence at the ends is left out.
@Suite struct LoopFileTests {
    /// Nine beats of 20 011 frames, no whole number of slices: a held chord, and a tune over it. What is behind them is no
    /// part of the loop.
    private static let song: Song = {
        func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> (tick: Int64, kind: SongEvent.Kind) {
            (tick, .message(MIDIMessage(status: status, data1: data1, data2: data2)))
        }
        var events = [message(0, 0xC0, 89), message(0, 0xB0, 93, 127), message(0, 0xB0, 91, 100), message(0, 0xC1, 73)]
        for key: UInt8 in [48, 55, 64] { events += RenderedSong.note(0, 9 * 480, key: key) }
        for beat in 0..<9 {
            events += [
                message(Int64(beat) * 480, 0x91, UInt8(60 + 2 * beat), 90),
                message(Int64(beat) * 480 + 470, 0x81, UInt8(60 + 2 * beat)),
            ]
        }
        events += [(0, .tempo(microsecondsPerQuarter: 416_896)), (9 * 480, .text(SongText(.marker, "loopEnd")))]
        events += RenderedSong.note(10 * 480, 480, key: 90)
        return RenderedSong.song(events, end: 12 * 480)
    }()

    private static func options(_ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderedSong.options()
        options.passage.isLoop = true
        change(&options)
        return options
    }

    /// How far frames are from the straight line through their neighbours, in a sound that is played round and round.
    private static func bends(_ sound: [Float], _ frames: Range<Int>) -> Float {
        let count = sound.count
        return frames.reduce(0) { most, frame in
            let (a, b, c) = (sound[(frame + count - 1) % count], sound[frame % count], sound[(frame + 1) % count])
            return max(most, abs(a - 2 * b + c))
        }
    }

    /// Nothing is heard at the joint that is not heard inside.
    private static func check(_ sound: [Float]) {
        let joint = bends(sound, sound.count - 2..<sound.count + 2)
        // The beats inside begin as the first one does.
        let inside = (1..<9).map { (beat: Int) -> Float in bends(sound, beat * 20_011 - 200..<beat * 20_011 + 200) }.max() ?? 0
        #expect(joint <= inside, "\(joint) at the joint, \(inside) inside")
        let step = abs(sound[0] - sound[sound.count - 1])
        let steps =
            (sound.count / 2..<sound.count - 1).map { (frame: Int) -> Float in abs(sound[frame + 1] - sound[frame]) }.max() ?? 0
        #expect(step <= steps, "a step of \(step), \(steps) inside")
    }

    @Test func theEndJoinsTheBeginning() throws {
        var same: [[Float]]?
        for (block, threads) in [(512, 1), (64, 1), (4_001, 2)] {
            let (samples, report, seen) = try RenderedSong.render(
                Self.song, Self.options { ($0.blockFrames, $0.threads) = (block, threads) })
            #expect(report.frames == 9 * 20_011 && report.notesPlayed == 12 && report.cut == nil && seen.isEmpty)
            #expect(report.part?.lowerBound == 0 && report.part?.upperBound == 9 * 20_011)
            for channel in samples { Self.check(channel) }
            let isSame = same.map { $0 == samples } ?? true
            #expect(isSame)
            same = samples
        }
        // What rings on from the end is there at the beginning: the loop is not the song's beginning.
        let plain = try RenderedSong.render(Self.song, Self.options { $0.passage.isLoop = false }).samples
        let isOther = same.map { $0[0][..<1_000] != plain[0][..<1_000] }
        #expect(isOther == true)
    }

    @Test func soItDoesWhenItIsBroughtToALoudness() throws {
        // So loud that the limiter has something to do.
        let renderer = try SongRenderer(Self.song, options: Self.options())
        var sound: [Float] = []
        let report = try renderer.render(
            at: LoudnessTarget(loudness: -9, peak: -6),
            into: { (channels, frames) throws(AudioFileError) in
                sound.append(contentsOf: UnsafeBufferPointer(start: channels[0], count: frames))
            })
        #expect(sound.count == 9 * 20_011 && report.frames == 9 * 20_011 && report.limiter.most > 0)
        Self.check(sound)
    }

    @Test func aLoopThatWouldBeCutIsRefused() {
        #expect(throws: Fault.self) { try SongRenderer(Self.song, options: Self.options { $0.maximumDuration = 1 }) }
    }

    @Test func silenceAtTheEndsIsLeftOut() throws {
        let song = RenderedSong.song(RenderedSong.note(960, 480) + RenderedSong.note(4_800, 480), end: 9_600)
        func render(_ song: Song, _ block: Int, trims: Bool) throws -> (samples: [[Float]], report: RenderReport) {
            var options = RenderedSong.options(instrument: .squareWave)
            (options.hasEffects, options.blockFrames) = (false, block)
            let renderer = try SongRenderer(song, options: options), trim = SilenceTrim(channels: 2)
            var samples: [[Float]] = [[], []]
            func take(_ channels: [UnsafePointer<Float>], _ frames: Int) {
                for c in 0..<2 { samples[c].append(contentsOf: UnsafeBufferPointer(start: channels[c], count: frames)) }
            }
            var report = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
                if trims { try trim.add(channels, frames: frames, into: take) } else { take(channels, frames) }
            })
            if trims { try trim.finish(&report, into: take) }
            return (samples, report)
        }
        let whole = try render(song, 512, trims: false).samples
        let loud = whole[0].indices.filter { abs(whole[0][$0]) >= 3.1622776e-5 || abs(whole[1][$0]) >= 3.1622776e-5 }
        let first = try #require(loud.first), last = try #require(loud.last)
        for block in [64, 512, 10_000] {
            let (samples, report) = try render(song, block, trims: true)
            let isSame = samples == whole.map { Array($0[first...last]) }
            #expect(isSame && report.frames == Int64(last + 1 - first) && report.silenceBefore == Int64(first))
            #expect(report.silenceBehind == Int64(whole[0].count - last - 1))
        }
        // What is silent altogether stays as long as it is.
        let silence = RenderedSong.song([], end: 960)
        let (samples, report) = try render(silence, 512, trims: true)
        #expect(samples[0].count == Int(report.frames) && report.frames >= 48_000 && report.silenceBefore == 0)
    }

    @Test func aMixOfASendIsToldWithWhatWasMeant() throws {
        func remarks(_ settings: String...) throws -> [String] {
            var options = RenderedSong.options()
            options.settings = settings
            return try SongRenderer(Self.song, options: options).graph.remarks.map(\.description).filter { $0.contains("send") }
        }
        let told = try remarks("reverb.mix=20%")
        #expect(told.count == 1 && told[0].contains("reverb.mix") && told[0].contains("reverb.level"), "\(told)")
        #expect(told[0].contains("strip-1.reverb-send"), "\(told)")
        #expect(try remarks("reverb.mix=100%", "chorus.level=-6dB").isEmpty)
        #expect(try remarks("chorus.mix=50%").count == 1)
    }
}
