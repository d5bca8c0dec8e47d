import DSP
import Testing

@Suite struct BandLimitedStepTests {
    @Test func theResidualRunsFromMinusOneToZero() {
        let rows = BandLimitedStep.rows, taps = BandLimitedStep.taps
        #expect(rows[0] == -1)
        #expect(rows[BandLimitedStep.phases * taps + taps - 1] == 0)
    }
}
