// [render]
import RealtimeCore

/// Reads a sound between its frames, faster or slower than it was written: speed and pitch go together, as on a tape.
///
/// The weights of the frames around a position are a sinc under a Kaiser window, which is wider if the sound is read
/// faster than it was written, so that nothing folds back into what is heard. One `aim` serves all channels:
///
///     interpolator.aim(fraction: position - floor, rate: rate)
///     left[k] = interpolator.sample(sound + floor)
///
/// Images and aliases of everything up to 0.43 of the sample rate, and into it, lie below -100 dB at every rate. At rate 1 a
/// position on a frame gives that frame, bit for bit. No state but the newest weights, so nothing depends on where a call
/// begins. Source: J. O. Smith, "Digital Audio Resampling Home Page" (2002): a table of the window's right half, and
/// straight lines between its points, which are so near that they err by less than -120 dB.
public struct SincInterpolator: ~Copyable {
    /// Zero crossings of the sinc on either side.
    private static var crossings: Int { @_noLocks get { 48 } }
    /// Points of the table between two zero crossings.
    private static var points: Int { @_noLocks get { 1024 } }
    /// Frames around a position at rate 1.
    private static var width: Int { @_noLocks get { 96 } }
    /// The highest rate: beyond, aliases come.
    @inlinable public static var highestRate: Double { @_noLocks @inline(__always) get { 4 } }
    /// Frames that must be readable on either side of a position at the highest rate; missing frames are zeros.
    @inlinable public static var margin: Int { @_noLocks @inline(__always) get { 192 } }

    private var owned = OwnedMemory()
    /// The window's right half, followed by two zeros.
    private let half: UnsafeMutablePointer<Float>
    /// The window as weights around a position at rate 1, the oldest first: a row for each of `points` places, and one more.
    private let rows: UnsafeMutablePointer<Float>
    /// The weights of the frames around the position, the oldest first, and how many: a multiple of eight.
    private let weights: UnsafeMutablePointer<Float>
    private var count = 0

    /// Creates an interpolator that has not been aimed yet: what it reads is silence. Control side.
    public init() {
        let reach = Self.crossings, points = Self.points, window = KaiserWindow(beta: 10.06)
        half = owned.make(reach * points + 2, of: 0)
        half[0] = 1
        // Zero crossings are exactly 0, so that a frame is itself.
        for point in 1..<reach * points where point % points != 0 {
            let distance = Double(point) / Double(points)
            let sinc = DeterministicMath.sine(turns: distance / 2) / (Double.pi * distance)
            half[point] = Float(sinc * window.weight(distance / Double(reach)))
        }
        rows = owned.make((points + 1) * Self.width, of: 0, alignment: 64)
        for place in 0...points {
            for column in 0..<Self.width {
                let distance = abs(place - (column - reach + 1) * points)
                if distance < reach * points { rows[place * Self.width + column] = half[distance] }
            }
        }
        weights = owned.make(2 * Self.margin, of: 0, alignment: 64)
    }

    /// Frames that are read on either side of a position at `rate`.
    @_noLocks public static func reach(_ rate: Double) -> Int {
        let frames = DeterministicMath.floor(Double(crossings) * min(max(rate, 1), highestRate))
        // Pairs of four: weights are made of whole lanes. What lies beyond the window weighs nothing.
        return (Int(frames) &+ 3) & ~3
    }

    /// Moves to a position `fraction` of a frame after a frame, 0..<1, in a sound that is read at `rate` frames a frame. A
    /// sound that is read backwards has the same rate.
    @_noLocks public mutating func aim(fraction: Double, rate: Double) {
        let speed = min(max(rate, 1), Self.highestRate), reach = Self.reach(rate)
        count = 2 &* reach
        if speed == 1 { return blend(fraction * Double(Self.points)) }
        // Zero crossings are as many frames apart as pass at once. Distances in points of the table, with 32 binary places.
        let narrow = 1 / speed, gain = Float(narrow), step = Int64(Double(Self.points) * narrow * 4_294_967_296)
        let here = Int64(fraction * Double(Self.points) * narrow * 4_294_967_296)
        for place in 0..<reach {
            let distance = Int64(truncatingIfNeeded: place) &* step
            weights[reach &- 1 &- place] = weight(here &+ distance) * gain
            weights[reach &+ place] = weight(distance &+ step &- here) * gain
        }
    }

    /// The weights between two rows of the table, eight at a time.
    @_noLocks private func blend(_ point: Double) {
        let row = min(Int(point), Self.points &- 1), rest = SIMD8<Float>(repeating: Float(point - Double(row)))
        let first = UnsafeRawPointer(rows + row &* Self.width), second = first + 4 &* Self.width
        let to = UnsafeMutableRawPointer(weights)
        for place in stride(from: 0, to: 4 &* Self.width, by: 32) {
            let here = first.load(fromByteOffset: place, as: SIMD8<Float>.self)
            let there = second.load(fromByteOffset: place, as: SIMD8<Float>.self)
            to.storeBytes(of: here + rest * (there - here), toByteOffset: place, as: SIMD8<Float>.self)
        }
    }

    /// The window at a distance in points, with 32 binary places: 0 beyond its end.
    @_noLocks private func weight(_ distance: Int64) -> Float {
        let point = min(Int(truncatingIfNeeded: distance &>> 32), Self.crossings &* Self.points), here = half[point]
        let rest = Float(Int32(truncatingIfNeeded: (distance & 0xFFFF_FFFF) &>> 8)) * 5.9604644775390625e-8
        return here + rest * (half[point &+ 1] - here)
    }

    /// Returns the sound at the position, of which `sound` is the frame at or before it.
    @_noLocks public func sample(_ sound: UnsafePointer<Float>) -> Float {
        if count == 0 { return 0 }
        let first = UnsafeRawPointer(sound - (count / 2 &- 1)), weights = UnsafeRawPointer(weights)
        var sum = SIMD8<Float>()
        for place in stride(from: 0, to: 4 &* count, by: 32) {
            sum +=
                first.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                * weights.load(fromByteOffset: place, as: SIMD8<Float>.self)
        }
        let half = sum.lowHalf + sum.highHalf, quarter = half.lowHalf + half.highHalf
        return quarter[0] + quarter[1]
    }
}
