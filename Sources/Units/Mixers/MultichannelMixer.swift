import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A mixer: any number of stereo inputs, each with gain, pan and a switch, added up into one stereo output.
///
/// Inputs are added in their order, so the sum is the same to the last bit on every machine; silent ones cost nothing.
/// `pan` is a balance (`BalanceLaw`).
public struct MultichannelMixer: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "mcmx", manufacturer: .carillon),
        name: "multichannel-mixer", summary: "Adds up any number of stereo inputs.", inputs: [.init("input")],
        outputs: [.init("main")], repeatsLastInput: true)

    public enum Parameter: Int, UnitParameter {
        case gain, pan, enable, volume

        public var spec: ParameterSpec {
            switch self {
            case .gain:
                ParameterSpec(
                    "gain", -120...12, default: 0, unit: .decibels, scope: .input,
                    help: "How loud the input is; -120 dB is silence.")
            case .pan:
                ParameterSpec(
                    "pan", -100...100, default: 0, unit: .pan, scope: .input,
                    help: "Where the input stands between left and right.")
            case .enable: .fadingToggle("enable", default: true, scope: .input, help: "Whether the input is heard.")
            case .volume:
                ParameterSpec(
                    "volume", -120...40, default: 0, unit: .decibels, help: "How loud the sum is; -120 dB is silence.")
            }
        }
    }

    /// What each input has made of its gain.
    private let amplitudes: UnsafeMutablePointer<AmplitudeMemo>
    private var loudness = AmplitudeMemo()

    public init(_ setup: UnitSetup) {
        amplitudes = .allocate(capacity: max(setup.inputCount, 1))
        amplitudes.initialize(repeating: AmplitudeMemo(), count: max(setup.inputCount, 1))
    }

    deinit { amplitudes.deallocate() }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        let volume = io[Parameter.volume]
        let loudness = loudness(volume.target)
        if volume.isSteady && loudness == 0 { return .silent }
        var isSounding = false
        for input in 0..<io.inputCount where !io.isSilent(input) && !isOff(io, input) {
            if !isSounding {
                // Added to zero rather than copied: no sum ends in a negative zero.
                rt_zero(left, io.frames)
                rt_zero(right, io.frames)
                isSounding = true
            }
            add(io, input, left, right)
        }
        if !isSounding { return .silent }
        if !volume.isSteady {
            for i in 0..<io.frames {
                let loudness = Decibels.amplitude(volume[i])
                left[i] *= loudness
                right[i] *= loudness
            }
        } else if loudness != 1 {
            rt_scale(left, left, loudness, io.frames)
            rt_scale(right, right, loudness, io.frames)
        }
        return .sounding
    }

    @_noLocks public mutating func reset() {}

    @_noLocks private func isOff(_ io: borrowing RenderIO, _ input: Int) -> Bool {
        let gain = io[Parameter.gain, input], enable = io[Parameter.enable, input]
        return (gain.isSteady && gain.target <= -120) || (enable.isSteady && enable.target == 0)
    }

    @_noLocks private func add(
        _ io: borrowing RenderIO, _ input: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) {
        let gain = io[Parameter.gain, input], pan = io[Parameter.pan, input], enable = io[Parameter.enable, input]
        let fromLeft = io.input(input, 0).base, fromRight = io.input(input, 1).base
        let steady = amplitudes[input](gain.target)
        if gain.isSteady && pan.isSteady && enable.isSteady {
            let amplitude = steady * enable.target
            Self.add(fromLeft, left, amplitude * BalanceLaw.left(pan.target), io.frames)
            Self.add(fromRight, right, amplitude * BalanceLaw.right(pan.target), io.frames)
        } else {
            for i in 0..<io.frames {
                let amplitude = (gain.isSteady ? steady : Decibels.amplitude(gain[i])) * enable[i]
                left[i] += fromLeft[i] * (amplitude * BalanceLaw.left(pan[i]))
                right[i] += fromRight[i] * (amplitude * BalanceLaw.right(pan[i]))
            }
        }
    }

    @_noLocks private static func add(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ count: Int
    ) {
        if gain == 1 { rt_add(to, from, count) } else if gain != 0 { rt_add_scaled(to, from, gain, count) }
    }
}
