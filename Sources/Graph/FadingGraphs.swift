import RealtimeCore

/// The graphs that sounded before the present one and whose last edges may still be fading out: a new plan lets them
/// fade on, however quickly one change follows another. Control side.
public struct FadingGraphs: Sendable {
    private var former: [(graph: Graph, end: SampleTime)] = []

    /// Nothing has sounded yet.
    public init() {}

    /// Oldest first; those that may still be heard.
    public var graphs: [Graph] { former.map(\.graph) }
    /// When the last of them has faded out; nil when none is left.
    public var end: SampleTime? { former.last?.end }

    /// Remembers a graph that is being replaced, until the fade is over that starts within the next slice.
    ///
    /// - Parameters:
    ///   - now: the sample time of the next slice.
    ///   - fade: frames that an edge takes to vanish.
    public mutating func add(_ graph: Graph, now: SampleTime, fade: Int) {
        forget(until: now)
        former.append((graph, now + graph.maximumFrames + fade))
    }

    /// Forgets those that have faded out by `now`.
    public mutating func forget(until now: SampleTime) { former.removeAll { $0.end < now } }
}
