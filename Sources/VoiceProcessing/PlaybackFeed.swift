import RealtimeCore
import Synchronization
import UnitAPI

/// Carries the sound that the device plays to a `voice-processor` with that source: the puller pushes each slice, the unit
/// takes it when its echo can have come back.
package final class PlaybackFeed: UnitCompanion, @unchecked Sendable {
    /// The sound that was rendered, with its sample times. The thread that pulls pushes, too.
    package let queue: CaptureQueue
    /// Written by the control side, read by the render side: 0 for no device.
    let latencyFrames: UnsafeMutablePointer<Atomic<Int>>

    init(frames: Int) {
        queue = CaptureQueue(channels: 2, frames: frames)
        latencyFrames = .allocate(capacity: 1)
        latencyFrames.initialize(to: Atomic(0))
    }

    deinit {
        latencyFrames.deinitialize(count: 1)
        latencyFrames.deallocate()
    }

    /// Connects the unit to a device's sound. Control side. `latency`: frames after which a sound that goes from the loudspeaker
    /// straight into the microphone is in the graph again: a device's `inputLatency`.
    package func connect(latency: Int) { latencyFrames.pointee.store(max(latency, 1), ordering: .releasing) }

    /// Silence from the next slice on. Control side.
    package func disconnect() { latencyFrames.pointee.store(0, ordering: .releasing) }
}
