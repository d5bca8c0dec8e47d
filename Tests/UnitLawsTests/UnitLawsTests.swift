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

    /// As wide as a unit may be made, and as narrow.
    static let widths = StandardUnits.entries.compactMap { entry in
        entry.descriptor.widths.map { (entry.name, $0.lowerBound, min($0.upperBound, 8)) }
    }

    @Test(arguments: widths) func aUnitObeysTheLawsAtEveryWidth(_ name: String, _ narrowest: Int, _ widest: Int) throws {
        let entry = try #require(StandardUnits.entries.first { $0.name == name })
        for width in [narrowest, widest] {
            let properties: [String: PropertyValue] = [UnitDescriptor.widthProperty: .integer(width)]
            let unit = UnitUnderTest(
                descriptor: try entry.descriptor.fitted(to: properties), specs: entry.parameters
            ) { (setup) throws(UnitError) in
                var setup = setup
                setup.properties.merge(properties) { $1 }
                return try entry.make(setup)
            }
            let broken = try checkUnit(unit)
            #expect(broken.isEmpty, "\(width): \(broken.map(\.description).joined(separator: "\n"))")
        }
    }
}
