// [render]
import RealtimeCore
import Synchronization

/// The exchange between a file player's two halves: cues and marks one way, how things are the other way.
struct PlayerCrossing: ~Copyable {
    static var blockFrames: Int { @_noLocks get { 256 } }
    /// Pushed by the control side, popped by the render side.
    let cues = SPSCQueue<PlayerFeed.Cue>(capacity: 64, filler: PlayerFeed.Cue(.stop, at: .zero))
    let marks = SPSCQueue<PlayerFeed.Mark>(capacity: 256, filler: PlayerFeed.Mark(take: 0, frame: 0, part: 0))
    /// Pushed by the render side, popped by the control side.
    let reports = SPSCQueue<PlayerFeed.Report>(capacity: 256, filler: PlayerFeed.Report(.began, take: 0, at: .zero))
    /// Drained by the render side; the feed keeps it alive.
    let queue: Unmanaged<CaptureQueue>
    /// Control side writes: the last take that is wholly in the ring, and whether frames that come too late are left out.
    let wholeTake = Atomic<Int64>(0)
    let keepsTime = Atomic<Bool>(false)
    /// The file's beginning, where that is kept in memory; set before the unit's first slice and never again.
    var head = PlayerHead()
    /// Render side writes: the newest take that it has begun by itself, and the file's frame it began with: 24 and 40 bits.
    let begun = Atomic<Int64>(0)
    /// Written by the render side.
    let clock = Atomic<Int64>(.max), take = Atomic<Int64>(0), position = Atomic<Int64>(0), end = Atomic<Int64>(0)
    let phase = Atomic<UInt8>(0)
    let rate = Atomic<UInt32>(Float(1).bitPattern)
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

    @_noLocks func drop() { queue._withUnsafeGuaranteedRef { $0.drop() } }

    /// Returns true if no more frames of `take` will come.
    @_noLocks func isWhole(_ take: Int64) -> Bool { wholeTake.load(ordering: .acquiring) >= take }

    /// The oldest mark of `take`, or of a later one; older ones are dropped.
    @_noLocks func mark(of take: Int64) -> PlayerFeed.Mark? {
        while let mark = marks.peek() {
            if mark.take >= take { return mark }
            marks.drop()
        }
        return nil
    }

    /// Reports to the control side what happened; dropped if reports have not been read for long.
    @_noLocks func report(_ report: PlayerFeed.Report) { _ = reports.push(report) }
}
