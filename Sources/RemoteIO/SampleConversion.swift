// [render]
import CRealtime

/// Planar floats to what a device takes, and back.
///
/// Full scale is 2^15, 2^23 or 2^31 steps; values are rounded to nearest, those beyond full scale are clamped and counted,
/// a sample that is not a number becomes silence. No dither: what is heard at once is not worth noise in the silence.
package enum SampleConversion {
    /// Writes `frames` interleaved frames of `channels` channels to `output`.
    ///
    /// - `source`: planar channels of at least `frames` floats.
    /// - `map`: for each of the device's `channels` the source's channel, or -1 for silence.
    /// - Returns: how many samples were beyond full scale.
    @_noLocks package static func write(
        _ source: UnsafePointer<UnsafeMutablePointer<Float>>, map: UnsafePointer<Int32>, channels: Int, frames: Int,
        format: SampleFormat, to output: UnsafeMutableRawPointer
    ) -> Int {
        var clipped = 0
        let stride = channels &* format.bytes
        for c in 0..<channels {
            let first = output + c &* format.bytes
            guard map[c] >= 0 else {
                clear(first, stride, frames, format)
                continue
            }
            let samples = UnsafePointer(source[Int(map[c])])
            switch format {
            case .float32: clipped &+= writeFloats(samples, first, stride, frames)
            case .int32: clipped &+= writeIntegers(samples, first, stride, frames, 2_147_483_648)
            case .int24: clipped &+= writeIntegers(samples, first, stride, frames, 8_388_608)
            case .int24Packed: clipped &+= writePacked(samples, first, stride, frames)
            case .int16: clipped &+= writeShorts(samples, first, stride, frames)
            }
        }
        return clipped
    }

    /// Reads `frames` interleaved frames of `channels` channels into planar channels.
    @_noLocks package static func read(
        _ input: UnsafeRawPointer, channels: Int, frames: Int, format: SampleFormat,
        to destination: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        let stride = channels &* format.bytes
        for c in 0..<channels {
            let to = destination[c]
            let first = input + c &* format.bytes
            for i in 0..<frames {
                let at = first + i &* stride
                switch format {
                case .float32: to[i] = at.loadUnaligned(as: Float.self)
                case .int32: to[i] = Float(at.loadUnaligned(as: Int32.self)) * 0x1p-31
                case .int24: to[i] = Float((at.loadUnaligned(as: Int32.self) &<< 8) &>> 8) * 0x1p-23
                case .int24Packed:
                    let low = Int32(at.loadUnaligned(as: UInt16.self))
                    let high = Int32((at + 2).loadUnaligned(as: Int8.self))
                    to[i] = Float(high &<< 16 | low) * 0x1p-23
                case .int16: to[i] = Float(at.loadUnaligned(as: Int16.self)) * 0x1p-15
                }
            }
        }
    }

    /// The nearest integer to `sample` * `scale` that fits, and whether it had to be clamped. In doubles, which hold all
    /// of them exactly; adding 1.5 * 2^52 rounds.
    @_noLocks @inline(__always)
    private static func steps(_ sample: Float, _ scale: Double, _ clipped: inout Int) -> Int32 {
        var value = Double(sample) * scale
        if !(value == value) { value = 0 }
        if value > scale - 1 {
            if value > scale { clipped &+= 1 }
            value = scale - 1
        } else if value < -scale {
            clipped &+= 1
            value = -scale
        }
        return Int32(truncatingIfNeeded: (value + 6_755_399_441_055_744.0).bitPattern)
    }

    @_noLocks private static func writeFloats(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer, _ stride: Int, _ frames: Int
    ) -> Int {
        var clipped = 0
        for i in 0..<frames {
            var value = from[i]
            if !(value == value) { value = 0 }
            if value > 1 || value < -1 {
                clipped &+= 1
                value = value > 1 ? 1 : -1
            }
            (to + i &* stride).storeBytes(of: value, as: Float.self)
        }
        return clipped
    }

    @_noLocks private static func writeIntegers(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer, _ stride: Int, _ frames: Int, _ scale: Double
    ) -> Int {
        var clipped = 0
        for i in 0..<frames { (to + i &* stride).storeBytes(of: steps(from[i], scale, &clipped), as: Int32.self) }
        return clipped
    }

    @_noLocks private static func writePacked(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer, _ stride: Int, _ frames: Int
    ) -> Int {
        var clipped = 0
        for i in 0..<frames {
            let value = steps(from[i], 8_388_608, &clipped)
            (to + i &* stride).storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
            (to + i &* stride + 2).storeBytes(of: UInt8(truncatingIfNeeded: value &>> 16), as: UInt8.self)
        }
        return clipped
    }

    @_noLocks private static func writeShorts(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer, _ stride: Int, _ frames: Int
    ) -> Int {
        var clipped = 0
        for i in 0..<frames {
            let value = steps(from[i], 32768, &clipped)
            (to + i &* stride).storeBytes(of: Int16(truncatingIfNeeded: value), as: Int16.self)
        }
        return clipped
    }

    @_noLocks private static func clear(_ to: UnsafeMutableRawPointer, _ stride: Int, _ frames: Int, _ format: SampleFormat) {
        for i in 0..<frames {
            for byte in 0..<format.bytes { (to + i &* stride + byte).storeBytes(of: 0, as: UInt8.self) }
        }
    }
}
