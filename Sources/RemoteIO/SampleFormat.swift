/// The form in which a device stores one sample. Little-endian.
package enum SampleFormat: Int32, BitwiseCopyable, Sendable, CaseIterable, CustomStringConvertible {
    /// 32-bit floating point, full scale 1.
    case float32
    /// 32-bit integers.
    case int32
    /// 24-bit integers in the low three bytes of four.
    case int24
    /// 24-bit integers in three bytes.
    case int24Packed
    /// 16-bit integers.
    case int16

    /// Bytes of one sample.
    package var bytes: Int {
        @_noLocks get {
            switch self {
            case .float32, .int32, .int24: 4
            case .int24Packed: 3
            case .int16: 2
            }
        }
    }

    /// ALSA's name.
    package var description: String {
        switch self {
        case .float32: "FLOAT"
        case .int32: "S32"
        case .int24: "S24"
        case .int24Packed: "S24_3"
        case .int16: "S16"
        }
    }
}
