/// The words of the file.
enum PatchKey {
    static let version = "version", soundFonts = "soundfonts", units = "units", patches = "patches"
    static let connections = "connections", inputs = "inputs", outputs = "outputs", zones = "zones"
    static let controllers = "controllers", scenes = "scenes", clock = "clock"
    static let unit = "unit", role = "role", parts = "parts", bypass = "bypass", preset = "preset"
    static let values = "values", properties = "properties"
}
