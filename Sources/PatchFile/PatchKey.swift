import Patch
import UnitAPI

/// The words of the file.
enum PatchKey {
    static let version = "version", soundFonts = "soundfonts", units = "units", patches = "patches"
    static let connections = "connections", inputs = "inputs", outputs = "outputs", zones = "zones"
    static let controllers = "controllers", scenes = "scenes", clock = "clock"
    static let unit = "unit", role = "role", parts = "parts", bypass = "bypass", preset = "preset"
    static let values = "values", properties = "properties"

    /// The keys that a patch may have.
    static let ofPatch = [soundFonts, units, patches, connections, inputs, outputs]
    /// The keys that are not a setting of the unit itself: a preset's file does not say them, but for the inputs that its lists
    /// are of.
    static let ofPlace = [role, parts, inputs, bypass, preset]
    /// The keys that a unit may have beside its parameters. A parameter of such a name stands below `values`.
    static let ofUnit = [unit, role, parts, inputs, bypass, preset, values, properties]

    /// Returns the keys that one type of unit may have beside its parameters. Where a parameter is called preset, as the
    /// matrix's is, the word is the parameter's.
    static func of(_ unit: UnitEntry) -> [String] { ofUnit.filter { $0 != preset || unit.takesPresets } }
}
