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

    @Test(arguments: [64, 999]) func whatSoundsByItselfEndsWithTheSong(slices: Int) throws {
        let song = RenderedSong.song(RenderedSong.note(0, 960), end: 1920)
        for (name, fade) in [("noise", 0.05), ("oscillator", 0.02), ("drum-machine", 0.5), ("metronome", 0.05)] {
            var patch = Patch()
            (patch.units, patch.outputs) = ([PatchUnit("alone", name)], [PatchPort("alone")])
            var options = RenderedSong.options(instrument: .squareWave)
            (options.patch, options.blockFrames) = (patch, slices)
            let (samples, report, _) = try RenderedSong.render(song, options)
            #expect(report.cut == nil && samples[0][..<96_000].contains { abs($0) > 1e-3 }, "\(name)")
            let last = samples[0].lastIndex { abs($0) >= 3.1623e-5 } ?? 0
            #expect(last < 96_000 + Int(fade * 48_000), "\(name) sounds up to \(last)")
            #expect(report.frames <= 96_000 + Int64(fade * 48_000) + 9_600 + 64, "\(name): \(report.frames)")
        }
    }

    @Test func aNoteThatNeverEndsGoesWithTheSongAndIsReported() throws {
        let song = RenderedSong.song([(0, .message(MIDIMessage(status: 0x90, data1: 60, data2: 90)))], end: 960)
        let whole = try length(song) { _ in }
        #expect(whole.frames < 48_000 * 2 && whole.cut == nil)
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
        #expect(throws: Fault.self) { try length(song) { $0.maximumDuration = 1e-9 } }
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
            (error as? Fault)?.kind == .tooLong && "\(error)".contains("240.0 hours")
        }
        options.maximumDuration = 2
        #expect(try RenderedSong.render(song, options).report.frames == 96_000)
    }

    @Test func anEmptySongGivesItsSilence() throws {
        let report = try length(RenderedSong.song([], end: 960)) { _ in }
        #expect(report.frames == 48_000 + 9600)
    }

    /// A patch in which a lead of short notes leads on through units that repeat it.
    private func echoing(_ units: [PatchUnit], _ connections: [(String, String)], output: String) throws -> RenderOptions {
        var patch = Patch(), lead = PatchUnit("lead", "square-wave", role: .instrument)
        lead.values = ["release": [0.01]]
        patch.units = [lead] + units
        patch.connections = connections.map { PatchConnection(PatchPort($0), to: PatchPort($1)) }
        patch.outputs = [PatchPort(output)]
        var options = RenderedSong.options(instrument: .squareWave)
        options.patch = patch
        return options
    }

    @Test func notesThatAreStillToComeAreWaitedFor() throws {
        var echo = PatchUnit("echo", "note-echo", role: .midi)
        echo.values = ["repeats": [2], "time": [1]]
        let options = try echoing([echo], [("echo", "lead")], output: "lead")
        let samples = try RenderedSong.render(RenderedSong.song(RenderedSong.note(0, 96)), options).samples
        let last = try #require(samples[0].lastIndex { abs($0) >= 3.1623e-5 })
        #expect((96_000..<110_000).contains(last), "the last sound is on frame \(last)")
        #expect(samples[0].count == last + 1 + 9600)
    }

    @Test func anEchoIsWaitedFor() throws {
        var delay = PatchUnit("delay", "delay")
        delay.values = ["time": [1.5], "feedback": [0]]
        let options = try echoing([delay], [("lead", "delay")], output: "delay")
        let samples = try RenderedSong.render(RenderedSong.song(RenderedSong.note(0, 96)), options).samples
        let last = try #require(samples[0].lastIndex { abs($0) >= 3.1623e-5 })
        #expect((72_000..<90_000).contains(last), "the last sound is on frame \(last)")
    }

    @Test func anInstrumentInAPatchInsideHearsAllParts() throws {
        var inside = Patch(), patch = Patch()
        inside.units = [PatchUnit("lead", "square-wave", role: .instrument)]
        inside.outputs = [PatchPort("lead")]
        patch.patches = [SubPatch("voice", inside)]
        patch.outputs = [PatchPort("voice")]
        var options = RenderedSong.options(instrument: .squareWave)
        options.patch = patch
        let (samples, report, _) = try RenderedSong.render(RenderedSong.song(RenderedSong.note(0, 960)), options)
        #expect(samples[0].contains { abs($0) > 0.01 } && report.counters.unheardEvents == 0)
    }
}
