import ArgumentParser
import Carillon

// The engine's settings as options: help, name of the value and range come from the declaration.

extension EngineSetting {
    func help(_ more: String = "") -> ArgumentHelp { spec.argumentHelp(more) }
}

extension ParameterSpec {
    /// `Sample rate: 8 to 384 kHz. (default: 48 kHz)`, with `more` after the range.
    /// - Parameter isDefault: false if `more` names the default.
    func argumentHelp(_ more: String = "", isDefault: Bool = true) -> ArgumentHelp {
        let sentence = help.last == "." ? String(help.dropLast()) : help
        return ArgumentHelp(
            "\(sentence): \(valid)\(more.isEmpty ? "" : "; " + more)." + (isDefault ? " (default: \(text(initial)))" : ""),
            valueName: valueName)
    }

    private var valueName: String {
        switch unit {
        case .hertz: "hz"
        case .decibels: "db"
        case .seconds: "time"
        case .ratio: "factor"
        case .semitones, .frames, .cents, .voices: unit.symbol
        case .none, .percent, .pan, .toggle, .choice: "number"
        }
    }
}
