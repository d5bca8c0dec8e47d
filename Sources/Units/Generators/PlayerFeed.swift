import RealtimeCore
import Synchronization
import UnitAPI

/// Carries a file's frames and cues to the unit that plays them, and the unit's state back.
///
/// A companion without a file: the decoder is a layer above and registers with `serve`. The frames of one `begin` are one
/// take; takes lie in the ring one after the other, and a cue says when the unit leaves one for the next. Marks are places in
/// a take that are to be reported.
package final class PlayerFeed: UnitCompanion, @unchecked Sendable {
    /// An action of the unit at a sample time.
    package struct Cue: BitwiseCopyable, Sendable {
        /// The actions that a cue can ask for.
        package enum Action: UInt8, BitwiseCopyable, Sendable { case begin, pause, resume, stop }
        /// The action that is to happen.
        package var action: Action
        /// When; `SampleTime(.min)` for at once.
        package var time: SampleTime
        /// The take that begins, counted from 1.
        package var take: Int64
        /// True if the take rises from silence, as what begins in the middle of a sound must.
        package var rises: Bool

        /// Creates a cue.
        @_noLocks package init(_ action: Action, at time: SampleTime, take: Int64 = 0, rises: Bool = false) {
            (self.action, self.time, self.take, self.rises) = (action, time, take, rises)
        }
    }

    /// A place in a take: the unit reports when all frames before it have been played.
    package struct Mark: BitwiseCopyable, Sendable {
        /// The take, and its first frame after the place.
        package var take: Int64, frame: Int64
        /// The part that ends at the mark.
        package var part: Int64

        /// Creates a mark.
        @_noLocks package init(take: Int64, frame: Int64, part: Int64) {
            (self.take, self.frame, self.part) = (take, frame, part)
        }
    }

    /// A report of what happened in the unit.
    package struct Report: BitwiseCopyable, Sendable {
        /// The events that are reported: a take began or ended, a mark was passed, frames were missing or are there again.
        package enum Kind: UInt8, BitwiseCopyable, Sendable { case began, passed, ended, starved, recovered }
        /// The event that happened.
        package var kind: Kind
        /// The take, the frame, and which part or how many frames.
        package var take: Int64
        package var time: SampleTime
        package var value: Int64

        @_noLocks init(_ kind: Kind, take: Int64, at time: SampleTime, value: Int64 = 0) {
            (self.kind, self.take, self.time, self.value) = (kind, take, time, value)
        }
    }

    /// The phases of the unit.
    package enum Phase: UInt8, BitwiseCopyable, Sendable { case stopped, playing, paused, ended }

    /// Frames of one block.
    package static var blockFrames: Int { PlayerCrossing.blockFrames }
    /// Blocks that the ring holds.
    package let capacity: Int
    let queue: CaptureQueue
    let crossing: UnsafeMutablePointer<PlayerCrossing>
    /// No tuple: closures in one get a new wrapping each time that the lock lends them.
    private struct Server {
        let fill: @Sendable (PlayerFeed) -> Void, look: @Sendable (PlayerFeed) -> Void
    }
    private let server = Mutex<Server?>(nil)
    private let remark = Mutex<String?>(nil)
    /// The frames that a file's beginning is to have in memory, a whole number of blocks; and the beginning itself.
    package let headFrames: Int
    private var head: AudioBuffer?

    /// `frames` for the ring; `headFrames` of the file's beginning stay in memory, 0 for a player that begins on request.
    init(channels: Int, frames: Int, headFrames: Int) {
        self.headFrames = (headFrames + Self.blockFrames - 1) / Self.blockFrames * Self.blockFrames
        capacity = (frames + Self.blockFrames - 1) / Self.blockFrames
        queue = CaptureQueue(channels: channels, frames: frames, blockFrames: Self.blockFrames)
        crossing = .allocate(capacity: 1)
        crossing.initialize(to: PlayerCrossing(queue))
    }

    deinit {
        crossing.deinitialize(count: 1)
        crossing.deallocate()
    }

    /// Channels of every frame: those of the unit's bus.
    package var channels: Int { queue.channels }

    /// Calls `fill` from now on to push frames, marks and cues, and to read reports; `fill` makes sure that one thread at a
    /// time does so. `look` does the same without waiting for a file.
    ///
    /// - Parameter remark: a sentence on what does not sound as it is in the file; nil means nothing.
    package func serve(
        _ fill: @escaping @Sendable (PlayerFeed) -> Void, look: @escaping @Sendable (PlayerFeed) -> Void,
        remark: String? = nil
    ) {
        server.withLock { $0 = Server(fill: fill, look: look) }
        self.remark.withLock { $0 = remark }
    }

    /// The remark on what is not heard as it is in the file.
    package override var complaint: String? { remark.withLock { $0 } }

    /// Makes the decoder fill the ring.
    package override func attend() {
        // Called without the lock: what it calls in turn may ask for more.
        let server = server.withLock { $0 }
        server?.fill(self)
    }

    /// Makes the decoder fill the ring on another thread.
    package override func look() {
        let server = server.withLock { $0 }
        server?.look(self)
    }

    /// Blocks that a push would still find room for.
    package var room: Int { queue.room }

    /// Adds up to `blockFrames` frames of `take`, in as many channels as the unit has, the first being frame `position` of the
    /// take.
    package func push(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, take: Int64, position: Int64) {
        queue.push(channels, channelCount: queue.channels, frames: frames, at: SampleTime(take << 40 | position))
    }

    /// Takes the frames in the ring as the file's beginning, and empties the ring. Before the unit's first slice, and once.
    ///
    /// - Parameter isWhole: true if the file ends with it.
    package func keepHead(isWhole: Bool) {
        let memory = AudioBuffer(channels: channels, capacity: headFrames)
        var filled = 0
        while queue.drain({ _, samples, frames in
            let count = min(frames, headFrames - filled)
            for c in 0..<channels {
                (memory.channels[c] + filled).update(from: samples + c * Self.blockFrames, count: count)
            }
            filled += count
        }) {}
        while crossing.pointee.marks.pop() != nil {}
        head = memory
        crossing.pointee.head = PlayerHead(memory.channels, frames: filled, isWhole: isWhole)
    }

    /// True once the file's beginning is kept in memory.
    package var hasHead: Bool { head != nil }

    /// The newest take that the unit has begun by itself, if that is later than `take`, and the frame of the file, at the
    /// engine's rate, that it began with.
    package func begun(after take: Int64) -> (take: Int64, position: Int64)? {
        let begun = crossing.pointee.begun.load(ordering: .acquiring)
        return begun >> 40 > take ? (begun >> 40, begun & (1 << 40 - 1)) : nil
    }

    /// Marks all frames of `take` as sent.
    package func finish(_ take: Int64) { crossing.pointee.wholeTake.store(take, ordering: .releasing) }

    /// Announces that more frames of `take` will come after all. The unit may have seen its end already.
    package func reopen(_ take: Int64) { crossing.pointee.wholeTake.store(take - 1, ordering: .releasing) }

    /// Sends a cue, in order of time; false when 64 wait.
    package func send(_ cue: Cue) -> Bool { crossing.pointee.cues.push(cue) }

    /// Sets a mark, in order of takes and frames, before any frame after it is pushed; false when 256 wait.
    package func set(_ mark: Mark) -> Bool { crossing.pointee.marks.push(mark) }

    /// The oldest report of the unit that has not been read yet.
    package func nextReport() -> Report? { crossing.pointee.reports.pop() }

    /// True if late frames are skipped, so that what follows keeps its time; otherwise the take waits for them.
    package var keepsTime: Bool {
        get { crossing.pointee.keepsTime.load(ordering: .relaxed) }
        set { crossing.pointee.keepsTime.store(newValue, ordering: .relaxed) }
    }

    /// The sample time up to which the unit has rendered; nil before its first slice.
    package var time: SampleTime? {
        let time = crossing.pointee.clock.load(ordering: .acquiring)
        return time == .max ? nil : SampleTime(time)
    }
    /// The take that plays, or played last.
    package var currentTake: Int64 { crossing.pointee.take.load(ordering: .acquiring) }
    /// The phase that the unit is in.
    package var phase: Phase { Phase(rawValue: crossing.pointee.phase.load(ordering: .acquiring)) ?? .stopped }
    /// The next frame of the take, at the engine's rate.
    package var position: Int64 { crossing.pointee.position.load(ordering: .relaxed) }
    /// Frames of the take in one of the engine: the speed.
    package var rate: Float { Float(bitPattern: crossing.pointee.rate.load(ordering: .relaxed)) }
    /// The sample time of the first frame after the end; valid in phase `ended`.
    package var endTime: SampleTime { SampleTime(crossing.pointee.end.load(ordering: .acquiring)) }
    /// Frames that were silent because the file's were not there in time.
    package var underrunFrames: Int { crossing.pointee.underrunFrames.load(ordering: .relaxed) }
    /// Cues that came after their time and took effect at once.
    package var lateCues: Int { crossing.pointee.lateCues.load(ordering: .relaxed) }
}
