// [render]
import DSP

/// Intervals of equal temperament as factors of frequencies.
enum Semitones {
    @_noLocks static func factor(_ semitones: Double) -> Double { DeterministicMath.exp2(semitones / 12) }
}
