/// The words of the file.
enum PatchKey {
    static let version = "version", soundFonts = "soundfonts", units = "units", patches = "patches"
    static let connections = "connections", inputs = "inputs", outputs = "outputs", zones = "zones"
    static let controllers = "controllers", scenes = "scenes", clock = "clock"
    static let unit = "unit", role = "role", parts = "parts", bypass = "bypass", values = "values", properties = "properties"

    /// What a patch may say.
    static let ofPatch = [soundFonts, units, patches, connections, inputs, outputs]
    /// Mappings whose order means something.
    static let ordered = [units, patches, zones, controllers, scenes]
    /// What a unit may say beside its parameters. A parameter of such a name stands below `values`.
    static let ofUnit = [unit, role, parts, inputs, bypass, values, properties]
}
