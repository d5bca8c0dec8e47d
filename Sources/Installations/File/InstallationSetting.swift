import UnitAPI

/// The settings of an installation's file, declared once as a unit's parameters are.
enum InstallationSetting: String, CaseIterable {
    case level, pause, weight, fade, saving, duck
    case coolDown = "cool-down"
    case layerLevel = "layer-level"

    var spec: ParameterSpec {
        switch self {
        case .level:
            ParameterSpec(rawValue, -120...12, default: 0, unit: .decibels, help: "How loud; -120 dB is silence.")
        case .layerLevel:
            ParameterSpec("level", -120...0, default: 0, unit: .decibels, help: "How loud a layer is.")
        case .pause:
            ParameterSpec(rawValue, 0...86_400, default: 0, unit: .seconds, help: "Silence before a song.")
        case .weight:
            ParameterSpec(rawValue, 1...100, default: 1, help: "How often a song plays in a shuffled round.")
        case .fade:
            ParameterSpec(
                rawValue, 0...600, default: 3, unit: .seconds,
                help: "How long the music takes to fade in and out with the calendar.")
        case .duck:
            ParameterSpec(rawValue, -120...0, default: 0, unit: .decibels, help: "What the music loses while a cue plays.")
        case .coolDown:
            ParameterSpec(
                rawValue, 0...86_400, default: 0, unit: .seconds,
                help: "How long a cue cannot be requested again after its end.")
        case .saving:
            ParameterSpec(
                rawValue, 1...3600, default: 5, unit: .seconds, help: "How often the position is saved.")
        }
    }
}
