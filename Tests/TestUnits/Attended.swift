import UnitAPI

/// A silent unit with the companion that it is given.
package struct Attended: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "attd", manufacturer: "Test"), name: "attended",
        summary: "Is silent.", outputs: [.init("main")])
    package let companion: UnitCompanion?

    package init(_ setup: UnitSetup) { companion = nil }
    package init(_ companion: UnitCompanion) { self.companion = companion }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks package mutating func reset() {}
}
