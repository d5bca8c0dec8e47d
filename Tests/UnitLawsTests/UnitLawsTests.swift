import CarillonTestKit
import Testing
import UnitAPI
import Units

/// Every unit of the catalogue obeys the laws; a new unit is tested by being in the catalogue
/// (that it is there, `RenderSideTests` sees to).
@Suite struct UnitLawsTests {
    static let names = StandardUnits.entries.map(\.name)

    @Test(arguments: names) func aUnitObeysTheLaws(_ name: String) throws {
        let entry = try #require(StandardUnits.entries.first { $0.name == name })
        let unit = UnitUnderTest(descriptor: entry.descriptor, specs: entry.parameters, make: entry.make)
        let broken = try checkUnit(unit)
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }
}
