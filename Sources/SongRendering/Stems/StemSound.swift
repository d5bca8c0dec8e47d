import DSP
import EngineCore
import Graphs
import RealtimeCore
import UnitAPI
import Units

/// The sound of a song's stems while it is rendered: frame by frame beside that of its mix. Control side, one thread.
final class StemSound {
    private let feed: StemFeed
    private let sum: StemSum
    /// The stems on the loudspeakers of the mix, and the way there; nil where these are the mixer's.
    private let folded: AudioBuffer?
    private let fold: SpeakerFold

    /// The stems that `mixer` gives, on the loudspeakers of `layout`; nil where it gives none.
    init?(_ engine: Engine, mixer: String, latency: Int, layout: SpeakerLayout, frames: Int) {
        guard let node = engine.graph.node(named: mixer), let feed = node.instance.companion as? StemFeed else { return nil }
        self.feed = feed
        sum = StemSum(channels: layout.channels, frames: frames)
        fold = SpeakerFold(from: .stereo, to: layout)
        folded = layout == .stereo ? nil : AudioBuffer(channels: feed.count * layout.channels, capacity: frames)
        // Units after the mixer delay the mix.
        feed.prepare(delay: max(latency - GraphColumns(engine.graph).departure(node.id), 0), frames: frames)
    }

    package func begin(at time: SampleTime, frames: Int) { feed.begin(at: time, frames: frames) }

    package func end(frames: Int) {
        guard let folded else { return }
        feed.channels.withUnsafeBufferPointer { sides in
            guard let base = sides.baseAddress else { return }
            for stem in 0..<feed.count { fold.fold(base + 2 * stem, to: folded.channels + fold.outputs * stem, frames: frames) }
        }
    }

    /// The channels of each stem, for the frames of the last pull.
    var channels: [UnsafePointer<Float>] { planes.map { UnsafePointer($0) } }

    private var planes: [UnsafeMutablePointer<Float>] { folded?.planes ?? feed.channels }

    /// Fades the mix and its stems alike, frames from `start` on.
    func fade(_ fade: RenderFade, _ mix: [UnsafeMutablePointer<Float>], start: Int64, frames: Int) {
        let part = fade.part(start: start, frames: frames)
        if part.isEmpty { return }
        sum.change(mix.map { $0 + part.lowerBound }, planes.map { $0 + part.lowerBound }, frames: part.count) {
            fade.apply(to: $0, start: start + Int64(part.lowerBound), frames: part.count)
        }
    }
}
