// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// Sound on its way from the audio thread to the control side, slice by slice: what was rendered, for a file, or what was
/// captured.
///
/// A bounded ring of blocks, channels x frames, that never makes the audio thread wait: a slice that finds no room is
/// dropped and counted. The audio thread pushes; one other thread drains.
public final class CaptureQueue: @unchecked Sendable {
    /// Channels of every block.
    public let channels: Int
    /// The most frames of one block; longer slices become several blocks.
    public let blockFrames: Int
    private let slots: Int
    private let samples: UnsafeMutablePointer<Float>
    private let times: UnsafeMutablePointer<Int64>
    private let lengths: UnsafeMutablePointer<Int>
    /// Written by the pushing thread, read by both.
    private let head = Atomic<Int>(0), dropped = Atomic<Int>(0)
    /// Written by the draining thread, read by both.
    private let tail = Atomic<Int>(0)

    /// Room for at least `frames` frames in blocks of `blockFrames`, every page touched. Control side.
    public init(channels: Int, frames: Int, blockFrames: Int = 256) {
        precondition(channels > 0 && frames > 0 && blockFrames > 0)
        self.channels = channels
        self.blockFrames = blockFrames
        slots = max(4, (frames + blockFrames - 1) / blockFrames)
        samples = .allocate(capacity: slots * blockFrames * channels)
        samples.initialize(repeating: 0, count: slots * blockFrames * channels)
        times = .allocate(capacity: slots)
        times.initialize(repeating: 0, count: slots)
        lengths = .allocate(capacity: slots)
        lengths.initialize(repeating: 0, count: slots)
    }

    deinit {
        samples.deallocate()
        times.deallocate()
        lengths.deallocate()
    }

    /// Frames that found no room. Any thread.
    public var droppedFrames: Int { dropped.load(ordering: .relaxed) }

    /// Adds a slice that starts at `time`; channels that `source` does not have are silent. All of it or, when there is
    /// no room, nothing. Audio thread.
    @_noLocks public func push(
        _ source: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frames: Int, at time: SampleTime
    ) {
        var at = head.load(ordering: .relaxed)
        let blocks = (frames &+ blockFrames &- 1) / blockFrames
        if at &- tail.load(ordering: .acquiring) &+ blocks > slots {
            dropped.add(frames, ordering: .relaxed)
            return
        }
        var done = 0
        while done < frames {
            let count = min(blockFrames, frames &- done)
            let slot = at % slots
            let block = samples + slot &* blockFrames &* channels
            for c in 0..<channels {
                let to = block + c &* blockFrames
                if c < channelCount { rt_copy(to, source[c] + done, count) } else { rt_zero(to, count) }
            }
            times[slot] = time.rawValue &+ Int64(done)
            lengths[slot] = count
            done &+= count
            at &+= 1
        }
        head.store(at, ordering: .releasing)
    }

    /// Hands the oldest block to `body`: its sample time, its channels in turn, `blockFrames` apart, and its frames.
    /// Returns false when there is none. Draining thread.
    public func drain<Failure: Error>(
        _ body: (_ time: SampleTime, _ samples: UnsafePointer<Float>, _ frames: Int) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let at = tail.load(ordering: .relaxed)
        if at == head.load(ordering: .acquiring) { return false }
        let slot = at % slots
        try body(SampleTime(times[slot]), samples + slot * blockFrames * channels, lengths[slot])
        tail.store(at + 1, ordering: .releasing)
        return true
    }
}
