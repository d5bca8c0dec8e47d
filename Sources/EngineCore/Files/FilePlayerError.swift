import AudioFiles
import Graphs
import SampleRate
import UnitAPI

/// The reason why a file cannot be played.
public enum FilePlayerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be opened, or its rest cannot be read.
    case file(AudioFileError)
    /// The rate cannot be converted to the engine's.
    case rate(path: String, SampleRateError)
    /// The file has more channels than a player.
    case channels(path: String, count: Int)
    /// The file has more channels than the player, and it is not known which loudspeakers they are for.
    case speakers(path: String, count: Int, width: Int)
    /// The file cannot be read from any frame on, as a pipe cannot.
    case notSeekable(path: String)
    /// The frames asked for do not lie in the file.
    case outside(path: String, start: Int64, frames: Int64)

    /// A segment is to be played less than once.
    case passes(path: String, count: Int)

    /// The error as that of the unit that would have played it.
    var ofUnit: GraphError { .unit(.resource(unit: "file-player", reason: description, fault: fault)) }

    /// The fault of the file, as a unit's error says it.
    var fault: UnitError.ResourceFault {
        switch self {
        case .file(.cannotOpen), .file(.isDirectory): .missing
        case .file, .rate, .channels, .speakers, .notSeekable: .damaged
        case .outside, .passes: .property
        }
    }

    public var description: String {
        switch self {
        case .file(let error): error.description
        case .rate(let path, let error): "\(path): \(error)"
        case .channels(let path, let count): "\(path): has \(count) channels; convert it to a file of at most 8"
        case .speakers(let path, let count, let width):
            "\(path): has \(count) channels for loudspeakers that no layout has, and cannot be folded down to \(width); play "
                + "it on \(count) channels, or convert it to a mono or stereo file"
        case .notSeekable(let path): "\(path): cannot be read out of order; copy it to a file on a disk"
        case .outside(let path, let start, let frames):
            "\(path): frame \(start) is not in it; choose one of 0 to \(max(frames - 1, 0))"
        case .passes(let path, let count): "\(path): cannot be played \(count) times; choose 1 or more"
        }
    }
}
