import Reports
import UnitAPI

/// The reason why a graph was refused. The sounding graph stays as it was.
public enum GraphError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No unit of this graph has this name: it was removed, or belongs to another engine.
    case unknownNode(NodeID)
    /// Two units cannot share a name.
    case duplicateName(String)
    /// The unit plays in another graph, or is in this one already.
    case unitInUse(String)
    /// The unit has fewer buses than that.
    case noSuchBus(unit: String, direction: String, bus: Int, count: Int)
    /// The buses do not carry the same number of channels, and the source not just one; or their rates differ.
    case formatMismatch(source: String, sourceFormat: StreamFormat, destination: String, destinationFormat: StreamFormat)
    /// The source sends music and the destination receives none.
    case hearsNoMusic(source: String, destination: String)
    /// The source gives sound and the destination receives only music.
    case hearsNoSound(source: String, destination: String)
    /// A bus of music cannot be the graph's output.
    case soundless(unit: String)
    /// The connection exists already.
    case duplicateConnection(source: String, destination: String)
    /// There is no such connection.
    case noSuchConnection(source: String, destination: String)
    /// Sound would run in a loop through these units.
    case cycle([String])
    /// Nothing is connected to the output.
    case noOutput
    /// No unit of the catalogue has this name.
    case unknownComponent(String, unit: String, known: [String])
    /// The unit could not be made.
    case unit(UnitError)
    /// A value that a unit was to start with is wrong.
    case parameter(ParameterError)
    /// Sound cannot be led around a mixer or a unit without outputs.
    case notBypassable(unit: String)
    /// More than one connection leads from the one to the other.
    case severalConnections(source: String, destination: String, count: Int)
    /// The unit is the output, and not exactly one unit would come to its place.
    case noSuccessor(unit: String, sources: Int)
    /// No graph can run at this rate; those that it can, in hertz.
    case sampleRate(Double, supported: ClosedRange<Double>)
    /// The limit of edits that wait for the renderer, or are still fading, is reached.
    case tooManyEdits(limit: Int)
    /// The engine was edited within the closure of an edit, which would have undone that change.
    case editInEdit
    /// The edit of that number cannot be cancelled, since one that was made after it uses its units.
    case editInUse(Int)
    /// A part is 0...255.
    case noSuchPart(Int)
    /// A bus of the unit cannot have this number of channels.
    case channels(unit: String, asked: Int)

    public var description: String {
        switch self {
        case .unknownNode(let id):
            "the graph has no \(id); use an identifier that its own add(_:) returned and remove(_:) has not taken"
        case .duplicateName(let name): "the graph has a unit named \(name) already; give this one another name"
        case .unitInUse(let name):
            "\(name): the unit belongs to another graph, or stands in this one already; make another one of its kind"
        case .noSuchBus(let unit, let direction, let bus, let count):
            count == 0
                ? "\(unit) has no \(direction)s"
                : "\(unit) has no \(direction) bus \(bus); it has \(count), counted from 0"
        case .formatMismatch(let source, let sourceFormat, let destination, let destinationFormat):
            sourceFormat.sampleRate == destinationFormat.sampleRate
                ? "\(source) -> \(destination): \(sourceFormat.channels) channels do not fit a bus of "
                    + "\(destinationFormat.channels); " + Self.remedy(sourceFormat.channels, destinationFormat.channels)
                : "\(source) -> \(destination): \(sourceFormat) does not fit \(destinationFormat); make both units for the "
                    + "graph's rate, as add(_:) with a type does"
        case .hearsNoMusic(let source, let destination):
            "\(source) -> \(destination): \(source) plays notes, and \(destination) hears none; lead it to an instrument or to "
                + "another MIDI unit"
        case .hearsNoSound(let source, let destination):
            "\(source) -> \(destination): \(source) sounds, and \(destination) hears notes, not sound; lead it to an effect "
                + "or a mixer"
        case .soundless(let unit): "\(unit) plays notes and no sound; make an instrument that hears it the output"
        case .duplicateConnection(let source, let destination):
            "\(source) -> \(destination) is connected already; use a mixer to add gain"
        case .noSuchConnection(let source, let destination): "\(source) -> \(destination) is not connected"
        case .cycle(let names):
            "sound would run in a loop: \(names.joined(separator: " -> ")); remove one connection, or lead the sound back "
                + "through a unit feedback"
        case .noOutput: "the graph has no output; set one with setOutput(_:bus:)"
        case .unknownComponent(let name, let unit, let known):
            "\(unit): the catalogue has no unit \(name); register it; \(NearName.choice(name, among: known))"
        case .unit(let error): error.description
        case .sampleRate(let rate, let supported):
            "a graph cannot run at \(rate) Hz; choose a rate from \(Int(supported.lowerBound)) to \(Int(supported.upperBound)) Hz"
        case .parameter(let error): error.description
        case .notBypassable(let unit):
            "\(unit) cannot be bypassed: it has no main input that could pass for its output; disconnect or mute it instead"
        case .severalConnections(let source, let destination, let count):
            "\(source) -> \(destination) are \(count) connections; say which one by its buses"
        case .noSuccessor(let unit, let sources):
            "\(unit) is the graph's output and \(sources) connections lead to it; set another output before removing it"
        case .tooManyEdits(let limit):
            "\(limit) edits wait to be rendered or are still fading; render some frames before editing again"
        case .editInEdit: "the engine is being edited; change the graph that the closure was given, or edit after it"
        case .editInUse(let number):
            "edit \(number) cannot be cancelled: an edit that was made after it uses its units; cancel or undo that first"
        case .noSuchPart(let part): "there is no part \(part); choose 0 to 255, which is port * 16 + channel"
        case .channels(let unit, let asked): "\(unit): a bus cannot have \(asked) channels; choose 1 to 64"
        }
    }

    private static func remedy(_ from: Int, _ to: Int) -> String {
        from == 2 && to == 1
            ? "put a fold-down between them, which makes one channel of two"
            : "only one channel fits every bus; choose buses that are as wide as each other, by the property channels where a "
                + "unit has it"
    }
}
