/// The way in which a track of a song file was read.
package enum TrackReading: Hashable, Sendable, CustomStringConvertible {
    /// The track reads by the letter up to its End of Track: no event is moved, cut or left out but one that means nothing
    /// (a tempo of 0).
    case asItStands
    /// The bytes do not read strictly by the standard; the first repair is at `byteOffset`.
    case recovered(byteOffset: Int)

    /// "as it stands", "recovered from byte 117 on".
    package var description: String {
        switch self {
        case .asItStands: "as it stands"
        case .recovered(let byteOffset): "recovered from byte \(byteOffset) on"
        }
    }
}
