// [render]
import CRealtime
import Synchronization

/// Sound on its way between two threads, block by block: what was rendered, for a file or a tap; what was captured; what a
/// file player has decoded.
///
/// A bounded ring of blocks, channels x frames, in which neither side waits: a slice that finds no room is dropped and
/// counted. One thread pushes; one other drains, with `peek` and `drop` if it is the audio thread.
///
/// Sendable: a block is written by the pushing thread before `head` passes it, and read by the draining thread before `tail`
/// does; both are atomic.
public final class CaptureQueue: @unchecked Sendable {
    /// Channels of every block.
    public let channels: Int
    /// The most frames of one block; longer slices become several blocks.
    public let blockFrames: Int
    private let slots: Int
    private var owned = OwnedMemory()
    private let samples: UnsafeMutablePointer<Float>
    private let times: UnsafeMutablePointer<Int64>
    private let lengths: UnsafeMutablePointer<Int>
    /// Written by the pushing thread, read by both.
    private let head = Atomic<Int>(0), dropped = Atomic<Int>(0)
    /// Written by the draining thread, read by both.
    private let tail = Atomic<Int>(0)

    /// Room for at least `frames` frames in blocks of `blockFrames`, every page touched. Control side.
    ///
    /// Precondition: each number is at least 1.
    public init(channels: Int, frames: Int, blockFrames: Int = 256) {
        precondition(channels > 0 && frames > 0 && blockFrames > 0, "a queue has channels, room and blocks of 1 or more")
        self.channels = channels
        self.blockFrames = blockFrames
        slots = max(4, (frames + blockFrames - 1) / blockFrames)
        samples = owned.make(slots * blockFrames * channels, of: 0)
        times = owned.make(slots, of: 0)
        lengths = owned.make(slots, of: 0)
    }

    /// One block in its place in the ring, until it is dropped.
    @frozen public struct Block: BitwiseCopyable {
        /// The sample time of the first frame.
        public let time: SampleTime
        /// Channels in turn, `blockFrames` apart.
        public let samples: UnsafePointer<Float>
        /// The number of frames of each channel that hold sound.
        public let frames: Int
    }

    /// Frames that found no room. Any thread.
    public var droppedFrames: Int { @_noLocks get { dropped.load(ordering: .relaxed) } }

    /// Adds a slice that starts at `time`; channels that `source` does not have are silent. All of it or, when there is
    /// no room, nothing. Pushing thread.
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

    /// The number of blocks that a push would still find room for. Pushing thread.
    public var room: Int {
        @_noLocks get { slots &- (head.load(ordering: .relaxed) &- tail.load(ordering: .acquiring)) }
    }

    /// Returns the oldest block, left in place; nil when there is none. Draining thread.
    @_noLocks public func peek() -> Block? {
        let at = tail.load(ordering: .relaxed)
        if at == head.load(ordering: .acquiring) { return nil }
        let slot = at % slots
        return Block(
            time: SampleTime(times[slot]), samples: UnsafePointer(samples + slot &* blockFrames &* channels),
            frames: lengths[slot])
    }

    /// Removes the block that `peek` returned. Draining thread.
    @_noLocks public func drop() { tail.store(tail.load(ordering: .relaxed) &+ 1, ordering: .releasing) }

    /// Hands the oldest block to `body`: its sample time, its channels in turn, `blockFrames` apart, and its frames.
    /// Returns false when there is none. Draining thread.
    public func drain<Failure: Error>(
        _ body: (_ time: SampleTime, _ samples: UnsafePointer<Float>, _ frames: Int) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let block = peek() else { return false }
        try body(block.time, block.samples, block.frames)
        drop()
        return true
    }
}
