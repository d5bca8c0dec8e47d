// [render]
import RealtimeCore

/// A chain of all-passes of first order at one frequency, with feedback around it: one channel of a phaser.
///
/// Each all-pass turns the phase by a quarter at its frequency and keeps every level. Feedback acts in the frame itself: the
/// chain's output is linear in its input, so the loop is solved and not delayed, and it shifts no notch. The result is again
/// an all-pass, (A - f) / (1 - f A) of the chain's A: the loop never makes it louder.
/// Sources: J. O. Smith, "Physical Audio Signal Processing", 2010, "Phasing with first-order allpass filters"; V. Zavalishin,
/// "The Art of VA Filter Design", 2012, for the integrators, which stay calm while the frequency moves.
public struct AllpassChain: ~Copyable {
    /// The longest chain.
    @inlinable public static var longest: Int { @_noLocks @inline(__always) get { 12 } }

    private var owned = OwnedMemory()
    private let states: UnsafeMutablePointer<Double>

    /// Creates a silent one. Control side.
    public init() {
        states = owned.make(Self.longest, of: 0)
    }

    /// Returns the coefficient of an all-pass that turns the phase by a quarter at `frequency` hertz, which is above 0; above
    /// 0.45 of the sample rate it is 0.45 of it.
    @_noLocks public static func coefficient(_ frequency: Double, sampleRate: Double) -> Double {
        let g = DeterministicMath.tangent(turns: 0.5 * min(frequency / sampleRate, 0.45))
        return (g - 1) / (g + 1)
    }

    /// Returns what comes out for `x`, with `stages` all-passes of coefficient `a` and `feedback`, -1...1 without the ends.
    @_noLocks public func next(_ x: Double, stages: Int, coefficient a: Double, feedback: Double) -> Double {
        // What comes out of the chain, if nothing goes in, and how much of what goes in is added to that.
        var rest = 0.0, through = 1.0
        for n in 0..<stages {
            rest = a * rest + (1 - a) * states[n]
            through *= a
        }
        let entry = (x + feedback * rest) / (1 - feedback * through)
        var y = entry
        for n in 0..<stages {
            let state = states[n], out = a * y + (1 - a) * state
            states[n] = (1 + a) * y - a * state
            y = out
        }
        return y - feedback * entry
    }

    /// The loudest of the states: how much still rings.
    public var level: Double {
        @_noLocks get {
            var level = 0.0
            for n in 0..<Self.longest { level = max(level, abs(states[n])) }
            return level
        }
    }

    /// Silence again.
    @_noLocks public func clear() { for n in 0..<Self.longest { states[n] = 0 } }
}
