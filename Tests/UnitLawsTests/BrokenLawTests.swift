import CarillonTestKit
import RealtimeCore
import Testing
import UnitAPI

/// Each law catches the unit that was written to break it, and leaves in peace what only looks wrong.
@Suite struct BrokenLawTests {
    private func made<U: AudioUnit & ~Copyable>(
        _: U.Type, _ make: @escaping @Sendable (UnitSetup) throws(UnitError) -> UnitInstance
    ) -> UnitUnderTest {
        UnitUnderTest(descriptor: U.descriptor, specs: U.Parameter.allCases.map(\.spec), make: make)
    }

    /// The laws that were broken, without the unit's name, each once.
    private func laws(_ broken: [LawViolation]) -> [String] {
        Set(broken.map { String($0.law.drop { $0 != ":" }.dropFirst(2)) }).sorted()
    }

    @Test(arguments: [0, 99, 100, 101]) func anUndeclaredDelayIsFound(declared: Int) throws {
        let broken = try checkUnit(made(DelayOf100.self) { UnitInstance.boxing(DelayOf100(declaring: declared), $0) })
        #expect(laws(broken) == (declared == 100 ? [] : ["the latency is as declared"]), "\(broken)")
        let text = broken.map(\.observation).joined()
        #expect(declared == 100 || (text.contains("after 100 frames") && text.contains("declared")), "\(text)")
    }

    @Test func aDeclaredDelayThatIsNotThereIsFound() throws {
        let broken = try checkUnit(made(PassThrough.self) { UnitInstance.boxing(PassThrough(declaring: 100), $0) })
        #expect(laws(broken) == ["the latency is as declared"], "\(broken)")
        #expect(try checkUnit(UnitUnderTest(PassThrough.self)).isEmpty)
    }

    @Test func aPhaseThatStandsStillInSleepIsFound() throws {
        let broken = try checkUnit(UnitUnderTest(SleepingPhase.self))
        #expect(laws(broken) == ["sleep cannot be heard"], "\(broken)")
        #expect(broken.first?.observation.contains("of a unit kept awake") == true, "\(broken)")
    }

    @Test func aUnitThatChangesInItsSleepIsFound() throws {
        let broken = try checkUnit(UnitUnderTest(LightSleeper.self))
        #expect(laws(broken).contains("sleep cannot be heard"), "\(broken)")
        #expect(broken.contains { $0.observation.contains("called while it slept") }, "\(broken)")
    }

    @Test func theLastInputOfAMixerIsTriedLikeTheFirst() throws {
        let broken = try checkUnit(UnitUnderTest(ClickingMixer.self))
        #expect(laws(broken) == ["smoothed parameters do not click"], "\(broken)")
        #expect(broken.count == 1 && broken[0].observation.contains("gain[3]"), "\(broken)")
    }

    @Test func everyInputAndChannelIsFed() throws {
        let broken = try checkUnit(UnitUnderTest(DeafToItsKey.self))
        #expect(laws(broken).contains("block size does not matter"), "\(broken)")
    }

    @Test func aResetThatKeepsSomethingIsFound() throws {
        let effect = try checkUnit(UnitUnderTest(Unforgetting.self))
        #expect(laws(effect) == ["reset equals new"], "\(effect)")
        let generator = try checkUnit(made(Sawtooth.self) { UnitInstance.boxing(Sawtooth(isReset: false), $0) })
        #expect(laws(generator) == ["reset equals new"], "\(generator)")
        #expect(try checkUnit(UnitUnderTest(Sawtooth.self)).isEmpty)
    }

    @Test func anInstrumentsPhaseThatStandsStillInSleepIsFound() throws {
        let broken = try checkUnit(made(Organ.self) { UnitInstance.boxing(Organ(swingsAlways: false), $0) })
        #expect(laws(broken) == ["sleep cannot be heard"], "\(broken)")
        let sound = try checkUnit(UnitUnderTest(Organ.self))
        #expect(sound.isEmpty, "\(sound)")
    }

    @Test func anHonestRefusalOfARateIsNoFault() throws {
        let choosy = made(PassThrough.self) { (setup) throws(UnitError) in
            guard setup.sampleRate == 96_000 else {
                throw .unsupportedSampleRate(unit: "choosy", asked: setup.sampleRate, supported: 96_000...96_000)
            }
            return try UnitInstance.make(PassThrough.self, setup)
        }
        let broken = try checkUnit(choosy)
        #expect(broken.isEmpty, "\(broken)")
    }

    @Test func aRefusalThatContradictsItselfIsFound() throws {
        let moody = made(PassThrough.self) { (setup) throws(UnitError) in
            switch setup.sampleRate {
            case 44_100: throw .unsupportedSampleRate(unit: "moody", asked: 44_100, supported: 8_000...192_000)
            case 96_000: throw .invalidProperty(unit: "moody", property: "rate", reason: "not today")
            default: return try UnitInstance.make(PassThrough.self, setup)
            }
        }
        let broken = try checkUnit(moody)
        #expect(laws(broken) == ["every rate works or is refused"] && broken.count == 2, "\(broken)")
        let never = made(PassThrough.self) { (setup) throws(UnitError) in
            throw .unsupportedSampleRate(unit: "never", asked: setup.sampleRate, supported: 1...2)
        }
        #expect(throws: UnitError.self) { try checkUnit(never) }
    }
}
