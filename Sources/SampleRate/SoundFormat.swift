/// The form of sound in memory: rate, channels, the kind of a sample, and whether channels lie one after the other.
public struct SoundFormat: Hashable, Sendable, CustomStringConvertible {
    /// The kind of one sample. All are little-endian; full scale is 1, or one step beyond the greatest integer.
    public enum Sample: Hashable, Sendable, CaseIterable {
        case int16
        /// Three bytes, the lowest first.
        case int24
        case int32
        /// A 32-bit integer in steps of 2^-24: what old devices without floating point computed in. It has room for 42 dB
        /// above full scale.
        case fixed824
        case float32
        case float64

        /// Bytes of one.
        public var bytes: Int {
            switch self {
            case .int16: 2
            case .int24: 3
            case .int32, .fixed824, .float32: 4
            case .float64: 8
            }
        }
    }

    /// Returns true if values of `type` are samples of this format, or its bytes.
    func isHeld(by type: Any.Type) -> Bool {
        if type == UInt8.self { return true }
        return switch sample {
        case .int16: type == Int16.self
        case .int24: false
        case .int32, .fixed824: type == Int32.self
        case .float32: type == Float.self
        case .float64: type == Double.self
        }
    }

    /// Frames per second.
    public var sampleRate: Int
    /// Channels, at least one.
    public var channels: Int
    /// The kind of a sample.
    public var sample: Sample
    /// True if the samples of a frame lie side by side, in one buffer; else each channel has a buffer.
    public var isInterleaved: Bool

    /// Creates a format; planar single precision is what units speak.
    public init(sampleRate: Int, channels: Int, sample: Sample = .float32, isInterleaved: Bool = false) {
        (self.sampleRate, self.channels, self.sample, self.isInterleaved) = (sampleRate, channels, sample, isInterleaved)
    }

    /// The number of buffers that hold the sound: one, or one for each channel.
    public var planes: Int { isInterleaved ? 1 : channels }
    /// Bytes of a frame in each of them.
    public var bytesPerFrame: Int { sample.bytes * (isInterleaved ? channels : 1) }

    public var description: String {
        "\(channels) channels of \(sample) at \(sampleRate) Hz, \(isInterleaved ? "interleaved" : "planar")"
    }
}
