// [render]
import RealtimeCore
import Synchronization

/// A sound that a device plays beside the graph's output: it is added after the slice was captured, so that no recorder and no
/// capture hears it.
///
/// Sendable: both sides share the atomics alone.
package struct Monitor: ~Copyable, @unchecked Sendable {
    /// Written by the control side, read by the render side.
    private let queue = Atomic<UnsafeMutableRawPointer?>(nil), delay = Atomic<Int>(0)

    init() {}

    deinit {
        if let pointer = queue.load(ordering: .acquiring) { Unmanaged<CaptureQueue>.fromOpaque(pointer).release() }
    }

    /// Plays the sound of a queue. One that it replaces stays in memory, since the render side may still read it. Control side.
    package func play(_ queue: CaptureQueue) {
        self.queue.store(Unmanaged.passRetained(queue).toOpaque(), ordering: .releasing)
    }

    /// Makes it later than its times by the latency of the graph. Control side.
    package func delay(by frames: Int) { delay.store(frames, ordering: .relaxed) }

    /// Adds it to a slice that was rendered from `time` on. Render thread.
    @_noLocks package func add(
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frames: Int, at time: SampleTime
    ) {
        guard let pointer = queue.load(ordering: .acquiring) else { return }
        let start = time.rawValue &- Int64(delay.load(ordering: .relaxed))
        Unmanaged<CaptureQueue>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
            $0.add(to: channels, channelCount: channelCount, frames: frames, from: start)
        }
    }
}

extension CaptureQueue {
    /// Adds the frames from a sample time on, and drops the blocks that end there.
    @_noLocks fileprivate func add(
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frames: Int, from start: Int64
    ) {
        while let block = peek() {
            let first = Int(truncatingIfNeeded: block.time.rawValue &- start), last = first &+ block.frames
            if first >= frames { return }
            for c in 0..<min(channelCount, self.channels) {
                let from = block.samples + c &* blockFrames, to = channels[c]
                var frame = max(first, 0)
                while frame < min(last, frames) {
                    to[frame] += from[frame &- first]
                    frame &+= 1
                }
            }
            // The rest of it belongs to the next slice.
            if last > frames { return }
            drop()
        }
    }
}
