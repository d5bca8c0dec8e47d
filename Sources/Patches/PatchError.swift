import Reports

/// The reason why a patch cannot be used. Nothing has changed.
public enum PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A name that is empty or holds a bracket, an equals sign, a comma, a star or a space; or a dot in a patch's name.
    case badName(String)
    /// Two units or patches of one patch share a name.
    case duplicateName(String)
    /// A port of `within` (empty: the outermost patch) names no unit.
    case unknownUnit(String, within: String, known: [String])
    /// A nested patch has no such bus.
    case noSuchPort(patch: String, direction: String, bus: Int, count: Int)
    /// A nested patch offers one bus twice.
    case duplicatePort(String, patch: String)
    /// An edge from a nested patch to itself.
    case belongsInside(String, patch: String)
    /// More patches inside each other than `Patch.deepest`.
    case tooDeep(limit: Int)
    /// More units than `Patch.mostUnits`.
    case tooManyUnits(Int, limit: Int)
    /// A value that is not a number.
    case notFinite(unit: String, parameter: String)
    /// A patch that is to sound leads nothing, or more than one bus, out.
    case outputCount(Int)
    /// Sound would run in a loop through these units.
    case cycle([String])
    /// Two zones share a name.
    case duplicateZone(String)
    /// A zone has a setting that is not possible.
    case zone(String, reason: String)
    /// A patch inside another has zones.
    case nestedZone(String, patch: String)
    /// A controller, or a scene, has a setting that is not possible.
    case controller(String, reason: String)
    case scene(String, reason: String)
    /// A port that should get MIDI clock has an invalid name, or is named twice.
    case clock(String)
    /// A patch inside another sends a clock.
    case nestedClock(patch: String)
    /// No unit of the catalogue is called so.
    case unknownComponent(String, unit: String, near: String?)
    /// The difference was made from another patch.
    case differenceDoesNotFit

    public var description: String {
        switch self {
        case .badName(let name):
            "\"\(name)\" cannot name a unit: leave empty words, brackets, equals signs, commas, stars and spaces out"
        case .duplicateName(let name): "two units are named \(name); give one of them another name"
        case .unknownUnit(let name, let within, let known):
            "\(within.isEmpty ? "the patch" : within) has no unit \(name)"
                + (known.isEmpty ? "; add it first" : "; it has \(known.joined(separator: ", "))")
        case .noSuchPort(let patch, let direction, let bus, let count):
            "\(patch) has no \(direction) \(bus); it has \(count), counted from 0"
        case .duplicatePort(let port, let patch): "\(patch.isEmpty ? "the patch" : patch) offers \(port) twice; once is enough"
        case .belongsInside(let edge, let patch): "\(edge) joins \(patch) to itself; make this edge inside \(patch)"
        case .tooDeep(let limit): "patches lie inside each other more than \(limit) deep; take one level out"
        case .tooManyUnits(let count, let limit): "\(count) units are more than \(limit); divide the patch"
        case .notFinite(let unit, let parameter): "\(unit).\(parameter): the value is not a number"
        case .outputCount(let count):
            count == 0
                ? "the patch has no output; name the bus whose sound leaves"
                : "the patch has \(count) outputs; to sound it needs one, a mixer's for example"
        case .cycle(let names):
            "sound would run in a loop: \(names.joined(separator: " -> ")); remove one connection, or lead the sound back "
                + "through a unit feedback"
        case .duplicateZone(let name): "two zones are named \(name); give one of them another name"
        case .zone(let name, let reason): "the zone \(name): \(reason)"
        case .nestedZone(let name, let patch): "\(patch) has the zone \(name); zones belong to the outermost patch"
        case .controller(let name, let reason): "the controller \(name): \(reason)"
        case .scene(let name, let reason): "the scene \(name): \(reason)"
        case .clock(let name):
            name.isEmpty || name.lowercased() == "any"
                ? "the clock: name the MIDI ports that get it"
                : "the clock: \(name) is given twice; leave one of them out"
        case .nestedClock(let patch): "\(patch) names ports for the clock; they belong to the outermost patch"
        case .unknownComponent(let name, let unit, let near):
            "\(unit): there is no unit called \(name)"
                + (near.map { "; did you mean \($0)?" } ?? "; `carillon units` lists them")
        case .differenceDoesNotFit: "this change was made from another patch; make it again from this one"
        }
    }
}

extension PatchError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit { .configuration }
}
