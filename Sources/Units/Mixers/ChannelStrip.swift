import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A channel strip: how loud a channel is, where it stands, and how much of it goes to the reverb and the chorus.
///
/// It is no panner for mono sources: `pan` is a balance (`BalanceLaw`). The sends are taken after gain, pan and mute.
/// At unity gain in the middle the main output is the input, bit for bit, so that stems add up to the mix.
public struct ChannelStrip: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "chst", manufacturer: .carillon), name: "channel-strip",
        summary: "Gain, pan, mute and two effect sends for one stereo channel.",
        inputs: [.init("main")], outputs: [.init("main"), .init("reverb-send"), .init("chorus-send")])

    public enum Parameter: Int, UnitParameter {
        case gain, pan, mute, cut, reverbSend, chorusSend, solo

        public var spec: ParameterSpec {
            switch self {
            case .gain:
                ParameterSpec(
                    "gain", -120...12, default: 0, unit: .decibels,
                    help: "How loud the channel is; -120 dB is silence.")
            case .pan:
                ParameterSpec(
                    "pan", -100...100, default: 0, unit: .pan, help: "Where the channel stands between left and right.")
            case .mute: .fadingToggle("mute", default: false, help: "Silences the channel and its sends.")
            case .cut:
                .fadingToggle(
                    "cut", default: false,
                    help: "Silences the channel because another one is soloed; the engine sets it (ChannelStrip.cuts).")
            case .reverbSend:
                ParameterSpec(
                    "reverb-send", 0...1, default: 40.0 / 127, unit: .ratio, controller: 91,
                    help: "How much of the channel goes to the reverb.")
            case .chorusSend:
                ParameterSpec(
                    "chorus-send", 0...1, default: 0, unit: .ratio, controller: 93,
                    help: "How much of the channel goes to the chorus.")
            case .solo:
                .toggle(
                    "solo", default: false, help: "Silences every strip that is not soloed; the engine cuts the others.")
            }
        }
    }

    private var amplitude = AmplitudeMemo()

    public init(_ setup: UnitSetup) {}

    /// The rule of solo: as soon as one strip is soloed, `cut` is on for all those that are not. Control side.
    public static func cuts(soloed: [Bool]) -> [Bool] { soloed.map { !$0 && soloed.contains(true) } }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        let gain = io[Parameter.gain], pan = io[Parameter.pan]
        let mute = io[Parameter.mute], cut = io[Parameter.cut]
        if gain.isSteady && pan.isSteady && mute.isSteady && cut.isSteady {
            let open = (1 - mute.target) * (1 - cut.target)
            let amplitude = open == 0 ? 0 : self.amplitude(gain.target) * open
            if amplitude == 0 { return .silent }
            Self.scale(io.input(0, 0).base, io.output(0, 0).base, amplitude * BalanceLaw.left(pan.target), io.frames)
            Self.scale(io.input(0, 1).base, io.output(0, 1).base, amplitude * BalanceLaw.right(pan.target), io.frames)
        } else {
            let left = io.input(0, 0).base, right = io.input(0, 1).base
            let mainLeft = io.output(0, 0).base, mainRight = io.output(0, 1).base
            let steadyAmplitude = self.amplitude(gain.target)
            for i in 0..<io.frames {
                let open = (1 - mute[i]) * (1 - cut[i])
                let amplitude = (gain.isSteady ? steadyAmplitude : Decibels.amplitude(gain[i])) * open
                // Adding 0 leaves no negative zero where a fade has ended within the call.
                mainLeft[i] = left[i] * (amplitude * BalanceLaw.left(pan[i])) + 0
                mainRight[i] = right[i] * (amplitude * BalanceLaw.right(pan[i])) + 0
            }
        }
        send(io, 1, io[Parameter.reverbSend])
        send(io, 2, io[Parameter.chorusSend])
        return .sounding
    }

    @_noLocks public mutating func reset() {}

    @_noLocks private func send(_ io: borrowing RenderIO, _ bus: Int, _ level: ParameterRamp) {
        if level.isSteady {
            if level.target == 0 { return io.markSilent(bus) }
            Self.scale(io.output(0, 0).base, io.output(bus, 0).base, level.target, io.frames)
            Self.scale(io.output(0, 1).base, io.output(bus, 1).base, level.target, io.frames)
        } else {
            let mainLeft = io.output(0, 0).base, mainRight = io.output(0, 1).base
            let left = io.output(bus, 0).base, right = io.output(bus, 1).base
            for i in 0..<io.frames {
                let level = level[i]
                left[i] = mainLeft[i] * level + 0
                right[i] = mainRight[i] * level + 0
            }
        }
    }

    @_noLocks private static func scale(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ count: Int
    ) {
        if gain == 1 { rt_copy(to, from, count) } else { rt_scale(to, from, gain, count) }
    }
}
