import DSP

// [render]

/// The filter of a voice: one or two state variable filters, whose coefficients run straight from point to point of the grid.
///
/// With 12 dB per octave it is the first one alone. With 24 dB the Q factors are those of a Butterworth filter of fourth
/// order at no resonance, and the second one resonates.
struct PolySynthFilter: BitwiseCopyable {
    private var first = StateVariableFilter(), second = StateVariableFilter()
    private var firstStart = StateVariableFilter.Coefficients(), firstEnd = StateVariableFilter.Coefficients()
    private var secondStart = StateVariableFilter.Coefficients(), secondEnd = StateVariableFilter.Coefficients()
    private var isSteep = false

    @_noLocks init() {}

    /// Where the coefficients go, `share` of the way from point to point of the grid. Resonance 0...1, cutoff in hertz.
    @_noLocks mutating func aim(
        _ sound: PolySynthSettings.Filter, cutoff: Double, resonance: Double, share: Double, isFirst: Bool, sampleRate: Double
    ) {
        let response: StateVariableFilter.Response =
            switch sound.type {
            case 1: .bandPass
            case 2: .highPass
            default: .lowPass
            }
        // At most a quality of 16: 24 dB at the cutoff.
        let peak = DeterministicMath.quickExp2(4.5 * resonance)
        if isFirst {
            isSteep = sound.isSteep
        } else if isSteep != sound.isSteep {
            isSteep = sound.isSteep
            second = StateVariableFilter()
        }
        let begin = firstStart.moved(to: firstEnd, share: share), next = secondStart.moved(to: secondEnd, share: share)
        firstEnd = StateVariableFilter.Coefficients(
            response, frequency: cutoff, gain: 0, quality: isSteep ? 0.5411961 : 0.70710678 * peak, sampleRate: sampleRate)
        secondEnd = firstEnd
        if isSteep { secondEnd.damping = 1 / (1.306563 * peak) }
        // What the band-pass and the high-pass give depends on the damping.
        if isSteep, sound.type == 1 { secondEnd.band = secondEnd.damping }
        if isSteep, sound.type == 2 { secondEnd.band = 0 - secondEnd.damping }
        firstStart = isFirst ? firstEnd : begin
        secondStart = isFirst ? secondEnd : next
    }

    /// Filters frames in their place, the first of them `played` frames after the last point of the grid.
    @_noLocks mutating func process(_ x: UnsafeMutablePointer<Float>, _ frames: Int, played: Int) {
        let perFrame = 1 / Double(Int32(PlayedNote.interval))
        for k in 0..<frames {
            let share = Double(Int32(truncatingIfNeeded: played &+ k &+ 1)) * perFrame
            first.process(x + k, 1, firstStart.moved(to: firstEnd, share: share))
            if isSteep { second.process(x + k, 1, secondStart.moved(to: secondEnd, share: share)) }
        }
    }
}
