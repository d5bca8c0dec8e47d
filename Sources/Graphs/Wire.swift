import UnitAPI

/// A place that adds up what is led there and changes nothing: the renderer never calls it.
struct Wire: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "wire", manufacturer: .carillon), name: "wire",
        summary: "Leads sound on.", outputs: [])

    init() {}
    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
    @_noLocks mutating func reset() {}
}
