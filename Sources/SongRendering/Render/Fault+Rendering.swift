import EngineCore
import Graphs
import UnitAPI

/// Kinds of faults that keep a song from being rendered.
extension Fault.Kind {
    /// A setting of the engine is impossible.
    public static let setting = Self("setting", .usage)
    /// A setting that is not a number has an invalid value.
    public static let option = Self("option", .usage)
    /// The song is longer than the limit without an explicit maximum.
    public static let tooLong = Self("tooLong", .data)
    /// The song lasts no time, and no tail was asked for: there would be a file without a sample.
    public static let empty = Self("empty", .data)
    /// There are notes, and the sound is silence.
    package static let unheard = Self("unheard", .data)
    /// There are remarks that the caller does not accept.
    package static let refused = Self("refused", .data)
    /// More became of the notes than the logs of the instruments had room for, so that no labels can be made.
    package static let lostLabels = Self("lostLabels", .software)
}

extension Fault {
    package static func setting(_ error: ParameterError) -> Fault { Fault(error, as: .setting) }
    package static func option(name: String, value: String, remedy: String) -> Fault {
        Fault("\(value): \(remedy)", .option, of: name)
    }
    /// No graph can be made of the patch that was given.
    package static func patch(_ fault: Fault) -> Fault {
        Fault("\(fault)", .configuration, of: "the patch")
    }
    /// The sentence names the file, which is more useful than the unit.
    package static func unit(_ error: UnitError) -> Fault {
        guard case .resource(_, let reason, _) = error else { return Fault(error) }
        return Fault(reason, Kind("UnitError", error.exit), origin: error)
    }
    /// The fault of a graph that would have played songs.
    package static func rendering(_ fault: Fault) -> Fault {
        if let error = fault.origin as? UnitError { .unit(error) } else { fault }
    }
    package static func tooLong(seconds: Double, limit: Double) -> Fault {
        Fault(
            "the song lasts \(hours(seconds)) hours, more than the \(hours(limit)) that are rendered unasked", .tooLong,
            remedy: "choose a maximum duration")
    }
    package static let empty = Fault("the song lasts no time", .empty, remedy: "choose a tail to have silence")
    package static func unheard(notes: Int) -> Fault {
        Fault(notes == 1 ? "its only note cannot be heard" : "none of its \(notes) notes can be heard", .unheard)
    }
    package static func refused(_ sentence: String) -> Fault { Fault(sentence, .refused) }
    package static func lostLabels(_ count: Int) -> Fault {
        Fault(
            "\(count) records of what was played found no room, so there are no labels", .lostLabels,
            remedy: "choose smaller blocks and one thread")
    }
    package static let rendered = Fault("this renderer has rendered its song already", .software, remedy: "make another")
    package static let interrupted = Fault("interrupted; nothing was written", .interrupted)
    package static func keptPartial(path: String, seconds: Double) -> Fault {
        Fault("interrupted; its first \(tenths((seconds * 10).rounded(.down))) s are kept", .interrupted, of: path)
    }

    private static func hours(_ seconds: Double) -> String { tenths((seconds / 360).rounded(.up)) }
    private static func tenths(_ tenths: Double) -> String { "\(Int64(tenths) / 10).\(Int64(tenths) % 10)" }
}
