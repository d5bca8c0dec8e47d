/// Sine, exponential and logarithm made of additions, multiplications and divisions only, so that every machine
/// computes the same bits; the C library's versions differ in the last one.
///
/// Absolute error below 1e-13 for sine, relative error below 1e-13 for the others. Source: Taylor series.
public enum ExactMath {
    /// sin(2 pi `turns`).
    public static func sine(turns: Double) -> Double {
        var x = turns - (turns + 0.5).rounded(.down)
        if x > 0.25 { x = 0.5 - x } else if x < -0.25 { x = -0.5 - x }
        let a = x * 6.283185307179586
        let s = a * a
        var sum = 1 - s / 272
        sum = 1 - s / 210 * sum
        sum = 1 - s / 156 * sum
        sum = 1 - s / 110 * sum
        sum = 1 - s / 72 * sum
        sum = 1 - s / 42 * sum
        sum = 1 - s / 20 * sum
        sum = 1 - s / 6 * sum
        return a * sum
    }

    /// cos(2 pi `turns`).
    public static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

    /// 2 to the power `x`; for |x| up to 1000.
    public static func exponential2(_ x: Double) -> Double {
        let whole = (x + 0.5).rounded(.down)
        let f = (x - whole) * 0.6931471805599453
        var sum = 1.0
        var n = 14.0
        while n >= 1 {
            sum = 1 + f / n * sum
            n -= 1
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// Logarithm to base 2 of a positive `x`.
    public static func logarithm2(_ x: Double) -> Double {
        let t = (x.significand - 1) / (x.significand + 1)
        let s = t * t
        var sum = 0.0
        var n = 41.0
        while n >= 1 {
            sum = 1 / n + s * sum
            n -= 2
        }
        return Double(x.exponent) + 2 * t * sum / 0.6931471805599453
    }

    /// `base` to the power `exponent`; `base` positive.
    public static func power(_ base: Double, _ exponent: Double) -> Double { exponential2(exponent * logarithm2(base)) }

    /// e to the power `x`.
    public static func exponential(_ x: Double) -> Double { exponential2(x * 1.4426950408889634) }

    /// The amplitude ratio of a level in decibels.
    public static func amplitude(decibels: Double) -> Double { exponential2(decibels * 0.16609640474436813) }

    /// The frequency in hertz of a MIDI key in equal temperament, A4 = key 69 = 440 Hz.
    public static func frequency(key: Double) -> Double { 440 * exponential2((key - 69) / 12) }
}
