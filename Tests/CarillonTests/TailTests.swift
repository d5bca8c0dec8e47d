import Carillon
import Testing

/// When a render ends.
@Suite struct TailTests {
    private func length(_ song: Song, _ change: (inout RenderOptions) -> Void) throws -> (frames: Int64, cut: RenderReport.Cut?) {
        var options = RenderedSong.options(instrument: .squareWave)
        options.settings = ["channel-strip.reverb-send=0", "square-wave.release=100ms"]
        change(&options)
        let report = try RenderedSong.render(song, options).report
        return (report.frames, report.cut)
    }

    @Test func exactEndsWithTheSong() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 960), end: 1920)
        #expect(try length(song) { $0.tail = .exact }.frames == 96_000)
    }

    @Test func secondsAreAddedToTheSong() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 960))
        #expect(try length(song) { $0.tail = .seconds(0.5) }.frames == 72_000)
    }

    @Test func autoEndsTwoHundredMillisecondsAfterTheLastSound() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 960))
        var options = RenderedSong.options(instrument: .squareWave)
        options.settings = ["channel-strip.reverb-send=0", "square-wave.release=100ms"]
        let (samples, report, _) = try RenderedSong.render(song, options)
        let last = try #require(samples[0].lastIndex { abs($0) >= 3.1623e-5 })
        #expect(report.frames == Int64(last) + 1 + 9600 && report.cut == nil)
        #expect(report.frames > 48_000 + 9600 && report.frames < 48_000 + 9600 + 48_000)
    }

    @Test func aNoteThatNeverEndsIsBoundedAndReported() throws {
        let song = RenderedSong.song([(0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 90)))], end: 960)
        let bounded = try length(song) { $0.longestTail = 2 }
        #expect(bounded.frames == 48_000 * 3 && bounded.cut == .longestTail)
        #expect(try SongRenderer(song, options: RenderedSong.options(instrument: .squareWave)).timeline.summary.unendedNotes == 1)
    }

    @Test func maximumDurationCuts() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 9600))
        let cut = try length(song) { $0.maximumDuration = 1.5 }
        #expect(cut.frames == 72_000 && cut.cut == .maximumDuration)
        // As long as the song: nothing is cut.
        let whole = try length(song) {
            $0.tail = .exact
            $0.maximumDuration = 10
        }
        #expect(whole.frames == 480_000 && whole.cut == nil)
        // Less than a frame would be an empty file.
        #expect(throws: RenderError.self) { try length(song) { $0.maximumDuration = 1e-9 } }
    }

    @Test func aCutIsFadedOutAndEndsAtZero() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 9600))
        var options = RenderedSong.options(instrument: .squareWave)
        let whole = try RenderedSong.render(song, options).samples
        options.maximumDuration = 1.5
        let (cut, report, _) = try RenderedSong.render(song, options)
        #expect(report.fade == 0.02 && cut[0].count == 72_000)
        #expect(Array(cut[0][..<71_040]) == Array(whole[0][..<71_040]))
        #expect(cut[0][71_999] == 0 && cut[1][71_999] == 0)
        // Half way it is half as loud: a raised cosine.
        #expect(abs(cut[0][71_519] - whole[0][71_519] / 2) < 0.001 * abs(whole[0][71_519]) + 1e-6)
        options.blockFrames = 100
        #expect(try RenderedSong.render(song, options).samples == cut)
        // What ends before the cut by itself is as it was.
        options.maximumDuration = 100
        #expect(try RenderedSong.render(song, options).report.fade == 0)
        // Shorter than a fade.
        options.maximumDuration = 0.001
        let short = try RenderedSong.render(song, options)
        #expect(short.report.fade == 0.001 && short.samples[0].last == 0)
    }

    @Test func tenDaysOfSilenceAreRefusedUnlessAskedFor() throws {
        let song = RenderedSong.song(RenderedSong.note(0, 480), end: 10 * 86_400 * 960)
        var options = RenderedSong.options(instrument: .squareWave)
        #expect { try SongRenderer(song, options: options) } throws: { error in
            guard case RenderError.tooLong(let seconds, _) = error else { return false }
            return seconds == 864_000
        }
        options.maximumDuration = 2
        #expect(try RenderedSong.render(song, options).report.frames == 96_000)
    }

    @Test func anEmptySongGivesItsSilence() throws {
        let report = try length(RenderedSong.song([], end: 960)) { _ in }
        #expect(report.frames == 48_000 + 9600)
    }
}
