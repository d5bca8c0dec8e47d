import Carillon

/// A unit whose author made a mistake: its parameter starts outside its own range.
struct MisdeclaredUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "misd", manufacturer: "Test"), name: "misdeclared",
        summary: "Cannot be made.", inputs: [.init("main")], outputs: [.init("main")])

    enum Parameter: Int, UnitParameter {
        case depth

        var spec: ParameterSpec { ParameterSpec("depth", 0...1, default: 2, unit: .ratio, help: "Too deep.") }
    }

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks mutating func reset() {}
}
