import UnitAPI

/// An effect that never says that it has come to rest.
package struct Restless: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "rest", manufacturer: "Test"), name: "test-restless",
        summary: "Passes on.", inputs: [.init("main")], outputs: [.init("main")])

    package typealias Parameter = NoParameter

    package init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 { for i in 0..<io.frames { io.output(0, channel)[i] = io.input(0, channel)[i] } }
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
