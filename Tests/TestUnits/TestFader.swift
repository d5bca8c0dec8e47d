import UnitAPI

/// A unit of the tests' own, as an outside package has one: it makes sound softer.
package struct TestFader: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "fade", manufacturer: "Word"), name: "test-fader",
        summary: "Makes sound softer.", inputs: [.init("main")], outputs: [.init("main")])

    package enum Parameter: Int, UnitParameter {
        case amount, channel

        package var spec: ParameterSpec {
            switch self {
            case .amount:
                ParameterSpec(
                    "amount", 0...1, default: 1, unit: .ratio, smoothing: 0.005, help: "What is left of the sound.")
            case .channel:
                ParameterSpec("channel", 0...1, default: 0, applies: .atStart, help: "Which channel comes out of both.")
            }
        }
    }

    private let channel: Int

    package init(_ setup: UnitSetup) { channel = Int(setup.value(of: Parameter.channel)) }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        let amount = io[Parameter.amount]
        for i in 0..<io.frames {
            let sample = io.input(0, channel)[i] * amount[i]
            io.output(0, 0)[i] = sample
            io.output(0, 1)[i] = sample
        }
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
