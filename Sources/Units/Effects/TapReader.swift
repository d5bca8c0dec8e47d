import RealtimeCore
import Synchronization
import UnitAPI

/// The sound at a tap, for the program: `for await block in tap`, or `tap.read()` to look now and then.
///
/// The blocks come without gaps until too many wait; then new ones are dropped, and `droppedFrames` counts them. A loop
/// over the tap is served by the engine: every 10 ms on a device, before every slice offline. Each loop gets everything from
/// its beginning on; it ends with `end()`, and with the engine. Any thread; loops, or calls of `read`, not both at a time.
///
/// Sendable: the unit writes the queue; the reader holds the lock of the loops, and the server has a lock of its own.
public final class TapReader: UnitCompanion, AsyncSequence, @unchecked Sendable {
    public typealias Element = TapBlock
    public typealias Failure = Never

    package let queue: CaptureQueue
    private let limit: Int
    /// The lock that is held while the ring is drained.
    private let loops = TapLoops()
    /// No tuple: closures in one get a new wrapping each time that the lock lends them.
    private struct Server {
        let take: @Sendable () -> Void, look: @Sendable () -> Void
    }
    private let server = Mutex<Server?>(nil)

    init(channels: Int, frames: Int, blockFrames: Int) {
        queue = CaptureQueue(channels: channels, frames: frames, blockFrames: blockFrames)
        limit = Swift.max(4, (frames + blockFrames - 1) / blockFrames)
    }

    deinit { loops.finish() }

    /// Channels of every block. Any thread.
    public var channels: Int { queue.channels }

    /// Frames that were lost because too many waited. Any thread.
    public var droppedFrames: Int { queue.droppedFrames + loops.state.withLock { $0.dropped } }

    /// Returns every block that waits, oldest first.
    public func read() -> [TapBlock] {
        loops.state.withLock { _ in
            var blocks: [TapBlock] = []
            while let block = next() { blocks.append(block) }
            return blocks
        }
    }

    /// Returns the blocks from the oldest that waits on; if other loops run, those from now on. Each loop has an iterator of
    /// its own.
    public func makeAsyncIterator() -> AsyncStream<TapBlock>.Iterator {
        let stream = loops.begin(limit: limit)
        attend()
        return stream.makeAsyncIterator()
    }

    /// Sets `take` to read what waits whenever the reader is served, in place of a loop. `look` only makes sure that another
    /// thread reads it, where a device plays in its own time.
    public func serve(_ take: @escaping @Sendable () -> Void, look: @escaping @Sendable () -> Void) {
        server.withLock { $0 = Server(take: take, look: look) }
    }

    /// Passes what waits to the loop, or to the program's reader if there is one.
    public override func attend() {
        fillLoop()
        let server = server.withLock { $0 }
        server?.take()
    }

    /// Passes on what waits, as `attend` does, but without waiting for the program's reader.
    public override func look() {
        fillLoop()
        let server = server.withLock { $0 }
        server?.look()
    }

    private func fillLoop() {
        let isOver = loops.state.withLock { loops in
            while !loops.running.isEmpty, let block = next() {
                for loop in loops.running.values {
                    if case .dropped(let lost) = loop.yield(block) { loops.dropped += lost.frames }
                }
            }
            return loops.isEnded
        }
        if isOver { loops.finish() }
    }

    /// Ends the loops when they have read what waits. The tap stays in the graph; `Engine.remove(_:)` removes it too.
    public override func end() {
        loops.state.withLock { $0.isEnded = true }
        attend()
    }

    private func next() -> TapBlock? {
        guard let block = queue.peek() else { return nil }
        let channels = (0..<queue.channels).map { channel in
            Array(UnsafeBufferPointer(start: block.samples + channel * queue.blockFrames, count: block.frames))
        }
        queue.drop()
        return TapBlock(time: block.time, channels: channels)
    }
}

/// The loops over a tap's blocks: each has a stream of its own, and a cancelled one takes nothing from the others.
private final class TapLoops: Sendable {
    struct State {
        var running: [Int: AsyncStream<TapBlock>.Continuation] = [:]
        var next = 0
        var isEnded = false
        var dropped = 0
    }

    let state = Mutex(State())

    func begin(limit: Int) -> AsyncStream<TapBlock> {
        let (stream, continuation) = AsyncStream<TapBlock>.makeStream(bufferingPolicy: .bufferingOldest(limit))
        let number = state.withLock { state in
            state.running[state.next] = continuation
            state.next += 1
            return state.next - 1
        }
        // It goes when the loop ends, and this with it.
        continuation.onTermination = { _ in _ = self.state.withLock { $0.running.removeValue(forKey: number) } }
        return stream
    }

    /// Ends all of them. Outside the lock, which each takes when it ends.
    func finish() { for loop in state.withLock({ Array($0.running.values) }) { loop.finish() } }
}

/// Some frames that a tap heard, at most 256.
public struct TapBlock: Sendable, Equatable {
    /// The sample time of the first frame.
    public let time: SampleTime
    /// The channels of the bus, equally long: left and right of a stereo one.
    public let channels: [[Float]]

    /// A block.
    public init(time: SampleTime, channels: [[Float]]) {
        self.time = time
        self.channels = channels
    }

    /// Returns a block of the first `count` channels alone.
    public func first(_ count: Int) -> TapBlock {
        count < channels.count ? TapBlock(time: time, channels: Array(channels[..<count])) : self
    }

    /// The number of frames.
    public var frames: Int { channels.first?.count ?? 0 }
    /// The greatest magnitude of each channel, full scale is 1.
    public var peaks: [Float] { channels.map { $0.reduce(0) { max($0, abs($1)) } } }
}
