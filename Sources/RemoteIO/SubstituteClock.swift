// [render]

/// The clock that stands in for a device: frames at an exact rate from a moment of CLOCK_MONOTONIC on. Years do not make
/// it drift, for it counts in integers.
public struct SubstituteClock: BitwiseCopyable, Sendable, Equatable {
    /// When `originFrame` is played, nanoseconds of CLOCK_MONOTONIC.
    public var originNanoseconds: Int64
    /// The sample time played at the origin.
    public var originFrame: Int64
    /// Frames per second.
    public let sampleRate: Int64

    /// A clock that plays `frame` at `time`.
    @_noLocks public init(frame: Int64, at time: Int64, sampleRate: Int) {
        originNanoseconds = time
        originFrame = frame
        self.sampleRate = max(1, Int64(sampleRate))
    }

    /// When `frame` is played. Frames before the origin count back.
    @_noLocks public func nanoseconds(atFrame frame: Int64) -> Int64 {
        let frames = frame &- originFrame
        let seconds = frames / sampleRate
        return originNanoseconds &+ seconds &* 1_000_000_000 &+ (frames % sampleRate) &* 1_000_000_000 / sampleRate
    }

    /// The frame that is played at `time`, rounded towards the origin.
    @_noLocks public func frame(atNanoseconds time: Int64) -> Int64 {
        let elapsed = time &- originNanoseconds
        let seconds = elapsed / 1_000_000_000
        return originFrame &+ seconds &* sampleRate &+ (elapsed % 1_000_000_000) &* sampleRate / 1_000_000_000
    }
}
