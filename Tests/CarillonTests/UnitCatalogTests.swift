import Carillon
import CarillonTestKit
import Testing
import UnitAPI
import Units

@Suite struct UnitCatalogTests {
    @Test func namesAndDescriptionsAreUnique() {
        let names = StandardUnits.entries.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(StandardUnits.entries.map(\.descriptor.component)).count == names.count)
    }

    @Test func aSearchWithZerosFindsEveryUnitOfItsType() {
        let effects = UnitCatalog.all(matching: ComponentDescription(type: .effect)).map(\.name)
        #expect(effects.contains("reverb") && effects.contains("limiter") && !effects.contains("channel-strip"))
        #expect(UnitCatalog.all(matching: ComponentDescription()).count >= StandardUnits.entries.count)
        let limiter = ComponentDescription(type: .effect, subtype: "lmtr", manufacturer: .carillon)
        #expect(UnitCatalog.first(matching: limiter)?.name == "limiter")
        #expect(UnitCatalog.first(matching: ComponentDescription(type: "none")) == nil)
    }

    @Test func aUnitIsRegisteredOnce() throws {
        let entry = UnitEntry(SignalSource.self)
        #expect(UnitCatalog.register(entry))
        #expect(!UnitCatalog.register(entry))
        #expect(UnitCatalog.named("signal") != nil)
        #expect(UnitCatalog.first(matching: SignalSource.descriptor.component)?.name == "signal")
    }

    @Test func aStartValueThatNoParameterHasIsRefused() throws {
        let setup = UnitSetup(sampleRate: 48_000, startValues: ["ceilling": -1])
        let error = #expect(throws: UnitError.self) { _ = try UnitInstance.make(Limiter.self, setup) }
        #expect(
            error?.description.contains("has no parameter ceilling; did you mean ceiling?") == true, "\(error?.description ?? "")"
        )
    }

    @Test func aMixerSaysHowManyInputsItCanHave() throws {
        let entry = try #require(UnitCatalog.named("multichannel-mixer"))
        #expect(try entry.make(UnitSetup(sampleRate: 48_000, inputCount: 16)).inputs.count == 16)
        #expect(throws: UnitError.self) { try entry.make(UnitSetup(sampleRate: 48_000, inputCount: 100_000)) }
    }
}
