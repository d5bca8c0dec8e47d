import TestKit
import Testing
import Units

@Suite struct SquareWaveLawTests {
    @Test func theSquareWaveObeysTheLaws() throws {
        let violations = try checkUnit(UnitUnderTest(SquareWave.self))
        #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }
}
