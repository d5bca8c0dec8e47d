import AudioFiles
import Carillon
import Testing

@testable import Sessions

/// What is played before the first note that counts.
@Suite struct RehearsalTests {
    @Test(arguments: [RenderOptions.Instrument.squareWave, .soundFont([])])
    func anyInstrumentAndPeriodCanBeRehearsed(instrument: RenderOptions.Instrument) throws {
        var options = LiveOptions()
        options.instrument = instrument
        options.ports = 2
        options.settings = ["strip-3.pan=-1", "strip-20.pan=1"].filter { _ in instrument != .squareWave }
        for period in [16, 512, 8192] {
            options.device.period = period
            #expect(try Rehearsal.run(options), "period \(period)")
        }
    }

    @Test func aMissingSoundFontIsTheSameErrorAsInTheSession() {
        var options = LiveOptions()
        options.instrument = .soundFont(["no-such.sf2"])
        #expect(throws: Fault.self) { try Rehearsal.run(options) }
    }
}
