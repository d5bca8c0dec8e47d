import Carillon
import Testing

/// The list of units as a terminal shows it.
@Suite struct UnitReferenceTextTests {
    private func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

    @Test(arguments: [40, 60, 80, 132], [false, true]) func linesOfTheListFitTheTerminal(_ width: Int, _ isDetailed: Bool) {
        let text = UnitReference.text(UnitReference.all, isDetailed: isDetailed, width: width)
        let wide = text.split(separator: "\n").filter { $0.count > width && $0.contains(" ") && words(String($0)).count > 1 }
        #expect(wide.isEmpty, "\(wide.prefix(3))")
        // Names take no more than they need.
        let starts = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { line in
            line.firstRange(of: "  ").map {
                line[$0.lowerBound...].prefix { $0 == " " }.count
                    + line.distance(from: line.startIndex, to: $0.lowerBound)
            }
        }
        #expect(starts.allSatisfy { $0 <= 24 }, "\(starts)")
        #expect(words(text) == words(UnitReference.text(UnitReference.all, isDetailed: isDetailed)))
    }

    /// What stands behind the list, too: no word is broken by the terminal.
    @Test func whateverIsSaidGoesOnBelow() {
        let text = "\n  presets of yours: \(Array(repeating: "my-hall", count: 12).joined(separator: ", "))\n\nThe end."
        let fitted = UnitReference.fitted(text, width: 40)
        #expect(fitted.split(separator: "\n").allSatisfy { $0.count <= 40 } && words(fitted) == words(text), "\(fitted)")
        #expect(fitted.contains("\n    my-hall, ") && fitted.hasSuffix("\n\nThe end."), "\(fitted)")
        #expect(UnitReference.fitted(text, width: nil) == text)
    }
}
