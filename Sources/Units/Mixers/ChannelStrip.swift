import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A channel strip: the level and the pan of a channel, and how much of it goes to the reverb, the chorus and the delay.
///
/// What an instrument's own sounds send to the effects, beside the channel, comes in on the feeds as a fraction of the
/// sound; it goes through gain and mute, not through pan.
///
/// It is not a panner for mono sources: `pan` is a balance (`BalanceLaw`). The sends are taken after gain, pan and mute.
/// At unity gain in the middle the main output is the input, bit for bit, so that stems add up to the mix.
public struct ChannelStrip: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "chst", manufacturer: .carillon), name: "channel-strip",
        summary: "Gain, pan, mute and three effect sends for one stereo channel.",
        inputs: [.init("main"), .init("reverb-feed"), .init("chorus-feed")],
        outputs: [
            .init("main"), .init("reverb-send", use: .send), .init("chorus-send", use: .send),
            .init("delay-send", use: .send),
        ])

    public enum Parameter: Int, UnitParameter {
        case gain, pan, mute, reverbSend, chorusSend, solo, delaySend

        public var spec: ParameterSpec {
            switch self {
            case .gain: .decibels("gain", -120...12, 0, "How loud the channel is; -120 dB is silence.")
            case .pan:
                ParameterSpec(
                    "pan", -100...100, default: 0, unit: .pan, help: "Where the channel stands between left and right.")
            case .mute: .fadingToggle("mute", default: false, help: "Silences the channel and its sends.")
            case .reverbSend:
                ParameterSpec(
                    "reverb-send", 0...1, default: 40.0 / 127, unit: .ratio, controller: 91,
                    help: "How much of the channel goes to the reverb.")
            case .chorusSend:
                ParameterSpec(
                    "chorus-send", 0...1, default: 0, unit: .ratio, controller: 93,
                    help: "How much of the channel goes to the chorus.")
            case .solo: .solo(help: "Silences all channels of the same sum that are not soloed, and their sends.")
            case .delaySend:
                ParameterSpec(
                    "delay-send", 0...1, default: 0, unit: .ratio, controller: 94,
                    help: "How much of the channel goes to the delay.")
            }
        }
    }

    private var amplitude = AmplitudeMemo()

    public init(_ setup: UnitSetup) {}

    /// A feed counts five times: the whole of a channel's send is a fifth of its sound if SoundFonts weigh it (section
    /// 8.4.8 of their standard), and each side of a sound in the middle is the square root of a half.
    private static var feedWeight: Float { @_noLocks get { 5 * 0.70710678 } }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilentEverywhere { return .silent }
        let gain = io[Parameter.gain], pan = io[Parameter.pan]
        let mute = io[Parameter.mute]
        let level = StripLevel(gain: gain, mute: mute, steady: self.amplitude(gain.target))
        if level.isSteady && level.target == 0 { return .silent }
        if level.isSteady && pan.isSteady {
            let amplitude = level.target
            Self.scale(io.input(0, 0).base, io.output(0, 0).base, amplitude * BalanceLaw.left(pan.target), io.frames)
            Self.scale(io.input(0, 1).base, io.output(0, 1).base, amplitude * BalanceLaw.right(pan.target), io.frames)
        } else {
            let left = io.input(0, 0).base, right = io.input(0, 1).base
            let mainLeft = io.output(0, 0).base, mainRight = io.output(0, 1).base
            for i in 0..<io.frames {
                let amplitude = level[i]
                // Adding 0 leaves no negative zero if a fade has ended within the call.
                mainLeft[i] = left[i] * (amplitude * BalanceLaw.left(pan[i])) + 0
                mainRight[i] = right[i] * (amplitude * BalanceLaw.right(pan[i])) + 0
            }
        }
        send(io, 1, io[Parameter.reverbSend], level)
        send(io, 2, io[Parameter.chorusSend], level)
        if io.isHeard(3) { sendToDelay(io) } else { io.markSilent(3) }
        return .sounding
    }

    @_noLocks public mutating func reset() {}

    @_noLocks private func send(_ io: borrowing RenderIO, _ bus: Int, _ share: ParameterRamp, _ level: StripLevel) {
        let mainLeft = io.output(0, 0).base, mainRight = io.output(0, 1).base
        let left = io.output(bus, 0).base, right = io.output(bus, 1).base
        if !share.isSteady {
            for i in 0..<io.frames {
                left[i] = mainLeft[i] * share[i] + 0
                right[i] = mainRight[i] * share[i] + 0
            }
        } else if share.target != 0 {
            Self.scale(mainLeft, left, share.target, io.frames)
            Self.scale(mainRight, right, share.target, io.frames)
        } else if io.isSilent(bus) {
            return io.markSilent(bus)
        } else {
            rt_zero(left, io.frames)
            rt_zero(right, io.frames)
        }
        if io.isSilent(bus) { return }
        let feedLeft = io.input(bus, 0).base, feedRight = io.input(bus, 1).base
        if level.isSteady {
            rt_add_scaled(left, feedLeft, level.target * Self.feedWeight, io.frames)
            rt_add_scaled(right, feedRight, level.target * Self.feedWeight, io.frames)
        } else {
            for i in 0..<io.frames {
                let weight = level[i] * Self.feedWeight
                left[i] += feedLeft[i] * weight
                right[i] += feedRight[i] * weight
            }
        }
    }

    /// The delay has no feed.
    @_noLocks private func sendToDelay(_ io: borrowing RenderIO) {
        let share = io[Parameter.delaySend]
        if share.isSteady && share.target == 0 { return io.markSilent(3) }
        for side in 0..<2 {
            let main = io.output(0, side).base, to = io.output(3, side).base
            for i in 0..<io.frames { to[i] = main[i] * share[i] + 0 }
        }
    }

    @_noLocks private static func scale(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ count: Int
    ) {
        if gain == 1 { rt_copy(to, from, count) } else { rt_scale(to, from, gain, count) }
    }
}

/// Gain and mute of a strip together, as one amplitude on its way through a call.
private struct StripLevel {
    private let gain: ParameterRamp, mute: ParameterRamp
    private let steady: Float
    let isSteady: Bool
    let target: Float

    /// `steady` is the amplitude of the gain's target.
    @_noLocks init(gain: ParameterRamp, mute: ParameterRamp, steady: Float) {
        (self.gain, self.mute, self.steady) = (gain, mute, steady)
        isSteady = gain.isSteady && mute.isSteady
        let open = 1 - mute.target
        target = open == 0 ? 0 : steady * open
    }

    subscript(i: Int) -> Float {
        @_noLocks get {
            (gain.isSteady ? steady : Decibels.amplitude(gain[i])) * (1 - mute[i])
        }
    }
}
