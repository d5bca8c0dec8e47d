import CKernels

/// Turns planar floating-point samples into interleaved integers.
///
/// **16 bit** is dithered: triangular noise of two steps' width (TPDF) is added before rounding, so that the error has
/// mean zero and a power that does not follow the signal (Lipshitz, Wannamaker, Vanderkooy, "Quantization and Dither: A
/// Theoretical Survey", J. AES 40, 1992). The noise is a hash of the sample's index in the file: the same song gives
/// the same bytes on every run, in blocks of any size, on any machine, and the loop has no state: stereo goes eight frames at
/// a time. It repeats after 2^32 samples, 12 hours of stereo at 48 kHz.
///
/// A sample of exactly 0 stays 0. It needs no rounding, so there is no error to decorrelate, and digital silence stays
/// digital silence.
///
/// **24 bit** is rounded to nearest without dither: for every sample above half of full scale the step is that of the
/// `Float` it comes from, and otherwise the error is 144 dB below full scale.
///
/// Full scale is 2^15 (2^23) steps, as readers assume; samples beyond it are clamped and counted. A sample that is not
/// a number becomes silence.
enum SampleQuantizer {
    /// Adding it to a float below 2^22 in magnitude leaves the rounded integer in the low bits.
    private static let roundingBias: Float = 12_582_912    // 1.5 * 2^23
    private static let roundingBias64 = 6_755_399_441_055_744.0    // 1.5 * 2^52

    /// Samples of no greater magnitude than this, dithered, stay within 16 bits: 32766 steps, as a bit pattern.
    private static let quietBits = (Float(32766) / 32768).bitPattern
    /// Frames that are looked at for loud samples, and then converted while they are still in the nearest cache.
    private static let chunkFrames = 512

    /// One dithered sample: its low 16 bits are the result. `isClamped` false is for quiet samples only.
    @inline(__always)
    static func dithered(_ sample: Float, _ index: UInt32, isClamped: Bool) -> UInt32 {
        // Chris Wellons' lowbias32, whose input is spread by a Weyl sequence first. With one multiplication less the
        // spectrum shows lines (35 times the mean in a 2^21-point transform).
        var h = index &* 0x9E37_79B9
        h = (h ^ (h >> 16)) &* 0x7FEB_352D
        h = (h ^ (h >> 15)) &* 0x846C_A68B
        h ^= h >> 16
        // The sum of two uniform 16-bit numbers, moved to mean zero, in units of 2^-16 step: -65535...65535.
        let triangle = Int32(truncatingIfNeeded: (h & 0xFFFF) &+ (h >> 16)) &- 65535
        let noise = Float(triangle) * 0x1p-16
        let steps = sample * 32768
        // False for 0 and for what is not a number.
        var value = steps.magnitude > 0 ? steps + noise : 0
        if isClamped {
            value = value > 32767 ? 32767 : value
            value = value < -32768 ? -32768 : value
        }
        return (value + roundingBias).bitPattern
    }

    @inline(__always)
    private static func isBeyondFullScale(_ sample: Float) -> Int32 {
        sample > 1 || sample < -1 ? 1 : 0
    }

    /// On the bits: integer arithmetic is what the vector instructions of every x86-64 have.
    @inline(__always)
    private static func isLoud(_ samples: UnsafePointer<Float>, frames: Int) -> Bool {
        var signs: UInt32 = 0
        for i in 0..<frames { signs |= quietBits &- (samples[i].bitPattern & 0x7FFF_FFFF) }
        return signs >> 31 == 1
    }

    /// `firstFrame` is the first frame's index in the file. Returns how many samples were beyond full scale.
    static func quantize16(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int, firstFrame: Int64,
        to output: UnsafeMutablePointer<Int16>
    ) -> Int {
        let count = channels.count
        var clipped = 0
        var done = 0
        while done < frames {
            let part = min(chunkFrames, frames - done)
            let target = output + done * count
            let index = UInt32(truncatingIfNeeded: (firstFrame &+ Int64(done)) &* Int64(count))
            if channels.contains(where: { isLoud($0 + start + done, frames: part) }) {
                for channel in channels {
                    clipped += countBeyondFullScale(channel + start + done, frames: part)
                }
                convert16(channels, from: start + done, frames: part, index: index, isClamped: true, to: target)
            } else {
                convert16(channels, from: start + done, frames: part, index: index, isClamped: false, to: target)
            }
            done += part
        }
        return clipped
    }

    @inline(__always)
    private static func convert16(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int, index origin: UInt32,
        isClamped: Bool, to output: UnsafeMutablePointer<Int16>
    ) {
        let count = channels.count
        #if _endian(little)
            if count == 2 {
                let left = channels[0] + start
                let right = channels[1] + start
                let pairs = UnsafeMutableRawPointer(output).assumingMemoryBound(to: UInt32.self)
                kernel_dither16(left, right, origin, isClamped, frames, pairs)
                return
            }
        #endif
        for channel in 0..<count {
            let input = channels[channel] + start
            let index = origin &+ UInt32(truncatingIfNeeded: channel)
            let step = UInt32(truncatingIfNeeded: count)
            for i in 0..<frames {
                let word = dithered(input[i], index &+ step &* UInt32(truncatingIfNeeded: i), isClamped: isClamped)
                output[i &* count &+ channel] = Int16(truncatingIfNeeded: word)
            }
        }
    }

    private static func countBeyondFullScale(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        var clipped: Int32 = 0
        for i in 0..<frames { clipped &+= isBeyondFullScale(samples[i]) }
        return Int(clipped)
    }

    /// Writes `frames` frames of `channels` to `output`, interleaved, in the upper 24 of 32 bits.
    static func quantize24(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int,
        to output: UnsafeMutablePointer<Int32>
    ) -> Int {
        interleave(channels, from: start, frames: frames, to: output) { sample in
            let steps = Double(sample) * 8_388_608
            var value = steps.magnitude > 0 ? steps : 0
            value = value > 8_388_607 ? 8_388_607 : value
            value = value < -8_388_608 ? -8_388_608 : value
            return Int32(truncatingIfNeeded: (value + roundingBias64).bitPattern) << 8
        }
    }

    /// With silence for what is not a finite number: no lossy encoder is tested with those.
    static func interleaveFinite(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int,
        to output: UnsafeMutablePointer<Float>
    ) -> Int {
        interleave(channels, from: start, frames: frames, to: output) { $0.magnitude < .infinity ? $0 : 0 }
    }

    @inline(__always)
    private static func interleave<Output>(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int,
        to output: UnsafeMutablePointer<Output>, _ converted: (Float) -> Output
    ) -> Int {
        let count = channels.count
        var clipped: Int32 = 0
        for channel in 0..<count {
            let input = channels[channel] + start
            for i in 0..<frames {
                clipped &+= isBeyondFullScale(input[i])
                output[i &* count &+ channel] = converted(input[i])
            }
        }
        return Int(clipped)
    }

    static func interleave(
        _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int,
        to output: UnsafeMutablePointer<Float>
    ) {
        let count = channels.count
        if count == 2 {
            let left = channels[0] + start
            let right = channels[1] + start
            for i in 0..<frames {
                output[2 &* i] = left[i]
                output[2 &* i &+ 1] = right[i]
            }
            return
        }
        for channel in 0..<count {
            let input = channels[channel] + start
            for i in 0..<frames { output[i &* count &+ channel] = input[i] }
        }
    }
}
