import UnitAPI

/// A unit whose author made a mistake: its parameter starts outside its own range.
package struct MisdeclaredUnit: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "misd", manufacturer: "Test"), name: "misdeclared",
        summary: "Cannot be made.", inputs: [.init("main")], outputs: [.init("main")])

    package enum Parameter: Int, UnitParameter {
        case depth

        package var spec: ParameterSpec { ParameterSpec("depth", 0...1, default: 2, unit: .ratio, help: "Too deep.") }
    }

    package init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks package mutating func reset() {}
}
