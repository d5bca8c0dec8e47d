// [render]

/// The clock that stands in for a device: frames at an exact rate from a moment of CLOCK_MONOTONIC on. Years do not make
/// it drift, for it counts in integers.
package struct SubstituteClock: BitwiseCopyable, Sendable, Equatable {
    /// When `originFrame` is played, nanoseconds of CLOCK_MONOTONIC.
    package var originNanoseconds: Int64
    /// The sample time played at the origin.
    package var originFrame: Int64
    /// Frames per second.
    package let sampleRate: Int64

    /// Creates a clock that plays `frame` at `time`.
    @_noLocks package init(frame: Int64, at time: Int64, sampleRate: Int) {
        originNanoseconds = time
        originFrame = frame
        self.sampleRate = max(1, Int64(sampleRate))
    }

    /// Seconds before the present at which the origin stays when it moves: for later times the clock gives the same answer as
    /// before the move, to the nanosecond.
    static var margin: Int64 { @_noLocks get { 60 } }
    /// The most time from the origin to now before it moves, seconds.
    static var longestReach: Int64 { @_noLocks get { 3600 } }

    /// Moves the origin when `now` is more than an hour from it, so that the mapping that is made of it (`deviceTime`) stays
    /// within its reach for any running time of the clock. It moves by whole seconds: no frame after the new origin changes
    /// its time.
    @_noLocks package mutating func follow(_ now: Int64) {
        let elapsed = now &- originNanoseconds
        guard elapsed > SubstituteClock.longestReach &* 1_000_000_000 else { return }
        let seconds = elapsed / 1_000_000_000 &- SubstituteClock.margin
        originNanoseconds = originNanoseconds &+ seconds &* 1_000_000_000
        originFrame = originFrame &+ seconds &* sampleRate
    }

    /// The clock as it is published for the threads that stamp events.
    @_noLocks package func deviceTime(latency: Int32) -> DeviceTime {
        DeviceTime(
            anchorNanoseconds: originNanoseconds, anchorFrame: originFrame, anchorFraction: 0,
            framesPerNanosecond: Double(sampleRate) / 1e9, latency: latency, isSettled: true)
    }

    /// Returns when `frame` is played. Frames before the origin count back.
    @_noLocks package func nanoseconds(atFrame frame: Int64) -> Int64 {
        let frames = frame &- originFrame
        let seconds = frames / sampleRate
        return originNanoseconds &+ seconds &* 1_000_000_000 &+ (frames % sampleRate) &* 1_000_000_000 / sampleRate
    }

    /// The frame that is played at `time`, rounded towards the origin.
    @_noLocks package func frame(atNanoseconds time: Int64) -> Int64 {
        let elapsed = time &- originNanoseconds
        let seconds = elapsed / 1_000_000_000
        return originFrame &+ seconds &* sampleRate &+ (elapsed % 1_000_000_000) &* sampleRate / 1_000_000_000
    }
}
