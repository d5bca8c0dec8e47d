import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A level meter: the peak, the average and the number of overloads of a stereo signal, in decibels.
///
/// It only listens: it has no output, so nothing it does can be heard. Peaks rise at once and fall by 20 dB in 1.7 s
/// (IEC 60268-10, type I); the average is the root of the mean square over 300 ms, so a full-scale sine reads -3 dB. It
/// measures sample peaks; the limiter looks between the samples.
public struct PeakMeter: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "peak", manufacturer: .carillon), name: "peak-meter",
        summary: "Shows peak, average and overloads of what is connected to it.", inputs: [.init("main")], outputs: [],
        tail: 15, readouts: ["peak-left", "peak-right", "average-left", "average-right", "overs"],
        readoutsAtStart: [-120, -120, -120, -120])

    public typealias Parameter = NoParameter

    /// What the meter remembers of one channel.
    private struct Channel: BitwiseCopyable {
        /// Linear, falling.
        var peak: Float = 0
        /// The peak of the current measuring cell so far, linear.
        var newPeak: Float = 0
        /// Sum of squares of the current cell.
        var sum = 0.0
        /// Smoothed mean square.
        var power = 0.0
    }

    /// Frames from one reading to the next.
    private static var cell: Int64 { @_noLocks get { 256 } }
    private var left = Channel(), right = Channel()
    /// Frames since the reset in which a sample reached full scale.
    private var overs: Float = 0
    private var hasShown = false
    /// What a peak keeps, and what an average takes in, per cell.
    private let fall: Float, share: Double

    public init(_ setup: UnitSetup) {
        let seconds = Double(Self.cell) / setup.sampleRate
        fall = Decibels.amplitude(Float(-20 / 1.7 * seconds))
        share = 1 - DeterministicMath.exp2(-1.4426950408889634 * seconds / 0.3)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.input(0, 0).base, right = io.input(0, 1).base
        if !hasShown { show(io) }
        var done = 0
        while done < io.frames {
            let room = Self.cell &- (io.sampleTime + done).rawValue % Self.cell
            let count = min(io.frames &- done, Int(room))
            if !io.isSilent() {
                self.left = Self.measure(left + done, count, self.left)
                self.right = Self.measure(right + done, count, self.right)
                if max(self.left.newPeak, self.right.newPeak) >= 1 { countOvers(left + done, right + done, count) }
            }
            done &+= count
            if count == Int(room) {
                self.left = closed(self.left)
                self.right = closed(self.right)
                show(io)
            }
        }
        let isResting = self.left.peak == 0 && self.right.peak == 0 && self.left.power == 0 && self.right.power == 0
        return isResting && io.isSilent() && self.left.newPeak == 0 && self.right.newPeak == 0 ? .silent : .sounding
    }

    @_noLocks public mutating func reset() {
        left = Channel()
        right = Channel()
        overs = 0
        hasShown = false
    }

    @_noLocks private static func measure(_ x: UnsafePointer<Float>, _ count: Int, _ channel: Channel) -> Channel {
        var channel = channel
        channel.newPeak = max(channel.newPeak, rt_peak(x, count))
        for i in 0..<count { channel.sum += Double(x[i]) * Double(x[i]) }
        return channel
    }

    @_noLocks private mutating func countOvers(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int
    ) {
        for i in 0..<count where max(abs(left[i]), abs(right[i])) >= 1 { overs += 1 }
    }

    @_noLocks private mutating func show(_ io: borrowing RenderIO) {
        hasShown = true
        io.publish(0, Decibels.level(ofAmplitude: left.peak))
        io.publish(1, Decibels.level(ofAmplitude: right.peak))
        io.publish(2, Decibels.level(ofAmplitude: rt_sqrt(Float(left.power))))
        io.publish(3, Decibels.level(ofAmplitude: rt_sqrt(Float(right.power))))
        io.publish(4, overs)
    }

    /// Ends a measuring cell; what is below -120 dB becomes 0.
    @_noLocks private func closed(_ channel: Channel) -> Channel {
        var channel = channel
        channel.peak = max(channel.newPeak, channel.peak * fall)
        channel.power += (channel.sum / Double(Self.cell) - channel.power) * share
        if channel.peak < 1e-6 { channel.peak = 0 }
        if channel.power < 1e-12 { channel.power = 0 }
        channel.newPeak = 0
        channel.sum = 0
        return channel
    }
}
