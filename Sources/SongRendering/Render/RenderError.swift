import AudioFiles
import EngineCore
import Graphs
import Sequencer
import SongFiles
import UnitAPI

/// The error that kept a song from being rendered.
public enum RenderError: Error, Sendable, CustomStringConvertible {
    case song(SongError)
    case timeline(TimelineError)
    /// The song does not have the passage that is to be played.
    case passage(SongPassageError)
    /// A layer, by its name, cannot lie over the song.
    case layer(String, SongLayerError)
    case unit(UnitError)
    case graph(GraphError)
    case parameter(ParameterError)
    case engine(EngineError)
    /// No graph can be made of the patch that was given.
    case patch(EngineError)
    case audioFile(AudioFileError)
    /// The song is longer than the limit without an explicit maximum; both in seconds.
    case tooLong(seconds: Double, limit: Double)
    /// A setting of the engine is impossible.
    case setting(ParameterError)
    /// A setting that is not a number has an invalid value.
    case option(name: String, value: String, remedy: String)
    /// The song lasts no time, and no tail was requested: there would be a file without a sample.
    case empty
    /// There are notes, and the sound is silence.
    case unheard(notes: Int)
    /// There are remarks that the caller does not accept: a sentence about the first, and how many more.
    case refused(String)
    /// The logs of the instruments had no room for a number of records of the notes, so no labels can be made.
    case lostLabels(Int)
    /// This renderer has rendered its song already.
    case rendered
    /// The caller asked to stop.
    case interrupted
    /// The caller asked to stop, and the sound until then, `seconds` long, was kept.
    case keptPartial(path: String, seconds: Double)

    /// Finds the cause of a graph's refusal, if that is not the graph itself.
    package init(_ error: GraphError) {
        switch error {
        case .unit(let error): self = .unit(error)
        case .parameter(let error): self = .parameter(error)
        default: self = .graph(error)
        }
    }

    public var description: String {
        switch self {
        case .song(let error): error.description
        case .timeline(let error): error.description
        case .passage(let error): error.description
        case .layer(let name, let error): "\(name): \(error)"
        // The sentence names the file, which is more useful than the unit.
        case .unit(.resource(_, let reason, _)): reason
        case .unit(let error): error.description
        case .graph(let error): error.description
        case .parameter(let error), .setting(let error): error.description
        case .engine(let error): error.description
        case .patch(let error): "the patch: \(error)"
        case .audioFile(let error): error.description
        case .tooLong(let seconds, let limit):
            "the song lasts \(Self.hours(seconds)) hours, more than the \(Self.hours(limit)) that are rendered unasked; "
                + "choose a maximum duration"
        case .option(let name, let value, let remedy): "\(name): \(value): \(remedy)"
        case .empty: "the song lasts no time; choose a tail to have silence"
        case .unheard(let notes): notes == 1 ? "its only note cannot be heard" : "none of its \(notes) notes can be heard"
        case .refused(let sentence): sentence
        case .lostLabels(let count):
            "\(count) records of what was played found no room, so there are no labels; choose smaller blocks and one thread"
        case .rendered: "this renderer has rendered its song already; make another"
        case .interrupted: "interrupted; nothing was written"
        case .keptPartial(let path, let seconds): "\(path): interrupted; its first \(Self.tenths(seconds)) s are kept"
        }
    }

    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int64((seconds * 10).rounded(.down))
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func hours(_ seconds: Double) -> String {
        let tenths = Int64((seconds / 360).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
