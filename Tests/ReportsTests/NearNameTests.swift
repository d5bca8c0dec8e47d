import Reports
import Testing

/// Names that were probably meant.
@Suite struct NearNameTests {
    private static let options = ["output", "soundfont", "instrument", "set", "gain", "dry", "rate", "tail", "max-duration"]

    @Test(arguments: [
        ("ouput", "output"), ("soundfonts", "soundfont"), ("Rate", "rate"), ("max-duraton", "max-duration"),
        ("maxduration", "max-duration"), ("max-dur", "max-duration"), ("gian", "gain"), ("sett", "set"),
    ])
    func aSlipOfTheFingersIsUnderstood(_ text: String, _ name: String) {
        #expect(NearName.of(text, among: Self.options) == name)
    }

    @Test(arguments: ["stems", "s", "", "loop", "wav", "jobs", "normalize"]) func whatIsSomethingElseGetsNoSuggestion(
        _ text: String
    ) {
        #expect(NearName.of(text, among: Self.options) == nil)
    }
}
