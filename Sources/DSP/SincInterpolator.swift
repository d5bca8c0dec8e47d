// [render]

/// Reads a sound between its frames, faster or slower than it was written: speed and pitch go together, as on a tape.
///
/// The weights of the frames around a position are a sinc under a Kaiser window, which is wider where the sound is read
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
    /// The highest rate: beyond, aliases come.
    @inlinable public static var highestRate: Double { @_noLocks @inline(__always) get { 4 } }
    /// Frames that must be readable on either side of a position at the highest rate; zeros stand for what is not there.
    @inlinable public static var margin: Int { @_noLocks @inline(__always) get { 192 } }

    /// The window's right half, with two zeros behind its end.
    private let table: UnsafeMutablePointer<Float>
    /// The weights of the frames around the position, the oldest first, and how many: a multiple of eight.
    private let weights: UnsafeMutablePointer<Float>
    private var count = 0

    /// An interpolator that has not been aimed yet: what it reads is silence. Control side.
    public init() {
        let size = Self.crossings * Self.points, window = KaiserWindow(beta: 10.06)
        table = .allocate(capacity: size + 2)
        table.initialize(repeating: 0, count: size + 2)
        table[0] = 1
        for i in 1..<size where i % Self.points != 0 {
            let distance = Double(i) / Double(Self.points)
            let sinc = DeterministicMath.sine(turns: distance / 2) / (Double.pi * distance)
            table[i] = Float(sinc * window.weight(distance / Double(Self.crossings)))
        }
        weights = UnsafeMutableRawPointer.allocate(byteCount: 4 * 2 * Self.margin, alignment: 64)
            .initializeMemory(as: Float.self, repeating: 0, count: 2 * Self.margin)
    }

    deinit {
        table.deallocate()
        UnsafeMutableRawPointer(weights).deallocate()
    }

    /// Frames that are read on either side of a position at `rate`.
    @_noLocks public static func reach(_ rate: Double) -> Int {
        let frames = DeterministicMath.floor(Double(crossings) * min(max(rate, 1), highestRate))
        // Pairs of four: weights are made of whole lanes. What lies beyond the window weighs nothing.
        return (Int(frames) &+ 3) & ~3
    }

    /// Turns to a position `fraction` of a frame behind a frame, 0..<1, in a sound that is read at `rate` frames a frame. A
    /// sound that is read backwards has the same rate.
    @_noLocks public mutating func aim(fraction: Double, rate: Double) {
        let speed = min(max(rate, 1), Self.highestRate), reach = Self.reach(rate)
        count = 2 &* reach
        // Zero crossings are a frame apart, or where sound is read faster, as many frames as pass at once.
        let narrow = 1 / speed, step = Double(Self.points) * narrow, end = Double(Self.crossings &* Self.points)
        let gain = Float(narrow)
        // The oldest frame is this far away; the one left of the position has place `reach` - 1.
        var distance = (fraction + Double(reach &- 1)) * step
        for place in 0..<count {
            let far = min(abs(distance), end), point = Int(far)
            let rest = Float(far - Double(point)), here = table[point]
            weights[place] = (here + rest * (table[point &+ 1] - here)) * gain
            distance = (fraction + Double(reach &- 2 &- place)) * step
        }
    }

    /// The sound at the position, of which `sound` is the frame at or before it.
    @_noLocks public func sample(_ sound: UnsafePointer<Float>) -> Float {
        if count == 0 { return 0 }
        let first = UnsafeRawPointer(sound - (count / 2 &- 1)), weights = UnsafeRawPointer(weights)
        var sum = SIMD8<Float>()
        for place in stride(from: 0, to: 4 &* count, by: 32) {
            sum += first.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                * weights.load(fromByteOffset: place, as: SIMD8<Float>.self)
        }
        let half = sum.lowHalf + sum.highHalf, quarter = half.lowHalf + half.highHalf
        return quarter[0] + quarter[1]
    }
}
