import DSP
import RealtimeCore
import UnitAPI

/// A generator that never ends: a sine of 200 Hz.
package struct Drone: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "dron", manufacturer: "Test"), name: "test-drone",
        summary: "Hums.", outputs: [.init("main")])
    package static let peak: Float = 0.2
    package static let slope: Float = 0.2 * 2 * .pi * 200 / 48_000

    package typealias Parameter = NoParameter

    package init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for i in 0..<io.frames {
            let frame = Double((io.sampleTime.rawValue + Int64(i)) % 240)
            let sample = Self.peak * Float(DeterministicMath.sine(turns: frame / 240))
            (io.output(0, 0)[i], io.output(0, 1)[i]) = (sample, sample)
        }
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
