import Reports
import UnitAPI

/// Kinds of a graph's faults. The sounding graph stays as it was.
extension Fault.Kind {
    /// The graph was refused.
    public static let graph = Self("graph", .software)
    /// Units that do not fit together, or sound that would run in a circle.
    public static let misfit = Self("misfit", .configuration)
    /// No graph can run at this rate.
    public static let sampleRate = Self("sampleRate", .software)
    /// So many edits wait for the renderer, or are still fading.
    public static let tooManyEdits = Self("tooManyEdits", .software)
}

extension Fault {
    package static func unknownNode(_ id: NodeID) -> Fault {
        Fault(
            "the graph has no \(id)", .graph,
            remedy: "use an identifier that its own add(_:) returned and remove(_:) has not taken")
    }
    package static func duplicateName(_ name: String) -> Fault {
        Fault("the graph has a unit named \(name) already", .graph, remedy: "give this one another name")
    }
    package static func unitInUse(_ name: String) -> Fault {
        Fault(
            "the unit belongs to another graph, or stands in this one already", .graph, of: name,
            remedy: "make another one of its kind")
    }
    package static func noSuchBus(unit: String, direction: String, bus: Int, count: Int) -> Fault {
        count == 0
            ? Fault("\(unit) has no \(direction)s", .graph)
            : Fault("\(unit) has no \(direction) bus \(bus)", .graph, remedy: "it has \(count), counted from 0")
    }
    package static func formatMismatch(
        source: String, sourceFormat: StreamFormat, destination: String, destinationFormat: StreamFormat
    ) -> Fault {
        let from = sourceFormat.channels, to = destinationFormat.channels, edge = "\(source) -> \(destination)"
        if sourceFormat.sampleRate != destinationFormat.sampleRate {
            return Fault(
                "\(sourceFormat) does not fit \(destinationFormat)", .misfit, of: edge,
                remedy: "make both units for the graph's rate, as add(_:) with a type does")
        }
        return Fault(
            "\(from) channels do not fit a bus of \(to)", .misfit, of: edge,
            remedy: from == 2 && to == 1
                ? "put a fold-down between them, which makes one channel of two"
                : "only one channel fits every bus; choose buses that are as wide as each other, by the property channels where "
                    + "a unit has it")
    }
    package static func hearsNoMusic(source: String, destination: String) -> Fault {
        Fault(
            "\(source) plays notes, and \(destination) hears none", .misfit, of: "\(source) -> \(destination)",
            remedy: "lead it to an instrument or to another MIDI unit")
    }
    package static func hearsNoSound(source: String, destination: String) -> Fault {
        Fault(
            "\(source) sounds, and \(destination) hears notes, not sound", .misfit, of: "\(source) -> \(destination)",
            remedy: "lead it to an effect or to a mixer")
    }
    package static func soundless(unit: String) -> Fault {
        Fault("\(unit) plays notes and no sound", .graph, remedy: "make an instrument that hears it the output")
    }
    package static func duplicateConnection(source: String, destination: String) -> Fault {
        Fault("\(source) -> \(destination) is connected already", .graph, remedy: "use a mixer to add gain")
    }
    package static func noSuchConnection(source: String, destination: String) -> Fault {
        Fault("\(source) -> \(destination) is not connected", .graph)
    }
    package static func cycle(_ names: [String]) -> Fault {
        Fault(
            "sound would run in a circle: \(names.joined(separator: " -> "))", .misfit,
            remedy: "remove one connection, or lead the sound back through a unit feedback")
    }
    package static let noOutput = Fault("the graph has no output", .graph, remedy: "set one with setOutput(_:bus:)")
    package static func unknownComponent(_ name: String, unit: String, known: [String]) -> Fault {
        Fault(
            "the catalogue has no unit \(name)", .graph, of: unit,
            remedy: "register it; \(NearName.choice(name, among: known))")
    }
    package static func sampleRate(_ rate: Double, supported: ClosedRange<Double>) -> Fault {
        Fault(
            "a graph cannot run at \(rate) Hz", .sampleRate,
            remedy: "choose a rate from \(Int(supported.lowerBound)) to \(Int(supported.upperBound)) Hz")
    }
    package static func notBypassable(unit: String) -> Fault {
        Fault(
            "\(unit) cannot be bypassed: it has no main input that could pass for its output", .graph,
            remedy: "disconnect or mute it instead")
    }
    package static func severalConnections(source: String, destination: String, count: Int) -> Fault {
        Fault("\(source) -> \(destination) are \(count) connections", .graph, remedy: "say which one by its buses")
    }
    package static func noSuccessor(unit: String, sources: Int) -> Fault {
        Fault(
            "\(unit) is the graph's output and \(sources) connections lead to it", .graph,
            remedy: "set another output before removing it")
    }
    package static func tooManyEdits(limit: Int) -> Fault {
        Fault(
            "\(limit) edits wait to be rendered or are still fading", .tooManyEdits,
            remedy: "render some frames before editing again")
    }
    package static let editInEdit = Fault(
        "the engine is being edited", .graph, remedy: "change the graph that the closure was given, or edit after it")
    package static func editInUse(_ number: Int) -> Fault {
        Fault(
            "edit \(number) cannot be cancelled: an edit that was made after it uses its units", .graph,
            remedy: "cancel or undo that first")
    }
    package static func noSuchPart(_ part: Int) -> Fault {
        Fault("there is no part \(part)", .graph, remedy: "choose 0 to 255, which is port * 16 + channel")
    }
    package static func channels(unit: String, asked: Int) -> Fault {
        Fault("a bus cannot have \(asked) channels", .graph, of: unit, remedy: "choose 1 to 64")
    }
}
