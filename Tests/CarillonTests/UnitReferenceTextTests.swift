import Testing

@testable import Carillon

/// The list of units as a terminal shows it.
@Suite struct UnitReferenceTextTests {
    private func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

    @Test(arguments: [40, 60, 80, 132], [false, true]) func linesOfTheListFitTheTerminal(_ width: Int, _ isDetailed: Bool) {
        let text = UnitReference.text(UnitReference.all, isDetailed: isDetailed, width: width)
        let wide = text.split(separator: "\n").filter { $0.count > width && $0.contains(" ") && words(String($0)).count > 1 }
        #expect(wide.isEmpty, "\(wide.prefix(3))")
        #expect(words(text) == words(UnitReference.text(UnitReference.all, isDetailed: isDetailed)))
    }
}
