import ArgumentParser
import Carillon

// The engine's settings as options: help, name of the value and range come from the declaration.

extension EngineSetting {
    func help(_ more: String = "") -> ArgumentHelp { spec.argumentHelp(more) }
}

extension ParameterSpec {
    /// - Parameter isDefault: false if `more` names the default.
    func argumentHelp(_ more: String = "", isDefault: Bool = true) -> ArgumentHelp {
        ArgumentHelp(sentence(more, isDefault: isDefault), valueName: valueName)
    }
}
