import Carillon
import Testing

/// "The same input gives the same bytes", at any block size, with every unit of a song's graph in play.
@Suite struct BlockSizeTests {
    static let blocks = [1, 17, 64, 256, 4096]

    @Test(arguments: [("glass-bridge", 3.0), ("drum-groove", 2.0)])
    func theSquareWaveDoesNotDependOnTheBlockSize(song: String, seconds: Double) throws {
        try compare(song, RenderedSong.options(seconds, instrument: .squareWave), minimumPeak: song == "drum-groove" ? 0 : 0.01)
    }

    @Test(arguments: [("glass-bridge", 3.0), ("drum-groove", 2.0), ("sea-wall", 1.5)])
    func theSoundFontDoesNotDependOnTheBlockSize(song: String, seconds: Double) throws {
        try compare(song, RenderedSong.options(seconds), minimumPeak: 0.01)
    }

    @Test(arguments: ["glass-bridge", "drum-groove", "sea-wall"])
    func aSongDoesNotDependOnTheNumberOfThreads(song: String) throws {
        var reference: [[Float]] = []
        for threads in [1, 2, 5] {
            var options = RenderedSong.options(2)
            options.threads = threads
            options.blockFrames = threads == 2 ? 4_096 : 500
            let (samples, report, seen) = try RenderedSong.render(try RenderedSong.song(song), options)
            #expect(seen == "", "\(threads) threads: \(seen)")
            #expect(report.counters.faults == 0 && report.counters.lateEvents == 0)
            if reference.isEmpty { reference = samples }
            #expect(samples == reference, "\(song): \(threads) threads differ from one")
        }
        #expect((reference[0].map { abs($0) }.max() ?? 0) > 0.01)
    }

    @Test func theEndOfAnAutomaticTailDoesNotDependOnTheBlockSize() throws {
        let song = RenderedSong.song(RenderedSong.note(100, 300) + RenderedSong.note(250, 100, key: 50))
        for instrument in [RenderOptions.Instrument.squareWave, .soundFont([RenderedSong.soundFont])] {
            var lengths: Set<Int> = []
            for block in [1, 100, 4096] {
                var options = RenderedSong.options(instrument: instrument)
                options.blockFrames = block
                options.settings = ["reverb.decay=0.3s"]
                lengths.insert(try RenderedSong.render(song, options).samples[0].count)
            }
            #expect(lengths.count == 1, "\(instrument): \(lengths)")
        }
    }

    private func compare(_ name: String, _ options: RenderOptions, minimumPeak: Float) throws {
        let song = try RenderedSong.song(name)
        var reference: [[Float]] = []
        for block in Self.blocks {
            var options = options
            options.blockFrames = block
            let (samples, report, seen) = try RenderedSong.render(song, options)
            #expect(seen == "", "block \(block): \(seen)")
            #expect(report.counters.faults == 0 && report.counters.lateEvents == 0)
            if reference.isEmpty {
                reference = samples
                #expect((samples[0].map { abs($0) }.max() ?? 0) >= minimumPeak)
            }
            let same = (0..<2).allSatisfy { c in
                samples[c].count == reference[c].count
                    && zip(samples[c], reference[c]).allSatisfy { $0.bitPattern == $1.bitPattern }
            }
            #expect(same, "\(name): block \(block) differs from block \(Self.blocks[0])")
        }
    }
}
