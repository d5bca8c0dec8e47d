import DSP

/// Samples of one kind to double precision and back.
///
/// What double precision holds exactly comes back exactly; only a value between two steps is rounded, and with dither has
/// noise of two steps' width added first, triangular, so that the error does not follow the sound. Sources: S. Lipshitz,
/// R. Wannamaker, J. Vanderkooy, "Quantization and Dither: A Theoretical Survey", J. AES 40 (1992).
struct SampleCodec {
    let sample: SoundFormat.Sample
    let isDithered: Bool
    /// Samples beyond full scale so far, which were clamped, and samples that were no numbers and became 0.
    private(set) var clippedSamples: Int64 = 0, repairedSamples: Int64 = 0
    private let noise = CounterNoise(seed: 16)

    init(_ sample: SoundFormat.Sample, isDithered: Bool = false) {
        self.sample = sample
        self.isDithered = isDithered
    }

    /// Samples of `bytes` from `offset` on, each `stride` bytes after the one before, as doubles.
    mutating func decode(_ bytes: UnsafeRawBufferPointer, from offset: Int, stride: Int, _ to: inout [Double]) {
        for place in Swift.stride(from: offset, to: bytes.count, by: stride) {
            let value: Double
            switch sample {
            case .int16: value = Double(bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)) * 0x1p-15
            case .int24:
                let low = UInt32(bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
                let word = low << 8 | UInt32(bytes[place + 2]) << 24
                value = Double(Int32(bitPattern: word)) * 0x1p-31
            case .int32: value = Double(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)) * 0x1p-31
            case .fixed824: value = Double(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)) * 0x1p-24
            case .float32: value = Double(bytes.loadUnaligned(fromByteOffset: place, as: Float.self))
            case .float64: value = bytes.loadUnaligned(fromByteOffset: place, as: Double.self)
            }
            if !value.isFinite { repairedSamples += 1 }
            to.append(value.isFinite ? value : 0)
        }
    }

    /// From `offset` on, each `stride` bytes after the one before; the first is frame `frame` of channel `channel`.
    mutating func encode(
        _ values: ArraySlice<Double>, _ bytes: UnsafeMutableRawBufferPointer, from offset: Int, stride: Int, frame: Int64,
        channel: Int
    ) {
        var place = offset
        for (index, value) in values.enumerated() {
            switch sample {
            case .int16:
                let step = steps(value, 0x1p15, -0x1p15...0x1p15 - 1, at: frame + Int64(index), channel)
                bytes.storeBytes(of: Int16(step), toByteOffset: place, as: Int16.self)
            case .int24:
                let step = Int32(steps(value, 0x1p23, -0x1p23...0x1p23 - 1, at: frame + Int64(index), channel))
                bytes.storeBytes(of: UInt16(truncatingIfNeeded: step), toByteOffset: place, as: UInt16.self)
                bytes[place + 2] = UInt8(truncatingIfNeeded: step >> 16)
            case .int32:
                let step = steps(value, 0x1p31, -0x1p31...0x1p31 - 1, at: frame + Int64(index), channel)
                bytes.storeBytes(of: Int32(step), toByteOffset: place, as: Int32.self)
            case .fixed824:
                let step = steps(value, 0x1p24, -0x1p31...0x1p31 - 1, at: frame + Int64(index), channel)
                bytes.storeBytes(of: Int32(step), toByteOffset: place, as: Int32.self)
            case .float32: bytes.storeBytes(of: Float(value), toByteOffset: place, as: Float.self)
            case .float64: bytes.storeBytes(of: value, toByteOffset: place, as: Double.self)
            }
            place += stride
        }
    }

    private mutating func steps(
        _ value: Double, _ scale: Double, _ range: ClosedRange<Double>, at frame: Int64, _ channel: Int
    ) -> Double {
        var exact = value * scale
        // What lies on a step needs no rounding, so there is no error to hide: silence stays silence.
        if isDithered, sample == .int16, exact != exact.rounded() {
            let pair = noise.pair(at: frame &* 1024 &+ Int64(channel))
            exact += (pair.left + pair.right) * 0.5
        }
        // The greatest numbers of a damaged file may have met on the way.
        if !exact.isFinite {
            repairedSamples += 1
            return 0
        }
        // Full scale itself is one step too many, and is no clip.
        if value * scale > range.upperBound + 1 || value * scale < range.lowerBound { clippedSamples += 1 }
        return min(max(exact.rounded(.toNearestOrEven), range.lowerBound), range.upperBound)
    }
}
