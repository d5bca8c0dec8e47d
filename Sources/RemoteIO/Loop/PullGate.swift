import CRealtime
import Glibc
import Synchronization

/// The place where the thread of a device that pulls enters the audio loop, at a stable address: it enters while the gate is
/// open, and gets silence while it is shut. The owner of the loop opens it, and has the loop to itself again once it has shut
/// it.
package struct PullGate: ~Copyable {
    private let loop: UnsafeMutablePointer<AudioLoop>
    /// Signalled when something happened that the loop's owner is to look at.
    private let bell: Int32
    private let isOpen = Atomic<Bool>(false), isInside = Atomic<Bool>(false)
    private let lossCode = Atomic<Int32>(0)
    private let xruns = Atomic<Int>(0)
    private let cycles = Atomic<Int>(0), period = Atomic<Int>(0)
    private let freewheels = Atomic<Bool>(false), paused = Atomic<Bool>(false)

    /// Creates a gate that is shut, to a loop that outlives it; the same goes for the event that it rings with. Control side.
    package init(_ loop: UnsafeMutablePointer<AudioLoop>, bell: Int32) {
        self.loop = loop
        self.bell = bell
    }

    // MARK: - The loop's owner

    /// Admits the device's thread.
    package func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

    /// Shuts it out; when this returns it has left. This call sleeps meanwhile: the thread inside may have a lower priority,
    /// and there may be only one processor.
    package func shut() {
        isOpen.store(false, ordering: .sequentiallyConsistent)
        while isInside.load(ordering: .sequentiallyConsistent) { usleep(100) }
    }

    /// Cycles that were answered so far.
    package var answered: Int { cycles.load(ordering: .relaxed) }
    /// Frames of the last cycle; 0 before the first.
    package var periodFrames: Int { period.load(ordering: .relaxed) }
    /// True if the device runs as fast as it is answered, which may be only as fast as a disk.
    package var isFreewheeling: Bool { freewheels.load(ordering: .relaxed) }
    /// True if the device is there, but has reported that it asks for nothing.
    package var isPaused: Bool { @_noLocks get { paused.load(ordering: .relaxed) } }
    /// The reason why the device is gone, an error number; nil while it is there.
    package var loss: Int32? {
        @_noLocks get {
            let code = lossCode.load(ordering: .acquiring)
            return code == 0 ? nil : code
        }
    }

    // MARK: - The device's other threads

    /// The device is gone, or is another than it was when it was opened.
    package func lose(_ code: Int32) {
        lossCode.store(code, ordering: .releasing)
        ring()
    }

    /// The device will ask for nothing for a while, or asks again.
    package func pause(_ pauses: Bool) {
        paused.store(pauses, ordering: .relaxed)
        ring()
    }

    /// Something has changed that its owner may want to show.
    package func ring() { rt_event_signal(bell) }

    /// The device ran out of sound.
    @_noLocks package func noteXrun() { xruns.add(1, ordering: .relaxed) }

    // [render]

    /// Answers a cycle: sound, or silence while the gate is shut. The device's thread.
    @_noLocks package func pull(_ cycle: rt_cycle) {
        isInside.store(true, ordering: .sequentiallyConsistent)
        freewheels.store(cycle.is_freewheeling, ordering: .relaxed)
        if isOpen.load(ordering: .sequentiallyConsistent) {
            loop.pointee.pull(cycle, xruns: xruns.exchange(0, ordering: .relaxed))
            cycles.add(1, ordering: .relaxed)
        } else {
            for channel in 0..<Int(cycle.output_count) {
                if let to = cycle.outputs[channel] { rt_zero(to, Int(cycle.frames)) }
            }
        }
        let frames = Int(cycle.frames)
        let isOther = PulledLane.isOther(frames, than: period.load(ordering: .relaxed))
        if isOther { period.store(frames, ordering: .relaxed) }
        isInside.store(false, ordering: .sequentiallyConsistent)
        if isOther { rt_event_signal(bell) }
    }
}
