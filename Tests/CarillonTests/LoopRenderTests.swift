import Carillon
import Testing

/// `--loops` and `--fade`: a song whose loop is played so often.
@Suite struct LoopRenderTests {
    /// Eight beats of half a second, a note on each; the loop is from the third beat on to the sixth's end.
    private static let song: Song = {
        var events = notes([0, 1, 2, 3, 4, 5, 6, 7])
        events.append((960, .text(SongText(.marker, "loopStart"))))
        events.append((2880, .text(SongText(.marker, "loopEnd"))))
        return RenderedSong.song(events, end: 3840)
    }()

    /// A note on each beat.
    private static func notes(_ steps: [Int]) -> [(tick: Int64, kind: SongEvent.Kind)] {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        for (beat, step) in steps.enumerated() { events += RenderedSong.note(Int64(beat) * 480, 300, key: UInt8(60 + 2 * step)) }
        return events
    }

    /// The same, written out: the loop three times.
    private static let written = RenderedSong.song(notes([0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7]), end: 16 * 480)

    private static func options(_ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderedSong.options(instrument: .squareWave)
        options.settings = ["square-wave.release=100ms", "reverb.decay=500ms"]
        change(&options)
        return options
    }

    @Test func aLoopSoundsAsIfItWereWrittenOut() throws {
        let written = try RenderedSong.render(Self.written, Self.options())
        for block in [64, 512, 4_001] {
            let looped = try RenderedSong.render(
                Self.song,
                Self.options {
                    $0.loops = 3
                    $0.blockFrames = block
                })
            let length = (looped.samples[0].count, written.samples[0].count)
            let apart = zip(looped.samples[0], written.samples[0]).enumerated().first { $1.0 != $1.1 }
            #expect(length.0 == length.1 && apart == nil, "blocks of \(block): \(length), \(String(describing: apart))")
            let isSame = looped.samples == written.samples
            #expect(isSame)
            #expect(looped.report.notesPlayed == 16 && looped.report.cut == nil && looped.seen.isEmpty, "\(looped.seen)")
        }
    }

    @Test func onceIsTheSongItself() throws {
        let plain = try SongRenderer(Self.song, options: Self.options())
        #expect(plain.plan.stretches.count == 1)
        let twice = try SongRenderer(Self.song, options: Self.options { $0.loops = 2 })
        #expect(twice.expectedFrames == plain.expectedFrames + 96_000)
    }

    @Test func aFadeEndsInSilenceWhileTheLoopGoesOn() throws {
        let whole = try RenderedSong.render(Self.song, Self.options { $0.loops = 5 }).samples
        for block in [64, 4_001] {
            let (samples, report, _) = try RenderedSong.render(
                Self.song,
                Self.options {
                    $0.loops = 2
                    $0.fade = 1.5
                    $0.tail = .seconds(3)
                    $0.blockFrames = block
                })
            // Three seconds to the loop's end, two for the second round, the fade; no tail.
            #expect(report.frames == 240_000 + 72_000 && report.cut == nil && report.notesPlayed == 13)
            let isSame = samples[0][..<240_000] == whole[0][..<240_000]
            #expect(isSame)
            #expect(samples[0].last == 0 && samples[1].last == 0)
            var softest: Float = 1
            for frame in stride(from: 240_000, to: 312_000, by: 1_000) where abs(whole[0][frame]) > 0.001 {
                let gain = samples[0][frame] / whole[0][frame]
                #expect(gain <= softest + 1e-4 && gain >= 0)
                softest = gain
            }
            #expect(softest < 0.05)
        }
        // What is cut earlier is cut as ever.
        var options = Self.options()
        (options.loops, options.fade, options.maximumDuration) = (2, 1.5, 5.5)
        let cut = try RenderedSong.render(Self.song, options)
        #expect(cut.report.frames == 264_000 && cut.report.cut == .maximumDuration && cut.samples[0].last == 0)
    }

    /// Controller 37, an effect of a Sound Blaster and a drum's pitch come in the loop's second half, and count from there on.
    @Test func aRoundBeginsAsTheSongDoes() throws {
        func change(_ tick: Int64, _ channel: UInt8, _ changes: [(UInt8, UInt8)]) -> [(tick: Int64, kind: SongEvent.Kind)] {
            changes.map { (tick, .message(MIDIMessage(status: 0xB0 | channel, data1: $0.0, data2: $0.1))) }
        }
        func drum(_ tick: Int64) -> [(tick: Int64, kind: SongEvent.Kind)] {
            RenderedSong.note(tick, 100, key: 36).map { event in
                guard case .message(var message) = event.kind else { return event }
                message.status |= 9
                return (event.tick, .message(message))
            }
        }
        var events = change(0, 0, [(91, 0), (5, 32)]) + change(0, 9, [(91, 0)])
        let sets =
            change(1_900, 0, [(37, 50), (99, 127), (98, 21), (38, 20)]) + change(1_900, 9, [(99, 24), (98, 36), (6, 70)])
        for beat in Int64(2)..<6 {
            events += change(480 * beat, 0, [(84, 60)]) + RenderedSong.note(480 * beat, 200, key: 72) + drum(480 * beat + 100)
        }
        let loop: [(tick: Int64, kind: SongEvent.Kind)] = [
            (960, .text(SongText(.marker, "loopStart"))), (2_880, .text(SongText(.marker, "loopEnd"))),
        ]
        try TinySoundFont().write { path in
            func render(_ events: [(tick: Int64, kind: SongEvent.Kind)], _ change: (inout RenderOptions) -> Void) throws
                -> [Float]
            {
                var options = RenderedSong.options(instrument: .soundFont([path]))
                change(&options)
                return try RenderedSong.render(RenderedSong.song(events, end: 2_880), options).samples[0]
            }
            let whole = try render(events + sets + loop) { $0.loops = 2 }
            let first = Array(whole[48_000..<144_000]), second = Array(whole[144_000..<240_000])
            #expect(first == second)
            let part = try render(events + sets) { $0.passage.from = .seconds(1) }
            #expect(Array(part.prefix(90_000)) == Array(first.prefix(90_000)))
            // Heard at all, each of them.
            let plain = try render(events) { _ in }
            #expect(Array(plain[48_000..<90_000]) == Array(first[..<42_000]))
            for (from, to) in [(96_000, 106_000), (101_000, 110_000)] {
                #expect(Array(plain[from..<to]) != Array(whole[from..<to]))
            }
        }
    }

    @Test func whatCannotBeIsRefused() {
        for change in [{ $0.loops = 0 }, { $0.loops = 1001 }, { $0.fade = 0 }, { $0.fade = .nan }]
            as [(inout RenderOptions) -> Void]
        {
            #expect(throws: Fault.self) { try SongRenderer(Self.song, options: Self.options(change)) }
        }
        // A thousand rounds of what lasts a day and a half.
        let long = RenderedSong.song(RenderedSong.note(0, 480), end: 960 * 130)
        #expect(throws: Fault.self) { try SongRenderer(long, options: Self.options { $0.loops = 1000 }) }
    }
}
