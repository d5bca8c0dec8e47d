// [render]
import DSP

/// The way in which a value goes from one to another.
@frozen public enum RampCurve: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// Equal steps.
    case linear
    /// Equal ratios: for hertz and seconds. If one end is 0, or the ends have different signs, there is no ratio,
    /// and the way is linear.
    case exponential
    /// Slow at both ends, half the way in half the time: 3u^2 - 2u^3.
    case sShaped

    /// Stable kebab-case name, used by journals and other surfaces.
    public var name: String {
        switch self {
        case .linear: "linear"
        case .exponential: "exponential"
        case .sShaped: "s-shaped"
        }
    }

    /// The curve of that name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// A parameter's value on its way: where it started, how fast it moves, where it stops.
///
/// The value of frame k after a change is computed from k alone, never by adding steps up, so that it is the same for any
/// slices.
@frozen public struct ParameterRamp: BitwiseCopyable, Sendable {
    @usableFromInline var origin: Float
    /// Change per frame; of an exponential way, how often it doubles from its beginning to its end.
    @usableFromInline var slope: Float
    /// The value from frame `length` on.
    public var target: Float
    /// Frames since the change, at the first frame of this call.
    @usableFromInline var position: Int32
    @usableFromInline var length: Int32
    @usableFromInline var curve: RampCurve

    /// The longest change in frames: more than six hours at 48 kHz.
    public static var longest: Int32 { @_noLocks get { 1 << 30 } }

    /// Creates a value at rest.
    @_noLocks @inlinable @inline(__always)
    public init(_ value: Float) {
        origin = value
        slope = 0
        target = value
        position = 0
        length = 0
        curve = .linear
    }

    /// True if the value stays `target` from here on.
    @inlinable
    public var isSteady: Bool { @_noLocks @inline(__always) get { position >= length } }

    /// The value at the first frame of this call.
    @inlinable
    public var value: Float { @_noLocks @inline(__always) get { self[0] } }

    /// The value at frame `i` of this call.
    @inlinable @inline(__always)
    public subscript(i: Int) -> Float {
        @_noLocks get {
            let k = position &+ Int32(truncatingIfNeeded: i)
            if k >= length { return target }
            return curve.rawValue == 0 ? origin + slope * Float(k) : curved(k)
        }
    }

    /// The value `k` frames after the change, on a way that is not linear. Out of the way of those that are.
    @_noLocks @usableFromInline @inline(never)
    func curved(_ k: Int32) -> Float {
        let u = Double(k) / Double(length)
        if curve.rawValue == RampCurve.exponential.rawValue {
            return Float(Double(origin) * DeterministicMath.quickExp2(u * Double(slope)))
        }
        return Float(Double(origin) + (Double(target) - Double(origin)) * (u * u * (3 - 2 * u)))
    }

    /// Starts towards `target`, to arrive after `frames` frames, at most `longest`. Renderer only.
    @_noLocks @inlinable @inline(__always)
    public mutating func move(to target: Float, over frames: Int32) {
        let now = self[0]
        self.target = target
        position = 0
        length = now == target ? 0 : frames
        origin = now
        slope = frames > 0 ? (target - now) / Float(frames) : 0
        curve = .linear
    }

    /// Starts towards `target` along a curve. Renderer only.
    @_noLocks
    public mutating func move(to target: Float, over frames: Int32, along curve: RampCurve) {
        move(to: target, over: min(frames, Self.longest))
        switch curve {
        case .linear: break
        case .exponential:
            // The ratio may be beyond what a Float holds, and no logarithm can be taken of a denormal number.
            let ratio = Double(target) / Double(origin)
            if length > 0 && abs(origin) >= Float.leastNormalMagnitude && ratio >= 1e-80 && ratio <= 1e80 {
                slope = Float(DeterministicMath.log2(ratio))
                self.curve = .exponential
            }
        case .sShaped: if length > 0 { self.curve = .sShaped }
        }
    }

    /// Advances by `frames` frames. Renderer only.
    @_noLocks @inlinable @inline(__always)
    public mutating func advance(_ frames: Int) {
        if position < length { position = min(position &+ Int32(truncatingIfNeeded: frames), length) }
    }
}
