import Carillon
import Testing

/// The strips of a song add up to its dry mix, with nothing left over.
@Suite struct StemTests {
    @Test(arguments: [("sea-wall", 1.5), ("pachelbel-canon", 3.0)])
    func stemsAddUpToTheDryMix(name: String, seconds: Double) throws {
        let song = try RenderedSong.song(name)
        let frames = Int(seconds * 48_000)
        let mix = try render(song, frames) { (graph, node) throws(Fault) in try graph.setOutput(node.mixer) }
        let strips = try SongRenderer(song, options: options).graph.strips.indices
        #expect(strips.count == (name == "sea-wall" ? 16 : 8))
        var sum: [[Float]] = [Array(repeating: 0, count: frames), Array(repeating: 0, count: frames)]
        for strip in strips {
            let stem = try render(song, frames) { (graph, node) throws(Fault) in
                try graph.setOutput(node.strips[strip].node)
            }
            for c in 0..<2 { for i in 0..<frames { sum[c][i] += stem[c][i] } }
        }
        var greatest: Float = 0
        for c in 0..<2 { for i in 0..<frames { greatest = max(greatest, abs(sum[c][i] - mix[c][i])) } }
        #expect(greatest == 0, "the sum of \(strips.count) stems differs from the mix by \(greatest)")
        #expect((mix[0].map { abs($0) }.max() ?? 0) > 0.01)
    }

    private var options: RenderOptions {
        var options = RenderedSong.options(10)
        options.hasEffects = false
        return options
    }

    /// Renders the first frames of a song with another output of its graph; the limiter and all behind it drop out.
    private func render(
        _ song: Song, _ frames: Int, output: (inout Graph, SongGraph) throws(Fault) -> Void
    ) throws -> [[Float]] {
        let renderer = try SongRenderer(song, options: options)
        let nodes = renderer.graph
        try renderer.engine.edit { (graph) throws(Fault) in
            try output(&graph, nodes)
        }
        let generic = try OfflineOutput(renderer: renderer.engine.renderer, maximumFrames: 512)
        var samples: [[Float]] = [[], []]
        while samples[0].count < frames {
            let now = min(512, frames - samples[0].count)
            generic.pull(now)
            for c in 0..<2 { samples[c] += generic.buffer[channel: c][..<now] }
        }
        return samples
    }
}
