import Patch
import UnitAPI

/// The words of the file.
enum PatchKey {
    static let version = "version", soundFonts = "soundfonts", units = "units", patches = "patches"
    static let connections = "connections", inputs = "inputs", outputs = "outputs", zones = "zones"
    static let controllers = "controllers", scenes = "scenes", clock = "clock"
    static let unit = "unit", role = "role", parts = "parts", bypass = "bypass", preset = "preset"
    static let values = "values", properties = "properties"

    /// What a patch may say.
    static let ofPatch = [soundFonts, units, patches, connections, inputs, outputs]
    /// Mappings whose order means something.
    static let ordered = [units, patches, zones, controllers, scenes]
    /// What is not a setting of the unit itself: a preset's file does not say it, but for the inputs that its lists are of.
    static let ofPlace = [role, parts, inputs, bypass, preset]
    /// What a unit may say beside its parameters. A parameter of such a name stands below `values`.
    static let ofUnit = [unit, role, parts, inputs, bypass, preset, values, properties]

    /// The same of one type of unit. Where a parameter is called preset, as the matrix's is, the word is the parameter's.
    static func of(_ unit: UnitEntry) -> [String] { ofUnit.filter { $0 != preset || unit.takesPresets } }
}
