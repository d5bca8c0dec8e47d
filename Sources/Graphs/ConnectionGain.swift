import RealtimeCore

/// The lanes that one edge keeps from plan to plan: one for each delay that it has had. Control side.
final class ConnectionGain: @unchecked Sendable {
    private var lanes: [Int: EdgeLane] = [:]

    init() {}

    /// Returns the lane with `delay` frames that sounds or has sounded, with its sound, else a new one with gain `value`.
    func lane(delay: Int, channels: Int, value: Float) -> EdgeLane {
        if let lane = lanes[delay] { return lane }
        let lane = EdgeLane(delay: delay, channels: channels, value: value)
        lanes[delay] = lane
        return lane
    }

    /// Forgets the others, once no plan needs them.
    func keep(onlyDelay delay: Int) { lanes = lanes.filter { $0.key == delay } }
}

/// An edge with one delay: its gain, and the sound in the delay. The control side makes and frees it; while a plan contains
/// it, only the render thread writes it.
final class EdgeLane: @unchecked Sendable {
    private var owned = OwnedMemory()
    /// The gain, which survives from plan to plan. [render]
    let gain: UnsafeMutablePointer<EdgeFade>
    /// The share of the edge that solo leaves, beside the gain. [render]
    let gate: UnsafeMutablePointer<EdgeFade>
    /// A ring per channel; nil without a delay. [render]
    let ring: AudioBuffer?
    /// Where the ring is written next. [render]
    let position: UnsafeMutablePointer<Int>
    /// Frames since the source last sounded; `delay` and more mean that the ring holds silence. [render]
    let quietFrames: UnsafeMutablePointer<Int>

    init(delay: Int, channels: Int, value: Float) {
        gain = owned.make(1, of: EdgeFade(value))
        gate = owned.make(1, of: EdgeFade(1))
        ring = delay == 0 ? nil : AudioBuffer(channels: channels, capacity: delay)
        position = owned.make(1, of: 0)
        quietFrames = owned.make(1, of: delay)
    }
}
