import UnitAPI

extension ParameterSpec {
    /// A switch that fades for 5 ms, so that it does not click: between its ends the value passes through fractions.
    static func fadingToggle(
        _ name: String, default isOn: Bool, scope: Scope = .global, help: String
    ) -> ParameterSpec {
        var spec = ParameterSpec.toggle(name, default: isOn, scope: scope, help: help)
        spec.smoothing = 0.005
        return spec
    }
}
