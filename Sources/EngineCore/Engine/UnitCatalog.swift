import Convolution
import FluidSynthUnit
import Graphs
import PlugIns
import Samplers
import Synchronization
import TimePitch
import UnitAPI
import Units
import VoiceProcessing

/// The available units: find one by name or by component description, read its descriptor, make one.
///
/// Carillon's own units are registered first, through the same call that an outside package uses. Any thread of the
/// control side.
public enum UnitCatalog {
    private static let registered: Mutex<[UnitEntry]> = {
        var entries: [UnitEntry] = []
        let samplers = [
            UnitEntry(Sampler.self, as: Sampler.defaultDescriptor), UnitEntry(Sampler.self), UnitEntry(FluidSynth.self),
        ]
        let others = [UnitEntry(Convolver.self), UnitEntry(PitchShift.self), UnitEntry(VoiceProcessor.self)]
        for entry in samplers + StandardUnits.entries + others {
            precondition(add(entry, to: &entries), "two of Carillon's units are \(entry.name)")
        }
        return Mutex(entries)
    }()

    /// Every unit, in order of registration.
    public static var entries: [UnitEntry] { registered.withLock { $0 } }

    /// Adds a unit for the life of the process. False, and nothing changes, when one has that name or description.
    @discardableResult
    public static func register(_ entry: UnitEntry) -> Bool { registered.withLock { add(entry, to: &$0) } }

    /// Adds a unit that needs nothing but a `UnitSetup`: `UnitCatalog.register(Swell.self)`.
    @discardableResult
    public static func register<U: AudioUnit & ~Copyable>(_: U.Type) -> Bool { register(UnitEntry(U.self)) }

    /// Returns the first unit that matches `description`; zeros in it match any.
    public static func first(matching description: ComponentDescription) -> UnitEntry? {
        entries.first { description.matches($0.descriptor.component) }
    }

    /// Returns every unit that matches `description`.
    public static func all(matching description: ComponentDescription) -> [UnitEntry] {
        entries.filter { description.matches($0.descriptor.component) }
    }

    /// Returns the unit called `name`.
    public static func named(_ name: String) -> UnitEntry? { entries.first { $0.name == name } }

    /// Adds the plug-in called `name`, if it is not there yet: by its short name, `lv2:mda-delay`, or `lv2:` and its URI. The
    /// first one loads lilv. Throws the reason why it is not available.
    public static func addPlugIn(_ name: String) throws(PlugInError) {
        if named(name) == nil { register(try PlugInCatalog.entry(named: name)) }
    }

    /// Adds the plug-ins that a text mentions, such as a patch's; a text without any loads nothing. Returns the reasons why
    /// some are not available, by name.
    public static func addPlugIns(in text: String) -> [String: PlugInError] {
        var refusals: [String: PlugInError] = [:]
        for name in PlugInCatalog.names(in: text).sorted() {
            do { try addPlugIn(name) } catch { refusals[name] = error }
        }
        return refusals
    }

    /// The unit that is called `component`, a plug-in too. Throws `unknownComponent`, and the reason why a plug-in is not
    /// available.
    package static func required(_ component: String, for unit: String) throws(Fault) -> UnitEntry {
        if PlugInCatalog.isName(component) {
            do { try addPlugIn(component) } catch {
                throw Fault(UnitError.resource(unit: unit, reason: error.description, fault: .missing))
            }
        }
        guard let entry = named(component) else {
            throw .unknownComponent(component, unit: unit, known: entries.map(\.name))
        }
        return entry
    }

    private static func add(_ entry: UnitEntry, to entries: inout [UnitEntry]) -> Bool {
        let isTaken = entries.contains { $0.collides(with: entry) }
        if !isTaken { entries.append(entry) }
        return !isTaken
    }
}
