import RealtimeCore
import UnitAPI

/// What one edge keeps from plan to plan: its gain, and what it has delayed. The render thread writes it once a plan has
/// the edge; the control side makes and frees it.
final class ConnectionGain: @unchecked Sendable {
    let ramp: UnsafeMutablePointer<ParameterRamp>
    /// The newest plan's delay. Control side.
    private var ring: DelayRing?

    init() {
        ramp = .allocate(capacity: 1)
        ramp.initialize(to: ParameterRamp(0))
    }

    deinit { ramp.deallocate() }

    /// Memory for a delay of `frames` frames: the last plan's, with the sound in it, where that fits; nil for none.
    func ring(frames: Int, channels: Int) -> DelayRing? {
        if frames == 0 {
            ring = nil
        } else if ring?.frames != frames || ring?.channels != channels {
            ring = DelayRing(frames: frames, channels: channels)
        }
        return ring
    }
}

/// The delayed sound of one edge: a ring per channel.
final class DelayRing: @unchecked Sendable {
    let frames: Int
    let channels: Int
    let audio: AudioBuffer
    /// Where the ring is written next. [render]
    let position: UnsafeMutablePointer<Int>
    /// Frames since the source last sounded; `frames` and more mean that the ring holds silence. [render]
    let quietFrames: UnsafeMutablePointer<Int>

    init(frames: Int, channels: Int) {
        self.frames = frames
        self.channels = channels
        audio = AudioBuffer(channels: channels, capacity: frames)
        position = .allocate(capacity: 1)
        position.initialize(to: 0)
        quietFrames = .allocate(capacity: 1)
        quietFrames.initialize(to: frames)
    }

    deinit {
        position.deallocate()
        quietFrames.deallocate()
    }
}
