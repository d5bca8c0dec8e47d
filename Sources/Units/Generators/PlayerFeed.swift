import RealtimeCore
import Synchronization
import UnitAPI

/// The way of a file's frames and cues to the unit that plays them, and what that shows of itself.
///
/// A companion without a file: who decodes stands above and says so with `serve`. The frames of one `begin` are one take;
/// takes lie in the ring one behind the other, and a cue says when the unit leaves one for the next.
public final class PlayerFeed: UnitCompanion, @unchecked Sendable {
    /// What happens in the unit at a sample time.
    public struct Cue: BitwiseCopyable, Sendable {
        /// What happens.
        public enum Action: UInt8, BitwiseCopyable, Sendable { case begin, pause, resume, stop }
        /// What is to happen.
        public var action: Action
        /// When; `SampleTime(.min)` for at once.
        public var time: SampleTime
        /// The take that begins, counted from 1, and the frame of the file, at the engine's rate, that it begins with.
        public var take: Int64
        public var position: Int64

        /// A cue.
        @_noLocks public init(_ action: Action, at time: SampleTime, take: Int64 = 0, position: Int64 = 0) {
            self.action = action
            self.time = time
            self.take = take
            self.position = position
        }
    }

    /// What the unit is doing.
    public enum Phase: UInt8, BitwiseCopyable, Sendable { case stopped, playing, paused, ended }

    /// Frames of one block.
    public static var blockFrames: Int { PlayerCrossing.blockFrames }
    /// Blocks that the ring holds.
    public let capacity: Int
    let queue: CaptureQueue
    let crossing: UnsafeMutablePointer<PlayerCrossing>
    private let server = Mutex<(@Sendable (PlayerFeed) -> Void)?>(nil)

    init(frames: Int) {
        capacity = (frames + Self.blockFrames - 1) / Self.blockFrames
        queue = CaptureQueue(channels: 2, frames: frames, blockFrames: Self.blockFrames)
        crossing = .allocate(capacity: 1)
        crossing.initialize(to: PlayerCrossing(queue))
    }

    deinit {
        crossing.deinitialize(count: 1)
        crossing.deallocate()
    }

    /// Lets `fill` push frames and cues from now on. It sees to it that one thread at a time does.
    public func serve(_ fill: @escaping @Sendable (PlayerFeed) -> Void) { server.withLock { $0 = fill } }

    /// Lets whoever decodes fill the ring.
    public override func attend() {
        // Called without the lock: what it calls in turn may ask for more.
        let fill = server.withLock { $0 }
        fill?(self)
    }

    /// Blocks that a push would still find room for.
    public var room: Int { queue.room }

    /// Adds up to `blockFrames` frames of `take`, stereo, the first being frame `position` of the file at the engine's rate.
    public func push(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, take: Int64, position: Int64) {
        queue.push(channels, channelCount: 2, frames: frames, at: SampleTime(take << 40 | position))
    }

    /// Says that all frames of `take` are in.
    public func finish(_ take: Int64) { crossing.pointee.wholeTake.store(take, ordering: .releasing) }

    /// Sends a cue, in order of time; false when 64 wait.
    public func send(_ cue: Cue) -> Bool { crossing.pointee.cues.push(cue) }

    /// The sample time up to which the unit has rendered; nil before its first slice.
    public var time: SampleTime? {
        let time = crossing.pointee.clock.load(ordering: .acquiring)
        return time == .max ? nil : SampleTime(time)
    }
    /// The take that plays, or played last.
    public var currentTake: Int64 { crossing.pointee.take.load(ordering: .acquiring) }
    /// What the unit is doing.
    public var phase: Phase { Phase(rawValue: crossing.pointee.phase.load(ordering: .acquiring)) ?? .stopped }
    /// The next frame of the file, at the engine's rate.
    public var position: Int64 { crossing.pointee.position.load(ordering: .relaxed) }
    /// The sample time of the first frame after the end; valid in phase `ended`.
    public var endTime: SampleTime { SampleTime(crossing.pointee.end.load(ordering: .acquiring)) }
    /// Frames that were silent because the file's were not there in time.
    public var underrunFrames: Int { crossing.pointee.underrunFrames.load(ordering: .relaxed) }
    /// Cues that came after their time and took effect at once.
    public var lateCues: Int { crossing.pointee.lateCues.load(ordering: .relaxed) }
}
