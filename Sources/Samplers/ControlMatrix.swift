// [render]
import DSP
import MIDI
import SoundFonts

/// The controller matrix of a part (GS 40 2x, XG's controls, GM2's destinations) as what it adds to a voice's generators.
enum ControlMatrix {
    /// One bit for each generator that it can move.
    static var generators: UInt64 {
        @_noLocks get {
            bit(.fineTune) | bit(.filterCutoff) | bit(.attenuation) | bit(.vibratoLFORate) | bit(.vibratoLFOToPitch)
                | bit(.modulationLFORate) | bit(.modulationLFOToPitch) | bit(.modulationLFOToCutoff)
                | bit(.modulationLFOToVolume)
        }
    }

    @_noLocks private static func bit(_ generator: Generator) -> UInt64 { 1 &<< UInt64(generator.rawValue) }

    /// Returns what the part's sources add to a generator, in the generator's unit.
    @_noLocks static func sum(_ generator: Generator, _ part: UnsafePointer<Part>, _ voice: UnsafePointer<Voice>) -> Double {
        let pressure = part.pointee.pressure(of: voice.pointee.key)
        func move(_ destination: ControlDestination) -> Double { part.pointee.move(destination, keyPressure: pressure) }
        return switch generator {
        case .fineTune: move(.pitch) * 100
        case .filterCutoff: move(.cutoff) * 150
        case .attenuation: attenuation(of: 1 + move(.level) / 64) + swing(move(.tremolo) + move(.secondTremolo))
        case .vibratoLFORate: cents(voice.pointee.base(generator), plus: move(.rate) * (10.0 / 64))
        case .modulationLFORate: cents(voice.pointee.base(generator), plus: move(.secondRate) * (10.0 / 64))
        case .vibratoLFOToPitch: move(.vibrato) * (600.0 / 127)
        case .modulationLFOToPitch: move(.secondVibrato) * (600.0 / 127)
        case .modulationLFOToCutoff: (move(.filterSwing) + move(.secondFilterSwing)) * (2_400.0 / 127)
        case .modulationLFOToVolume: swing(move(.tremolo) + move(.secondTremolo))
        default: 0
        }
    }

    /// Tuning of a key of the part, with its shift in hertz. Unit: cents.
    @_noLocks static func tuning(_ part: UnsafePointer<Part>, _ key: UInt8) -> Double {
        let cents = part.pointee.tuningCents + part.pointee.cents(of: key), hertz = part.pointee.pitchOffset
        if hertz == 0 { return cents }
        let own = 440 * DeterministicMath.exp2((Double(key) - 69) / 12 + cents / 1_200)
        return cents + 1_200 * DeterministicMath.log2(max(1 + hertz / own, 0.01))
    }

    /// How far the level swings to both sides of a middle that lies as far below the note's own level: a depth of 127 would be
    /// down to silence, of which 48 dB are left. Unit: centibels.
    @_noLocks private static func swing(_ depth: Double) -> Double {
        depth == 0 ? 0 : min(attenuation(of: 1 - abs(depth) / 127), 480) / 2
    }

    /// Unit: centibels.
    @_noLocks static func attenuation(of gain: Double) -> Double {
        gain <= 0 ? 1_440 : -200 * 0.30102999566398120 * DeterministicMath.log2(gain)
    }

    /// The distance to a rate that is `hertz` more. Unit: cents.
    @_noLocks private static func cents(_ rate: Double, plus hertz: Double) -> Double {
        if hertz == 0 { return 0 }
        let own = 8.175798915643707 * DeterministicMath.exp2(rate / 1_200)
        return 1_200 * DeterministicMath.log2(max(own + hertz, 0.01) / own)
    }
}
