import DSP
import Testing

@Suite struct BandLimitedStepTests {
    /// The step at a time in frames from its middle, as the table has it.
    private func step(_ tap: Int, _ phase: Int) -> Float { 1 + BandLimitedStep.rows[phase * BandLimitedStep.taps + tap] }

    @Test func theStepRunsFromZeroToOne() {
        #expect(step(0, 0) == 0)
        #expect(step(BandLimitedStep.taps - 1, BandLimitedStep.phases) == 1)
        #expect(abs(step(BandLimitedStep.taps / 2, 0) - 0.5) < 1e-6)
    }

    @Test func theStepIsPointSymmetric() {
        let taps = BandLimitedStep.taps, phases = BandLimitedStep.phases
        for tap in 0..<taps {
            for phase in stride(from: 0, through: phases, by: 16) {
                #expect(abs(step(tap, phase) + step(taps - 1 - tap, phases - phase) - 1) < 3e-7)
            }
        }
    }

    @Test func oneRowEndsWhereTheFirstContinues() {
        for tap in 1..<BandLimitedStep.taps { #expect(step(tap - 1, BandLimitedStep.phases) == step(tap, 0)) }
    }
}
