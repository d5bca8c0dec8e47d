import RemoteIO
import SoundFonts
import UnitAPI

/// The settings of the engine, of songs and sessions, declared once as a unit's parameters are: options, checks, defaults
/// and help texts read them here. They apply at the start.
package enum EngineSetting: String, CaseIterable, Sendable {
    case rate, block, threads, period, periods, ports, gain, tail
    case maximumDuration = "max-duration"
    case tempo, transpose, loops, fade, seed
    case fadeIn = "fade-in"

    /// Name, range, default and help.
    package var spec: ParameterSpec {
        switch self {
        case .rate: DeviceSetting.rate.spec
        case .period: DeviceSetting.period.spec
        case .periods: DeviceSetting.periods.spec
        case .threads: DeviceSetting.threads.spec
        case .block:
            ParameterSpec(
                rawValue, 1...16_384, default: 512, unit: .frames, applies: .atStart,
                help: "Frames rendered at a time; does not change the result.")
        case .ports:
            ParameterSpec(
                rawValue, 1...16, default: 1, applies: .atStart, help: "MIDI input ports to offer, 16 channels each.")
        case .gain:
            ParameterSpec(
                rawValue, -60...40, default: 0, unit: .decibels, applies: .atStart, help: "Gain of the output.")
        case .seed: .samplerSeed
        case .tail:
            ParameterSpec(
                rawValue, 0...86_400, default: 0, unit: .seconds, applies: .atStart,
                help: "How long the sound continues after the song's end.")
        case .maximumDuration:
            ParameterSpec(
                rawValue, 0.001...31_622_400, default: 43_200, unit: .seconds, applies: .atStart,
                help: "Longest output, including the tail.")
        case .tempo:
            ParameterSpec(
                rawValue, 0.1...10, default: 1, unit: .ratio, applies: .atStart, help: "Tempo as a factor of the song's own.")
        case .transpose:
            ParameterSpec(
                rawValue, -48...48, default: 0, unit: .semitones, applies: .atStart,
                help: "Transposition; drums are not affected.")
        case .loops:
            ParameterSpec(
                rawValue, 1...1000, default: 1, applies: .atStart,
                help: "Times to play the part that the song itself loops, or the whole song if it marks no loop.")
        case .fade:
            ParameterSpec(
                rawValue, 0.01...600, default: 10, unit: .seconds, applies: .atStart,
                help: "Fade out after the last loop while the loop continues, instead of playing to the end.")
        case .fadeIn:
            ParameterSpec(
                rawValue, 0.001...600, default: 1, unit: .seconds, applies: .atStart, help: "Fade in where the sound begins.")
        }
    }

    package var wholeDefault: Int { Int(spec.initial) }
}
