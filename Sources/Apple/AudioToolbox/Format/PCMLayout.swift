/// How linear PCM lies in memory or in a file: a stream description that has been checked.
struct PCMLayout: Equatable {
    var rate: Double
    let channels: Int
    let isFloat: Bool
    /// Bits that count, at most those of the bytes.
    let bits: Int
    /// Bytes from one sample to the next of the same frame.
    let bytes: Int
    let isSigned: Bool
    let isBigEndian: Bool
    /// The bits that count are the upper ones.
    let isHigh: Bool
    /// Bits behind the point, for fixed point as 8.24; 0 for full scale at the greatest integer.
    let fraction: Int
    let isInterleaved: Bool

    /// Nil for a description of something else, or one that contradicts itself.
    init?(_ format: AudioStreamBasicDescription) {
        let flags = format.mFormatFlags == kAudioFormatFlagsAreAllClear ? 0 : format.mFormatFlags
        guard format.mFormatID == kAudioFormatLinearPCM, (1...1_024).contains(format.mChannelsPerFrame),
            format.mSampleRate.isFinite, format.mSampleRate >= 0, format.mFramesPerPacket == 1,
            format.mBytesPerPacket == format.mBytesPerFrame, format.mBytesPerFrame > 0
        else { return nil }
        channels = Int(format.mChannelsPerFrame)
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0 || channels == 1
        let side = isInterleaved ? channels : 1
        guard Int(format.mBytesPerFrame) % side == 0 else { return nil }
        bytes = Int(format.mBytesPerFrame) / side
        bits = Int(format.mBitsPerChannel)
        isFloat = flags & kAudioFormatFlagIsFloat != 0
        isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
        isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
        fraction = Int((flags & kLinearPCMFormatFlagsSampleFractionMask) >> kLinearPCMFormatFlagsSampleFractionShift)
        isHigh = flags & kAudioFormatFlagIsAlignedHigh != 0 && bits < 8 * bytes
        rate = format.mSampleRate
        if isFloat {
            guard bytes == 4 || bytes == 8, bits == 8 * bytes else { return nil }
        } else {
            guard (1...4).contains(bytes), (1...8 * bytes).contains(bits), fraction < bits else { return nil }
        }
    }

    /// Interleaved; integers of fewer bits than their bytes have them at the top.
    init(
        rate: Double, channels: Int, bits: Int, isFloat: Bool, isBigEndian: Bool = false, isSigned: Bool = true,
        bytes: Int? = nil
    ) {
        self.rate = rate
        self.channels = channels
        self.bits = bits
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
        self.isSigned = isSigned
        self.bytes = bytes ?? (bits + 7) / 8
        isHigh = bits < 8 * self.bytes
        fraction = 0
        isInterleaved = true
    }

    var planes: Int { isInterleaved ? 1 : channels }
    /// Bytes of a frame in each buffer.
    var bytesPerFrame: Int { isInterleaved ? bytes * channels : bytes }

    var description: AudioStreamBasicDescription {
        var flags: AudioFormatFlags = isFloat ? kAudioFormatFlagIsFloat : isSigned ? kAudioFormatFlagIsSignedInteger : 0
        if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        if bits == 8 * bytes { flags |= kAudioFormatFlagIsPacked }
        if isHigh { flags |= kAudioFormatFlagIsAlignedHigh }
        if !isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        flags |= UInt32(fraction) << kLinearPCMFormatFlagsSampleFractionShift
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: UInt32(bytesPerFrame),
            mFramesPerPacket: 1, mBytesPerFrame: UInt32(bytesPerFrame), mChannelsPerFrame: UInt32(channels),
            mBitsPerChannel: UInt32(bits), mReserved: 0)
    }

    /// One step of the integer, as a part of full scale.
    private var step: Double { fraction > 0 ? exp2(-Double(fraction)) : exp2(-Double((isHigh ? 8 * bytes : bits) - 1)) }

    /// Decodes samples that lie `stride` bytes apart.
    func decode(_ input: UnsafeRawPointer, stride: Int, count: Int, _ output: UnsafeMutablePointer<Double>) {
        if isFloat {
            for index in 0..<count { output[index] = float(input + index * stride) }
            return
        }
        let width = isHigh ? 8 * bytes : bits, step = step, middle = isSigned ? 0 : 1 << (width - 1)
        for index in 0..<count {
            var value = 0
            for place in 0..<bytes {
                let byte = input.load(fromByteOffset: index * stride + (isBigEndian ? bytes - 1 - place : place), as: UInt8.self)
                value |= Int(byte) << (8 * place)
            }
            value &= (1 << width) - 1
            if isSigned, value >> (width - 1) != 0 { value -= 1 << width }
            output[index] = Double(value - middle) * step
        }
    }

    private func float(_ place: UnsafeRawPointer) -> Double {
        if bytes == 4 {
            let bits = place.loadUnaligned(as: UInt32.self)
            return Double(Float(bitPattern: isBigEndian ? bits.byteSwapped : bits))
        }
        let bits = place.loadUnaligned(as: UInt64.self)
        return Double(bitPattern: isBigEndian ? bits.byteSwapped : bits)
    }

    /// Encodes samples `stride` bytes apart: integers are rounded and held at the greatest, what is no number is 0.
    func encode(_ input: UnsafePointer<Double>, count: Int, _ output: UnsafeMutableRawPointer, stride: Int) {
        if isFloat {
            for index in 0..<count {
                if bytes == 4 {
                    let bits = Float(input[index]).bitPattern
                    (output + index * stride).storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt32.self)
                } else {
                    let bits = input[index].bitPattern
                    (output + index * stride).storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt64.self)
                }
            }
            return
        }
        let scale = fraction > 0 ? exp2(Double(fraction)) : exp2(Double(bits - 1))
        let greatest = exp2(Double(bits - 1)) - 1, least = -exp2(Double(bits - 1))
        let middle = isSigned ? 0 : 1 << (bits - 1), shift = isHigh ? 8 * bytes - bits : 0
        for index in 0..<count {
            let scaled = (input[index] * scale).rounded(.toNearestOrEven)
            let value = scaled.isNaN ? 0 : Int(min(greatest, max(least, scaled)))
            let word = (value + middle) << shift
            for place in 0..<bytes {
                let byte = UInt8(truncatingIfNeeded: word >> (8 * place))
                output.storeBytes(
                    of: byte, toByteOffset: index * stride + (isBigEndian ? bytes - 1 - place : place), as: UInt8.self)
            }
        }
    }
}
