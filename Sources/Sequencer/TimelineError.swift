/// Why a song could not be laid out in time.
public enum TimelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The track asked for, counted from 1, is not in the song.
    case noSuchTrack(number: Int, count: Int)
    /// Sample rates are 1...16 777 216 Hz here.
    case sampleRateOutOfRange(Int)

    public var description: String {
        switch self {
        case .noSuchTrack(let number, let count):
            "track \(number): the song has \(count) track\(count == 1 ? "" : "s"); give a number from 1 to \(count)"
        case .sampleRateOutOfRange(let rate):
            "sample rate \(rate) Hz: give a rate between 1 and 16777216 Hz"
        }
    }
}
