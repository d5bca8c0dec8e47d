import Carillon
import Testing
import UnitAPI

/// A choice whose names are numbers is its names in a file, and never a place in the list.
@Suite struct NumberedChoiceTests {
    private func text(_ value: String) -> String {
        "version: 1\nunits:\n  metronome: {beat-unit: \(value)}\noutputs: metronome\n"
    }

    @Test func itIsWrittenAsTextAndReadAgain() throws {
        let units = UnitCatalog.entries
        let patch = try PatchFile(text: text("8"), units: units).patch
        #expect(patch[unit: "metronome"]?.values["beat-unit"] == [3])
        let written = try PatchFile.text(of: patch, units: units)
        #expect(written.contains("beat-unit: \"8\""), "\(written)")
        #expect(try PatchFile(text: written, units: units).patch == patch)
    }

    @Test func theSchemaKnowsItsNamesWithQuotesAndWithoutAndNoPlaces() throws {
        let check = try SchemaCheck(PatchSchema.text(units: UnitCatalog.entries))
        for name in ["1", "2", "4", "8", "16"] {
            #expect(try check.fault(text(name)) == nil && check.fault(text("\"\(name)\"")) == nil, "\(name)")
        }
        // The fourth place, and what no name is.
        for wrong in ["3", "0", "\"3\"", "5"] { #expect(try check.fault(text(wrong)) != nil, "\(wrong)") }
    }
}
