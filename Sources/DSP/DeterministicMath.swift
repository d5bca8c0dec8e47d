// [render]
import CRealtime

/// Exponential, logarithm and sine from additions, multiplications and divisions alone.
///
/// The C library picks among several versions of `exp2` and `sin` by processor, and their last bits differ; IEEE 754
/// fixes the four operations. So what is computed here is the same on every machine. Double precision, errors below
/// 1e-15 relative (exponential, logarithm) and absolute (sine). Source: Taylor series after range reduction.
public enum DeterministicMath {
    /// 2 to the power of `x`, for -1000...1000; beyond, the value at the bound; what is no number counts as -1000.
    @_noLocks @inlinable
    public static func exp2(_ x: Double) -> Double {
        let x = min(max(-1000, x), 1000)
        let whole = rt_floor_double(x + 0.5)
        let y = (x - whole) * 0.6931471805599453    // ln 2; |y| <= 0.3466
        // The series to y^14, even and odd powers apart, so that a processor can work on both at once.
        let z = y * y
        var even = 1.0 / 87_178_291_200 * z + 1.0 / 479_001_600
        even = even * z + 1.0 / 3_628_800
        even = even * z + 1.0 / 40_320
        even = even * z + 1.0 / 720
        even = even * z + 1.0 / 24
        even = even * z + 0.5
        var odd = 1.0 / 6_227_020_800 * z + 1.0 / 39_916_800
        odd = odd * z + 1.0 / 362_880
        odd = odd * z + 1.0 / 5_040
        odd = odd * z + 1.0 / 120
        odd = odd * z + 1.0 / 6
        odd = odd * z + 1
        let sum = 1 + (y * odd + z * even)
        let exponent = Int64(whole) &+ 1023
        return sum * Double(bitPattern: UInt64(bitPattern: exponent) &<< 52)
    }

    /// Returns the logarithm of `x` to base 2; `x` is a normal positive number, anything else gives -1022.
    @_noLocks @inlinable
    public static func log2(_ x: Double) -> Double {
        guard x >= 2.2250738585072014e-308, x < .infinity else { return -1022 }
        let bits = x.bitPattern
        var exponent = Int64(truncatingIfNeeded: bits &>> 52) &- 1023
        var mantissa = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
        if mantissa > 1.4142135623730951 {
            mantissa *= 0.5
            exponent &+= 1
        }
        let t = (mantissa - 1) / (mantissa + 1)
        let t2 = t * t
        var sum = 1.0 / 21
        sum = 1.0 / 19 + t2 * sum
        sum = 1.0 / 17 + t2 * sum
        sum = 1.0 / 15 + t2 * sum
        sum = 1.0 / 13 + t2 * sum
        sum = 1.0 / 11 + t2 * sum
        sum = 1.0 / 9 + t2 * sum
        sum = 1.0 / 7 + t2 * sum
        sum = 1.0 / 5 + t2 * sum
        sum = 1.0 / 3 + t2 * sum
        sum = 1 + t2 * sum
        return Double(exponent) + t * sum * 2.8853900817779268    // 2 / ln 2
    }

    /// `base` to the power of `exponent`; `base` is positive.
    @_noLocks @inlinable
    public static func power(_ base: Double, _ exponent: Double) -> Double { exp2(exponent * log2(base)) }

    /// Returns the sine of `turns` full circles.
    @_noLocks @inlinable
    public static func sine(turns: Double) -> Double {
        var x = turns - rt_floor_double(turns + 0.5)    // -0.5...0.5
        if x > 0.25 { x = 0.5 - x } else if x < -0.25 { x = -0.5 - x }
        let y = x * 6.283185307179586
        let y2 = y * y
        var sum = 1 - y2 * (1.0 / 420)    // 20 * 21
        sum = 1 - y2 * (1.0 / 342) * sum
        sum = 1 - y2 * (1.0 / 272) * sum
        sum = 1 - y2 * (1.0 / 210) * sum
        sum = 1 - y2 * (1.0 / 156) * sum
        sum = 1 - y2 * (1.0 / 110) * sum
        sum = 1 - y2 * (1.0 / 72) * sum
        sum = 1 - y2 * (1.0 / 42) * sum
        sum = 1 - y2 * (1.0 / 20) * sum
        sum = 1 - y2 * (1.0 / 6) * sum
        return y * sum
    }

    /// Returns the cosine of `turns` full circles.
    @_noLocks @inlinable
    public static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

    /// Returns the tangent of `turns` full circles; huge near a quarter turn.
    @_noLocks @inlinable
    public static func tangent(turns: Double) -> Double {
        let cosine = cosine(turns: turns)
        return sine(turns: turns) / (cosine == 0 ? 1e-300 : cosine)
    }

    /// Returns the greatest whole number that is not above `x`; `floor(x + 0.5)` rounds.
    @_noLocks @inlinable
    public static func floor(_ x: Double) -> Double { rt_floor_double(x) }

    /// Returns the square root of `x`, which IEEE 754 fixes too; no number if `x` is negative.
    @_noLocks @inlinable
    public static func squareRoot(_ x: Double) -> Double { rt_sqrt_double(x) }

    /// 2 to the power of `x` within 1e-11, a hundred-millionth of a cent as pitch, in a third of the time of `exp2`.
    @_noLocks @inlinable
    public static func quickExp2(_ x: Double) -> Double {
        let x = min(max(x, -1000), 1000)
        let whole = rt_floor_double(x + 0.5)
        let y = (x - whole) * 0.6931471805599453    // ln 2; |y| <= 0.3466
        let y2 = y * y, y4 = y2 * y2
        let low = (1 + y) + y2 * (0.5 + y * 0.16666666666666666)
        let middle =
            (0.041666666666666664 + y * 0.008333333333333333)
            + y2 * (0.001388888888888889 + y * 0.0001984126984126984)
        let high = 0.0000248015873015873 + y * 0.0000027557319223985893
        let sum = low + y4 * (middle + y4 * high)
        let exponent = Int64(whole) &+ 1023
        return sum * Double(bitPattern: UInt64(bitPattern: exponent) &<< 52)
    }

    /// Returns the sine of `turns` full circles, -1...2, within 1e-6: for slow swings.
    @_noLocks @inlinable
    public static func quickSine(turns: Float) -> Float {
        var x = turns - rt_floor(turns + 0.5)
        if x > 0.25 { x = 0.5 - x } else if x < -0.25 { x = -0.5 - x }
        let y = x * 6.2831855
        let y2 = y * y
        let high: Float = 0.0000027557319 - y2 * 0.000000025052108
        return y * (1 - y2 * (0.16666667 - y2 * (0.008333334 - y2 * (0.0001984127 - y2 * high))))
    }
}
