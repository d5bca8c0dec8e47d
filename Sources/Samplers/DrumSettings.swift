// [render]
import DSP
import MIDI
import SoundFonts

/// What a voice's generators have of a part's random pan and of a drum's own settings when it is struck.
enum DrumSettings {
    /// `note` is the number of the note.
    @_noLocks static func apply(
        _ part: UnsafePointer<Part>, _ key: UInt8, _ note: UInt64, to generators: UnsafeMutablePointer<Double>,
        _ curves: ControlCurves
    ) {
        if part.pointee.hasRandomPan { generators[Generator.pan.index] = randomPan(note) }
        guard case .drums = part.pointee.mode else { return }
        func add(_ control: DrumControl, _ generator: Generator, step: Double, around middle: Double = 64) {
            guard let value = part.pointee.drumControl(control, of: key) else { return }
            generators[generator.index] += (Double(value) - middle) * step
        }
        add(.pitch, .coarseTune, step: 1)
        add(.halfPitch, .fineTune, step: 50, around: 60)
        add(.finePitch, .fineTune, step: 1)
        // As the controllers of these names.
        add(.cutoff, .filterCutoff, step: 6_000.0 / 64)
        add(.resonance, .filterResonance, step: 200.0 / 64)
        add(.attack, .volumeAttack, step: 6_000.0 / 64)
        add(.decay, .volumeDecay, step: 3_600.0 / 64)
        add(.decay, .volumeRelease, step: 3_600.0 / 64)
        if let level = part.pointee.drumControl(.level, of: key) {
            generators[Generator.attenuation.index] += 960 * curves.concave(127 - Double(level))
        }
        if let share = part.pointee.drumControl(.share, of: key) {
            generators[Generator.attenuation.index] += ControlMatrix.attenuation(of: Double(share) / 64)
        }
        if let pan = part.pointee.drumControl(.pan, of: key) {
            generators[Generator.pan.index] = pan == 0 ? randomPan(note) : (Double(pan) - 64) * (500.0 / 63)
        }
        generators[Generator.exclusiveClass.index] = group(part, key, generators[Generator.exclusiveClass.index])
    }

    /// The group of drums that cut each other: the drum's own, beside the groups of the zones, or the zone's; 0 is none.
    @_noLocks static func group(_ part: UnsafePointer<Part>, _ key: UInt8, _ zone: Double) -> Double {
        guard case .drums = part.pointee.mode, let group = part.pointee.drumControl(.group, of: key) else { return zone }
        return group == 0 ? 0 : 256 + Double(group)
    }

    /// Another place for each note, the same in each run; -500...500.
    @_noLocks static func randomPan(_ note: UInt64) -> Double {
        Double((note &* 0x9E37_79B9_7F4A_7C15) &>> 54) * (1_000.0 / 1_023) - 500
    }

    /// How much of the part's sends a drum has, 0...1.
    @_noLocks static func share(_ control: DrumControl, _ part: UnsafePointer<Part>, _ key: UInt8) -> Double {
        guard case .drums = part.pointee.mode, let value = part.pointee.drumControl(control, of: key) else { return 1 }
        return Double(value) / 127
    }
}
