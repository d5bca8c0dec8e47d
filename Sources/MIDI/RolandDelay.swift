/// The delay of a port, as GS messages to 40 01 50 ... 40 01 5A have made it: one in the middle, which is fed back, and one
/// on either side, whose times are shares of its time.
///
/// Sources: Roland SC-8850 owner's manual, "Patch common parameters" and its table of delay times; the macros, in
/// SpessaSynth's `setDelayMacro` and TiMidity++'s `delay_macro_presets`, which agree but for single steps of times and
/// feedbacks. A step of feedback is 1.526 %, as of GM2's chorus; no time is longer than a second.
struct RolandDelay: Sendable {
    private struct Macro {
        var time: UInt8 = 97, left: UInt8 = 1, right: UInt8 = 1
        var centreLevel: UInt8 = 127, leftLevel: UInt8 = 0, rightLevel: UInt8 = 0
        var feedback: UInt8 = 80, toReverb: UInt8 = 0
    }

    private var state = Macro()
    private var level: UInt8 = 64

    private static let macros: [Macro] = [
        Macro(), Macro(time: 106), Macro(time: 115, feedback: 72), Macro(time: 83, feedback: 72),
        panning(105, 125, 60, feedback: 74), panning(109, 125, 60, feedback: 71), panning(115, 120, 64, feedback: 73),
        panning(93, 120, 64, feedback: 72), panning(109, 114, 60, feedback: 61, toReverb: 36),
        Macro(time: 110, left: 21, right: 32, centreLevel: 97, leftLevel: 127, rightLevel: 67, feedback: 40),
    ]

    private static func panning(
        _ time: UInt8, _ left: UInt8, _ right: UInt8, feedback: UInt8, toReverb: UInt8 = 0
    ) -> Macro {
        Macro(
            time: time, left: 12, right: 24, centreLevel: 0, leftLevel: left, rightLevel: right, feedback: feedback,
            toReverb: toReverb)
    }

    mutating func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let value = value & 127
        switch address {
        case 0x50 where Int(value) < Self.macros.count:
            (state, level) = (Self.macros[Int(value)], 64)
            return times + levels + [gain, fedBack(.delayLeftFeedback), fedBack(.delayRightFeedback), toReverb]
                + [(.delayHighCut, RolandEffects.corner(0))]
        case 0x51 where value < 8: return [(.delayHighCut, RolandEffects.corner(value))]
        case 0x52:
            state.time = value
            return times
        case 0x53:
            state.left = value
            return [(.delayLeftTime, side(value))]
        case 0x54:
            state.right = value
            return [(.delayRightTime, side(value))]
        case 0x55:
            state.centreLevel = value
            return [levels[0]]
        case 0x56:
            state.leftLevel = value
            return [levels[1]]
        case 0x57:
            state.rightLevel = value
            return [levels[2]]
        case 0x58:
            level = value
            return [gain]
        case 0x59:
            state.feedback = value
            return [fedBack(.delayLeftFeedback), fedBack(.delayRightFeedback)]
        case 0x5A:
            state.toReverb = value
            return [toReverb]
        default: return []
        }
    }

    private var times: [(EffectParameter, Float)] {
        let centre = Self.milliseconds(state.time)
        return [
            (.delayLeftTime, side(state.left)), (.delayRightTime, side(state.right)), (.delayLeftSecondTime, centre),
            (.delayRightSecondTime, centre), (.delayLeftFeedbackTime, centre), (.delayRightFeedbackTime, centre),
        ]
    }

    private var levels: [(EffectParameter, Float)] {
        [
            (.delaySecondLevel, Float(state.centreLevel) / 127), (.delayLeftLevel, Float(state.leftLevel) / 127),
            (.delayRightLevel, Float(state.rightLevel) / 127),
        ]
    }

    private var gain: (EffectParameter, Float) { (.delayLevel, EffectParameter.delayLevel.value(of: level)) }
    private var toReverb: (EffectParameter, Float) {
        (.delayToReverb, EffectParameter.delayToReverb.value(of: state.toReverb))
    }

    private func fedBack(_ parameter: EffectParameter) -> (EffectParameter, Float) {
        (parameter, Float(Int(state.feedback) - 64) * 0.01526)
    }

    /// The time of a side: a step is a 24th of the time in the middle. Unit: milliseconds.
    private func side(_ ratio: UInt8) -> Float {
        min(Self.milliseconds(state.time) * Float(min(max(ratio, 1), 120)) / 24, 1_000)
    }

    /// The time in the middle: 0.1 ms up to 1 s, in ever larger steps.
    static func milliseconds(_ byte: UInt8) -> Float {
        let steps: [(first: UInt8, start: Float, step: Float)] = [
            (0x01, 0.1, 0.1), (0x14, 2, 0.2), (0x23, 5, 0.5), (0x2D, 10, 1), (0x37, 20, 2), (0x46, 50, 5), (0x50, 100, 10),
            (0x5A, 200, 20), (0x69, 500, 50),
        ]
        let byte = min(max(byte, 1), 0x73)
        let found = steps.last { $0.first <= byte } ?? steps[0]
        return found.start + Float(byte - found.first) * found.step
    }

    /// The reverb that is a delay: up to 446.8 ms, or on the left after half the time and on the right after all of it.
    ///
    /// `level` is the reverb's factor. No manual gives times and feedbacks; the numbers are SpessaSynth's, measured on Roland's
    /// software module, and TiMidity++ (`setup_ch_reverb_delay`) is near.
    static func echo(_ time: UInt8, feedback: UInt8, level: Float, isPanning: Bool) -> [(EffectParameter, Float)] {
        let milliseconds = max(Float(time) / 127 * 446.8, 0.5), left = isPanning ? milliseconds / 2 : milliseconds
        let rest = Double(1 - Float(feedback) / 127)
        // As 1.9 lies between 1 and 2: a curve by multiplication alone, the same bits everywhere.
        let share = Float(0.73 * (1 - (0.1 * rest + 0.9 * rest * rest)))
        return [
            (.echoLeftTime, left), (.echoRightTime, milliseconds), (.echoLeftFeedbackTime, milliseconds),
            (.echoRightFeedbackTime, milliseconds), (.echoLeftLevel, 1), (.echoRightLevel, 1), (.echoSecondLevel, 0),
            (.echoLeftFeedback, share), (.echoRightFeedback, share), (.echoLevel, level * 0.904),
        ]
    }
}

/// The equalizer of a port's sum, as GS messages to 40 02 00 ... 40 02 03 have made it: two shelves.
///
/// Source: Roland SC-8850 owner's manual, "System parameters": 200 or 400 Hz, 3 or 6 kHz, -12 to 12 dB. TiMidity++
/// (`recompute_eq_status_gs`) has the same.
enum RolandEqualizer {
    static func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let gain = EffectParameter.gain(decibels: min(max(Int(value & 127) - 64, -12), 12))
        switch address {
        case 0x00 where value < 2: return [(.lowFrequency, value == 0 ? 200 : 400), (.lowShape, 0)]
        case 0x01: return [(.lowGain, gain), (.lowShape, 0)]
        case 0x02 where value < 2: return [(.highFrequency, value == 0 ? 3_000 : 6_000), (.highShape, 0)]
        case 0x03: return [(.highGain, gain), (.highShape, 0)]
        default: return []
        }
    }
}
