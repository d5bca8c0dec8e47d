// [render]
import DSP
import MIDI
import SoundFonts

/// A drum's own settings, as what they make of a voice's generators when it is struck.
enum DrumSettings {
    /// `randomPan` is the voice's place where the pan is 0.
    @_noLocks static func apply(
        _ part: UnsafePointer<Part>, _ key: UInt8, to generators: UnsafeMutablePointer<Double>, randomPan: Double,
        _ curves: ControlCurves
    ) {
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
            generators[Generator.pan.index] = pan == 0 ? randomPan : (Double(pan) - 64) * (500.0 / 63)
        }
        if let group = part.pointee.drumControl(.group, of: key) {
            // Beside the groups of the zones.
            generators[Generator.exclusiveClass.index] = group == 0 ? 0 : 256 + Double(group)
        }
    }

    /// How much of the part's sends a drum has, 0...1.
    @_noLocks static func share(_ control: DrumControl, _ part: UnsafePointer<Part>, _ key: UInt8) -> Double {
        guard let value = part.pointee.drumControl(control, of: key) else { return 1 }
        return Double(value) / 127
    }
}
