import Graph
import RealtimeCore
import UnitAPI
import Units

/// The sound of a song's stems while it is rendered: frame by frame beside that of its mix. Control side, one thread.
final class StemSound {
    private let feed: StemFeed
    private let sum: StemSum

    /// The stems that `mixer` gives; nil where it gives none.
    ///
    /// - Parameter frames: the most of a pull.
    init?(_ engine: Engine, mixer: String, latency: Int, frames: Int) {
        guard let node = engine.graph.node(named: mixer), let feed = node.instance.companion as? StemFeed else { return nil }
        self.feed = feed
        sum = StemSum(frames: frames)
        // What stands behind the mixer lets the mix out later.
        feed.prepare(delay: max(latency - GraphColumns(engine.graph).departure(node.id), 0), frames: frames)
    }

    /// Makes room for what the next pull gives.
    func begin(at time: SampleTime, frames: Int) { feed.begin(at: time, frames: frames) }

    /// Left and right of each stem, for the frames of the last pull.
    var channels: [UnsafePointer<Float>] { feed.channels.map { UnsafePointer($0) } }

    /// Fades the mix and its stems alike, frames from `start` on.
    func fade(_ fade: RenderFade, _ mix: UnsafePointer<UnsafeMutablePointer<Float>>, start: Int64, frames: Int) {
        let part = fade.part(start: start, frames: frames)
        if part.isEmpty { return }
        let stems = feed.channels.map { $0 + part.lowerBound }
        sum.change([mix[0] + part.lowerBound, mix[1] + part.lowerBound], stems, frames: part.count) { channels in
            channels.withUnsafeBufferPointer { pointers in
                guard let base = pointers.baseAddress else { return }
                fade.apply(to: base, count: pointers.count, start: start + Int64(part.lowerBound), frames: part.count)
            }
        }
    }
}
