// [render]
import RealtimeCore
import Synchronization

/// What a file player's two halves say to each other: cues one way, how things are the other way.
struct PlayerCrossing: ~Copyable {
    /// Frames of one block.
    static var blockFrames: Int { @_noLocks get { 256 } }
    /// Pushed by the control side, popped by the render side.
    let cues = SPSCQueue<PlayerFeed.Cue>(capacity: 64, filler: PlayerFeed.Cue(.stop, at: .zero))
    /// The same; the feed keeps it alive.
    let queue: Unmanaged<CaptureQueue>
    /// Written by the control side: the last take that is wholly in the ring.
    let wholeTake = Atomic<Int64>(0)
    /// Written by the render side.
    let clock = Atomic<Int64>(.max), take = Atomic<Int64>(0), position = Atomic<Int64>(0), end = Atomic<Int64>(0)
    let phase = Atomic<UInt8>(0)
    let underrunFrames = Atomic<Int>(0), lateCues = Atomic<Int>(0)

    init(_ queue: CaptureQueue) { self.queue = Unmanaged.passUnretained(queue) }

    /// The oldest block of `take` or of a later one; older ones are dropped.
    @_noLocks func block(of take: Int64) -> CaptureQueue.Block? {
        while let block = queue._withUnsafeGuaranteedRef({ $0.peek() }) {
            if block.time.rawValue >> 40 >= take { return block }
            drop()
        }
        return nil
    }

    /// Removes the oldest block.
    @_noLocks func drop() { queue._withUnsafeGuaranteedRef { $0.drop() } }

    /// Whether no frame of `take` will come any more.
    @_noLocks func isWhole(_ take: Int64) -> Bool { wholeTake.load(ordering: .acquiring) >= take }
}
