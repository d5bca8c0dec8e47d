// [render]
import CRealtime
import RealtimeCore

/// The device's clock at one moment: which frame is being played at which time. A value; the audio thread publishes a new
/// one after every wake-up.
package struct DeviceTime: BitwiseCopyable, Sendable, Equatable {
    /// A moment of CLOCK_MONOTONIC, nanoseconds.
    package var anchorNanoseconds: Int64
    /// The sample time that the device plays at that moment, and the part of a frame beyond it.
    package var anchorFrame: Int64
    package var anchorFraction: Double
    /// The device's rate as measured, in frames of the renderer.
    package var framesPerNanosecond: Double
    /// Frames from the device's pointer to the frame where an event of now can be heard soonest without being late: the
    /// buffer and the margin.
    package var latency: Int32
    /// True if the estimate has settled since the device started.
    package var isSettled: Bool

    @_noLocks package init(
        anchorNanoseconds: Int64, anchorFrame: Int64, anchorFraction: Double, framesPerNanosecond: Double,
        latency: Int32, isSettled: Bool
    ) {
        (self.anchorNanoseconds, self.anchorFrame, self.anchorFraction) = (anchorNanoseconds, anchorFrame, anchorFraction)
        (self.framesPerNanosecond, self.latency, self.isSettled) = (framesPerNanosecond, latency, isSettled)
    }

    /// The sample time that the device plays at a moment of CLOCK_MONOTONIC, within a day of the anchor.
    @_noLocks package func sampleTime(atNanoseconds time: Int64) -> SampleTime {
        SampleTime(anchorFrame &+ rounded(framesSinceAnchor(time) + anchorFraction))
    }

    @_noLocks func place(atNanoseconds time: Int64) -> (frame: Int64, fraction: Double) {
        let frames = framesSinceAnchor(time) + anchorFraction, whole = rt_floor_double(frames)
        return (anchorFrame &+ Int64(whole), frames - whole)
    }

    /// Returns where an event with this stamp takes effect: the pointer and the constant latency.
    @_noLocks package func eventTime(atNanoseconds time: Int64) -> SampleTime {
        sampleTime(atNanoseconds: time) + Int(latency)
    }

    /// Returns when the device plays a frame, nanoseconds of CLOCK_MONOTONIC.
    @_noLocks package func nanoseconds(at frame: SampleTime) -> Int64 {
        if framesPerNanosecond <= 0 { return anchorNanoseconds }
        let frames = Double(min(max(frame.rawValue &- anchorFrame, -DeviceTime.horizon), DeviceTime.horizon))
        return anchorNanoseconds &+ rounded((frames - anchorFraction) / framesPerNanosecond)
    }

    /// The measured rate, frames per second.
    package var sampleRate: Double { framesPerNanosecond * 1e9 }

    /// Differences beyond it, a day at 192 kHz and more, are cut: no double is too big for an integer here.
    static var horizon: Int64 { @_noLocks get { 1 << 35 } }

    @_noLocks private func framesSinceAnchor(_ time: Int64) -> Double {
        let day: Int64 = 86_400_000_000_000
        return Double(min(max(time &- anchorNanoseconds, -day), day)) * framesPerNanosecond
    }

    @_noLocks private func rounded(_ x: Double) -> Int64 { Int64(rt_floor_double(x + 0.5)) }
}
