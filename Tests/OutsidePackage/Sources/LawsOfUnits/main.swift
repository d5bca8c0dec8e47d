import Carillon
import CarillonTestKit
import Hearing

// Units of the catalogue, named as arguments, under the laws.
let names = CommandLine.arguments.dropFirst()
expect(!names.isEmpty, "names of units are missing")
for name in names {
    guard let entry = UnitCatalog.named(name) else {
        expect(false, "the catalogue has no \(name)")
        continue
    }
    let broken = try checkUnit(
        UnitUnderTest(descriptor: entry.descriptor, specs: entry.parameters) { (setup) throws(UnitError) in try entry.make(setup) })
    expect(broken.isEmpty, "\(name): " + broken.map(\.description).joined(separator: "\n"))
}
print("\(names.joined(separator: ", ")): no law broken")
