/// The number of frames a file will have, as far as it is known before the first frame is written.
///
/// It decides between WAV and RF64, and which lengths are in the header of a stream that cannot be corrected later.
public enum AudioFileLength: Hashable, Sendable {
    /// Nothing is known: a `.wav` file reserves room for the 64-bit header, a stream says "until the end".
    case unknown
    /// There will be no more frames than this; a file that would exceed 4 GiB in a 32-bit container is refused then.
    case atMost(Int64)
    /// There will be this many frames; a stream's header states it, and `finish()` checks it for streams.
    case exactly(Int64)

    /// The greatest number of frames, or nil if unknown.
    public var bound: Int64? {
        switch self {
        case .unknown: nil
        case .atMost(let frames), .exactly(let frames): frames
        }
    }
}
