import Carillon

/// A swell: the sound grows and fades, a few times a second. It is no vibrato: pitch stays.
struct Swell: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "swel", manufacturer: "Outs"),
        name: "swell", summary: "The sound grows and fades, a few times a second.",
        inputs: [.init("main")], outputs: [.init("main")])

    enum Parameter: Int, UnitParameter {
        case rate, depth

        var spec: ParameterSpec {
            switch self {
            case .rate:
                ParameterSpec("rate", 0.1...20, default: 5, unit: .hertz, applies: .atStart, help: "Swells per second.")
            case .depth:
                ParameterSpec("depth", 0...1, default: 0.5, unit: .ratio, help: "How far the sound fades between.")
            }
        }
    }

    private let period: Int64

    init(_ setup: UnitSetup) { period = Int64(setup.sampleRate / Double(setup.value(of: Parameter.rate))) }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        let depth = io[Parameter.depth]
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames {
                let phase = Float((io.sampleTime + i).rawValue % period) / Float(period)
                output[i] = input[i] * (1 - depth[i] * abs(2 * phase - 1))
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}
