import RealtimeCore
import Synchronization
import UnitAPI

/// Carries the sound of a unit `device-output` to the device that plays it: the unit pushes, and the owner of the device
/// takes.
package final class OutputFeed: UnitCompanion, @unchecked Sendable {
    /// The devices that the unit names, best first; none if the program chooses.
    package let devices: [String]
    /// The first of the two channels of the device, from 1 on.
    package let channel: Int
    /// The sound that is to be played, with its sample times.
    package let queue: CaptureQueue
    /// Written by the control side, read by the render side: whether there is a device.
    let connection: UnsafeMutablePointer<Atomic<Bool>>
    private let trouble = Mutex<String?>(nil)

    init(devices: [String], channel: Int, frames: Int) {
        (self.devices, self.channel) = (devices, channel)
        // Slices may be shorter than a block, and take a whole one each.
        queue = CaptureQueue(channels: 2, frames: frames, blockFrames: 64)
        connection = .allocate(capacity: 1)
        connection.initialize(to: Atomic(false))
    }

    deinit {
        connection.deinitialize(count: 1)
        connection.deallocate()
    }

    /// Makes the unit push its input. Control side.
    package func connect() { connection.pointee.store(true, ordering: .releasing) }

    /// Disconnects the unit: its input goes nowhere from the next slice on. Control side.
    package func disconnect() { connection.pointee.store(false, ordering: .releasing) }

    /// Sets the reason why nothing is heard, as a sentence; nil means it is heard. Any thread.
    package func tell(_ trouble: String?) { self.trouble.withLock { $0 = trouble } }

    /// The reason why nothing is heard.
    package override var complaint: String? { trouble.withLock { $0 } }
}
