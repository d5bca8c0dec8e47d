// [render]
import DSP
import MIDI
import SoundFonts

/// An effect of the Sound Blaster AWE32 that songs set by non-registered parameters: which generator takes which value.
///
/// Sources: Creative, "SB AWE32 Developer's Information Pack" 3.01; where it is wrong, what libfluidsynth 2.4 found by
/// recordings of the card (`fluid_synth.c`, issues 1424 and 1473).
enum SoundBlasterEffect {
    /// A generator's value in its own unit, in place of the zone's; nil for the pitch, which is added.
    @_noLocks static func setting(_ effect: Int, _ data: Int) -> (generator: Generator, value: Double)? {
        // Effects with one side look at the lower byte alone.
        let low = Double(data & 127), sided = Double(data &- 8_192)
        return switch effect {
        case 0: (.modulationLFODelay, timecents(min(max(sided, 0), 5_900) * 0.004))
        case 1: (.modulationLFORate, cents(low * 0.084))
        case 2: (.vibratoLFODelay, timecents(min(max(sided, 0), 5_900) * 0.004))
        case 3: (.vibratoLFORate, cents(low * 0.084))
        case 4: (.modulationDelay, timecents(min(max(sided, 0), 5_900) * 0.004))
        case 5: (.modulationAttack, timecents(min(max(sided, 0), 5_940) * 0.001))
        case 6: (.modulationHold, timecents(min(max(sided, 0), 8_191) * 0.001))
        case 7: (.modulationDecay, timecents(min(max(sided, 0), 5_940) * 0.004))
        case 8: (.modulationSustain, low * 7.5)
        case 9: (.modulationRelease, timecents(min(max(sided, 0), 5_940) * 0.004))
        case 10: (.volumeDelay, timecents(min(max(sided, 0), 5_900) * 0.004))
        case 11: (.volumeAttack, timecents(min(max(sided, 0), 5_940) * 0.001))
        case 12: (.volumeHold, timecents(min(max(sided, 0), 8_191) * 0.001))
        case 13: (.volumeDecay, timecents(min(max(sided, 0), 5_940) * 0.004))
        case 14: (.volumeSustain, low * 7.5)
        case 15: (.volumeRelease, timecents(min(max(sided, 0), 5_940) * 0.004))
        case 17: (.modulationLFOToPitch, min(max(sided, -127), 127) * 9.375)
        case 18: (.vibratoLFOToPitch, min(max(sided, -127), 127) * 9.375)
        case 19: (.modulationEnvelopeToPitch, min(max(sided, -127), 127) * 9.375)
        case 20: (.modulationLFOToVolume, low * 1.875)
        case 21: (.filterCutoff, 4_500 + low * 59)
        case 22: (.filterResonance, low * (220.0 / 127))
        case 23: (.modulationLFOToCutoff, min(max(sided, -64), 63) * 56.25)
        case 24: (.modulationEnvelopeToCutoff, min(max(sided, -127), 127) * 56.25)
        case 25: (.chorusSend, min(max(sided, 0), 255) * (200.0 / 256))
        case 26: (.reverbSend, min(max(sided, 0), 255) * (200.0 / 256))
        default: nil
        }
    }

    /// True for an effect that notes that sound follow at once.
    /// Notes that sound follow some effects, when the part's chosen one is set; others wait for the next note.
    @_noLocks static func follow(
        _ part: UnsafePointer<Part>, _ channel: UInt8, _ pool: borrowing VoicePool, _ setting: Voice.Setting
    ) {
        guard let effect = part.pointee.parameter.soundBlasterEffect, isHeardAtOnce(effect),
            let new = Self.setting(effect, part.pointee.soundBlaster[effect])
        else { return }
        for place in 0..<pool.count where pool.voice(place).pointee.channel == channel {
            pool.voice(place).pointee.generators[new.generator.index] = new.value
            pool.voice(place).pointee.update(new.generator, setting)
        }
    }

    @_noLocks private static func isHeardAtOnce(_ effect: Int) -> Bool {
        switch effect {
        case 1, 3, 16...18, 20...23: true
        default: false
        }
    }

    @_noLocks private static func timecents(_ seconds: Double) -> Double {
        seconds > 0 ? 1_200 * DeterministicMath.log2(seconds) : -32_768
    }

    @_noLocks private static func cents(_ hertz: Double) -> Double {
        hertz > 0 ? 1_200 * DeterministicMath.log2(hertz / 8.175798915643707) : -16_000
    }
}
