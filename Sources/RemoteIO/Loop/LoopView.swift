import RealtimeCore
import Synchronization

/// The view of an audio loop for other threads: the state that they read, and the values that they write.
package final class LoopView: Sendable {
    /// Published by the loop after every slice.
    package let status = Snapshot(DeviceStatus())
    /// Index of a device further up the list that is available again, -1 for none. Written by the thread that looks for
    /// devices.
    package let betterDevice = Atomic<Int>(-1)
    /// Filled by the loop.
    package let report = TimingReport()

    package init() {}

    /// Takes the offer of a better device; -1 for none.
    @_noLocks package func takeOffer() -> Int {
        let index = betterDevice.load(ordering: .relaxed)
        if index >= 0 { betterDevice.store(-1, ordering: .relaxed) }
        return index
    }

    @_noLocks func publish(_ value: DeviceStatus) { status.publish(value) }
}
