// [render]

/// A filter of second order that stays stable at any speed of its frequency: one channel of it.
///
/// The responses are those of the "Audio EQ Cookbook" (R. Bristow-Johnson); the structure, which also in mid-glide neither
/// clicks nor blows up, is the trapezoidal state variable filter of A. Simper, "Linear Trapezoidal Integrated State Variable
/// Filter with Low Noise Optimisation", 2011-2013. Both have the same transfer function.
public struct StateVariableFilter: BitwiseCopyable {
    /// The effect of a filter on the spectrum.
    public enum Response: BitwiseCopyable, Sendable, CaseIterable {
        case off, peak, lowShelf, highShelf, lowPass, highPass, notch, bandPass, allPass

        /// The response of that number, in the order of the cases; `off` for what is none.
        @_noLocks public init(number: Int) {
            switch number {
            case 1: self = .peak
            case 2: self = .lowShelf
            case 3: self = .highShelf
            case 4: self = .lowPass
            case 5: self = .highPass
            case 6: self = .notch
            case 7: self = .bandPass
            case 8: self = .allPass
            default: self = .off
            }
        }
    }

    /// The numbers that make a response: two that shape the resonance, and what each of its outputs contributes.
    public struct Coefficients: BitwiseCopyable, Sendable {
        /// The tangent of half the angle of the frequency.
        public var frequency: Double
        /// One over the quality.
        public var damping: Double
        /// The shares of the input, the band-pass and the low-pass that come out.
        public var input: Double, band: Double, low: Double

        /// Passes everything.
        @_noLocks public init() {
            frequency = 1
            damping = 1
            input = 1
            band = 0
            low = 0
        }

        /// `frequency` in hertz, at most 0.49 of the sample rate; `gain` in decibels, of peaks and shelves; `quality` above 0: a
        /// shelf without overshoot, a Butterworth low- and high-pass have 1 / sqrt 2.
        @_noLocks public init(
            _ response: Response, frequency: Double, gain: Double, quality: Double, sampleRate: Double
        ) {
            let root = DeterministicMath.exp2(gain * 0.041524101186092024)    // 10 ^ (gain / 80)
            let a = root * root
            let g = DeterministicMath.tangent(turns: 0.5 * min(frequency / sampleRate, 0.49))
            self.init()
            self.frequency = g
            damping = 1 / quality
            switch response {
            case .off: break
            case .peak:
                damping = 1 / (quality * a)
                band = damping * (a * a - 1)
            case .lowShelf:
                self.frequency = g / root
                band = damping * (a - 1)
                low = a * a - 1
            case .highShelf:
                self.frequency = g * root
                input = a * a
                band = damping * (1 - a) * a
                low = 1 - a * a
            case .lowPass:
                input = 0
                low = 1
            case .highPass:
                band = 0 - damping
                low = -1
            case .notch: band = 0 - damping
            case .bandPass:
                input = 0
                band = damping
            case .allPass: band = -2 * damping
            }
        }

        /// True if the input comes out as it is.
        public var isNeutral: Bool { @_noLocks get { input == 1 && band == 0 && low == 0 } }

        /// Returns true if both are the same filter.
        @_noLocks public static func == (a: Coefficients, b: Coefficients) -> Bool {
            a.frequency == b.frequency && a.damping == b.damping && a.input == b.input && a.band == b.band
                && a.low == b.low
        }

        /// Returns the coefficients at `share` of the way from these to `end`.
        @_noLocks public func moved(to end: Coefficients, share: Double) -> Coefficients {
            var now = self
            now.frequency += (end.frequency - frequency) * share
            now.damping += (end.damping - damping) * share
            now.input += (end.input - input) * share
            now.band += (end.band - band) * share
            now.low += (end.low - low) * share
            return now
        }
    }

    private var first = 0.0, second = 0.0

    /// Silence.
    @_noLocks public init() {}

    /// The louder of the two integrators: how much still rings.
    public var level: Double { @_noLocks get { max(abs(first), abs(second)) } }

    /// Filters `count` samples in their place.
    @_noLocks public mutating func process(
        _ x: UnsafeMutablePointer<Float>, _ count: Int, _ c: Coefficients
    ) {
        let a1 = 1 / (1 + c.frequency * (c.frequency + c.damping))
        let a2 = c.frequency * a1, a3 = c.frequency * a2
        var s1 = first, s2 = second
        for k in 0..<count {
            let v0 = Double(x[k]), v3 = v0 - s2
            let v1 = a1 * s1 + a2 * v3
            let v2 = s2 + a2 * s1 + a3 * v3
            s1 = 2 * v1 - s1
            s2 = 2 * v2 - s2
            x[k] = Float(c.input * v0 + c.band * v1 + c.low * v2)
        }
        first = s1
        second = s2
    }

    /// Filters `count` samples in their place while the coefficients move: they are on the way from `start` to `end`,
    /// which takes 64 frames, `phase` of which are over.
    @_noLocks public mutating func glide(
        _ x: UnsafeMutablePointer<Float>, _ count: Int, from start: Coefficients, to end: Coefficients, phase: Int
    ) {
        for k in 0..<count {
            let share = Double(Int32(truncatingIfNeeded: phase &+ k &+ 1)) * (1.0 / 64)
            process(x + k, 1, start.moved(to: end, share: share))
        }
    }
}
