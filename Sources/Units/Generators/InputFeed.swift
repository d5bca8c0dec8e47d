import RealtimeCore
import Synchronization
import UnitAPI

/// The way from the device's capture side to the unit `input`: the device's port pushes, the unit takes.
package final class InputFeed: UnitCompanion, @unchecked Sendable {
    /// The sound that is captured, with the sample times that the device plays meanwhile. The thread that pulls pushes, too.
    package let queue: CaptureQueue
    /// Written by the control side, read by the render side: 0 for no device.
    let latencyFrames: UnsafeMutablePointer<Atomic<Int>>
    let channelCount: UnsafeMutablePointer<Atomic<Int>>

    init(channels: Int, frames: Int) {
        queue = CaptureQueue(channels: channels, frames: frames)
        latencyFrames = .allocate(capacity: 1)
        latencyFrames.initialize(to: Atomic(0))
        channelCount = .allocate(capacity: 1)
        channelCount.initialize(to: Atomic(0))
    }

    deinit {
        latencyFrames.deinitialize(count: 1)
        latencyFrames.deallocate()
        channelCount.deinitialize(count: 1)
        channelCount.deallocate()
    }

    /// Channels that the unit hears; those of a device that has fewer are silent. A mono device plays on both sides.
    package var channels: Int { queue.channels }

    /// Connects the unit to a device of `channels` channels, whose frames come out `latency` frames after capture. Control side.
    package func connect(latency: Int, channels: Int) {
        channelCount.pointee.store(channels, ordering: .relaxed)
        latencyFrames.pointee.store(max(latency, 1), ordering: .releasing)
    }

    /// Silence from the next slice on. Control side.
    package func disconnect() { latencyFrames.pointee.store(0, ordering: .releasing) }

    /// Frames from capture to the unit's output; 0 if no device is open.
    package var latency: Int { latencyFrames.pointee.load(ordering: .acquiring) }
}
