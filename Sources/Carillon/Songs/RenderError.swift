import AudioFiles
import Graph
import Sequencer
import SongFiles
import UnitAPI

/// Why a song was not rendered.
public enum RenderError: Error, Sendable, CustomStringConvertible {
    case song(SongError)
    case timeline(TimelineError)
    case unit(UnitError)
    case graph(GraphError)
    case parameter(ParameterError)
    case engine(EngineError)
    case audioFile(AudioFileError)
    /// The song is longer than what is rendered unasked; both in seconds.
    case tooLong(seconds: Double, limit: Double)
    /// An option has a value that makes no sense.
    case option(name: String, value: String, remedy: String)
    /// The song lasts no time, and no tail was asked for: there would be a file without a sample.
    case empty
    /// This renderer has rendered its song already.
    case rendered
    /// The caller asked to stop.
    case interrupted

    /// What stands behind a graph's refusal, where that is not the graph itself.
    init(_ error: GraphError) {
        switch error {
        case .unit(let error): self = .unit(error)
        case .parameter(let error): self = .parameter(error)
        default: self = .graph(error)
        }
    }

    /// The exit code of `sysexits.h` that a command should end with; 130 for an interruption.
    public var exitCode: Int32 {
        switch self {
        case .song(.notFound), .song(.isDirectory), .song(.unreadable), .song(.noWriter): 66
        case .song(.cannotCreate): 73
        case .song(.library), .song(.cannotWrite): 70
        case .song: 65
        case .timeline: 64
        case .unit(let error): error.exitCode
        case .graph, .engine: 70
        case .parameter, .option: 64
        case .audioFile(let error): error.exitCode
        case .tooLong, .empty: 65
        case .rendered: 70
        case .interrupted: 130
        }
    }

    public var description: String {
        switch self {
        case .song(let error): error.description
        case .timeline(let error): error.description
        // The sentence names the file, which tells more than the unit.
        case .unit(.resource(_, let reason, _)): reason
        case .unit(let error): error.description
        case .graph(let error): error.description
        case .parameter(let error): "--set: \(error)"
        case .engine(let error): error.description
        case .audioFile(let error): error.description
        case .tooLong(let seconds, let limit):
            "the song lasts \(Self.hours(seconds)) hours, more than the \(Self.hours(limit)) that are rendered unasked; "
                + "give --max-duration with the seconds you want"
        case .option(let name, let value, let remedy): "\(name): \(value): \(remedy)"
        case .empty: "the song lasts no time; give --tail with the seconds of silence you want"
        case .rendered: "this renderer has rendered its song already; make another"
        case .interrupted: "interrupted; nothing was written"
        }
    }

    private static func hours(_ seconds: Double) -> String {
        let tenths = Int64((seconds / 360).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension UnitError {
    /// The exit code of `sysexits.h` that a command should end with.
    public var exitCode: Int32 {
        switch self {
        case .resource(_, _, let exitCode): exitCode
        case .unsupportedSampleRate, .invalidProperty, .unknownParameter, .elementCount, .startValue, .unknownProperty: 64
        }
    }
}
