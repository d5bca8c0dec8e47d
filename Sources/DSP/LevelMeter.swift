// [render]
import CRealtime

/// The level of one channel as a meter shows it: its peak, which falls slowly, and its average.
///
/// Peaks rise at once and fall by 20 dB in 1.7 s (IEC 60268-10, type I); the average is the root of the mean square over 300
/// ms, so a full-scale sine reads -3 dB. Readings are taken every 256 frames of sample time, so they are the same for any
/// slices.
public struct LevelMeter: BitwiseCopyable {
    /// Frames from one reading to the next.
    public static var cell: Int64 { @_noLocks get { 256 } }

    /// The part that a peak keeps, and the part that an average takes in, per cell.
    private let fall: Float, share: Double
    /// Linear, falling.
    private var peak: Float = 0
    /// The peak of the current measuring cell so far, linear.
    public private(set) var newPeak: Float = 0
    private var sum = 0.0
    /// Smoothed mean square.
    private var power = 0.0

    /// Creates a meter at rest. Control side.
    public init(sampleRate: Double) {
        let seconds = Double(Self.cell) / sampleRate
        fall = Decibels.amplitude(Float(-20 / 1.7 * seconds))
        share = 1 - DeterministicMath.exp2(-1.4426950408889634 * seconds / 0.3)
    }

    /// Frames from `time` to the end of its cell.
    @_noLocks public static func room(at time: Int64) -> Int { Int(cell &- time % cell) }

    /// Measures `count` frames of one cell.
    @_noLocks public mutating func hear(_ x: UnsafePointer<Float>, _ count: Int) {
        newPeak = max(newPeak, rt_peak(x, count))
        for i in 0..<count { sum += Double(x[i]) * Double(x[i]) }
    }

    /// Measures `count` frames of any cells, of which the first is `time`; nil for silence.
    @_noLocks public mutating func hear(_ x: UnsafePointer<Float>?, _ count: Int, from time: Int64) {
        var done = 0
        while done < count {
            let room = Self.room(at: time &+ Int64(done)), now = min(count &- done, room)
            if let x { hear(x + done, now) }
            done &+= now
            if now == room { close() }
        }
    }

    /// Ends a measuring cell; what is below -120 dB becomes 0.
    @_noLocks public mutating func close() {
        peak = max(newPeak, peak * fall)
        power += (sum / Double(Self.cell) - power) * share
        if peak < 1e-6 { peak = 0 }
        if power < 1e-12 { power = 0 }
        newPeak = 0
        sum = 0
    }

    /// The peak in decibels of full scale, -120 at the least.
    public var peakLevel: Float { @_noLocks get { Decibels.level(ofAmplitude: peak) } }

    /// The average in decibels of full scale, -120 at the least.
    public var averageLevel: Float { @_noLocks get { Decibels.level(ofAmplitude: rt_sqrt(Float(power))) } }

    /// True if the meter has nothing more to show: silence would change nothing.
    public var isResting: Bool { @_noLocks get { peak == 0 && power == 0 && newPeak == 0 } }

    /// Forgets all sound.
    @_noLocks public mutating func clear() {
        peak = 0
        newPeak = 0
        sum = 0
        power = 0
    }
}
