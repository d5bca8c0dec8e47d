import DSP
import RealtimeCore
import UnitAPI

/// A call that identifies loudspeakers: a beep in one of them, beside everything else that plays.
///
/// It beeps once a second in the left one and twice in the right one, so that the ear distinguishes them. The beeps are a
/// function of sample time: the same for any slices.
package struct SpeakerCall: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "spcl", manufacturer: .carillon), name: "speaker-call",
        summary: "Beeps in one loudspeaker, to say which is which.", outputs: [.init("main")])

    package enum Parameter: Int, UnitParameter {
        case call, gain

        package var spec: ParameterSpec {
            switch self {
            case .call:
                .choice(
                    "call", ["off", "left", "right"], default: 1,
                    help: "Which speaker beeps, from the start on: the left one once a second, the right one twice.")
            case .gain: .decibels("gain", -60...0, -20, "Peak of the beep.")
            }
        }
    }

    /// The pitch in Hz; what a beep takes and where the second one begins, in seconds; its edges.
    private static var pitch: Double { @_noLocks get { 880 } }
    private static var beep: Double { @_noLocks get { 0.15 } }
    private static var second: Double { @_noLocks get { 0.3 } }
    private static var edge: Double { @_noLocks get { 0.005 } }

    private let sampleRate: Double
    private let ramp: Float
    private var loudness = AmplitudeMemo()
    /// The height to which the call has come up on each side: 0...1.
    private var left: Float = 0, right: Float = 0

    package init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        ramp = Float(1 / (Self.edge * setup.sampleRate))
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let call = Int(io[Parameter.call].target + 0.5), gain = io[Parameter.gain]
        if call == 0 && left == 0 && right == 0 { return .silent }
        let outLeft = io.output(0, 0).base, outRight = io.output(0, 1).base
        let turn = Int64(sampleRate)
        for frame in 0..<io.frames {
            left = call == 1 ? min(left + ramp, 1) : max(left - ramp, 0)
            right = call == 2 ? min(right + ramp, 1) : max(right - ramp, 0)
            let time = Double((io.sampleTime + frame).rawValue % turn) / sampleRate
            let level = loudness(gain[frame]) * Float(DeterministicMath.sine(turns: Self.pitch * time))
            let beep = Self.envelope(time), other = Self.envelope(time - Self.second)
            // Silence is 0 and never -0: the same whether it is asleep or not.
            outLeft[frame] = level * left * beep + 0
            outRight[frame] = level * right * max(beep, other) + 0
        }
        return .sounding
    }

    @_noLocks package mutating func reset() { (left, right) = (0, 0) }

    /// Returns the loudness of a beep, `time` seconds after its beginning.
    @_noLocks private static func envelope(_ time: Double) -> Float {
        if time < 0 || time >= beep { return 0 }
        return Float(min(min(time, beep - time) / edge, 1))
    }
}
