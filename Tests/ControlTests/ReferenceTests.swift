import Foundation
import Installations
import Testing

@testable import Control

/// The documentation's page is what the declarations say.
@Suite struct ReferenceTests {
    @Test func thePageIsUpToDate() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/Carillon/Carillon.docc/Reference/Control.md")
        #expect(
            try String(contentsOf: page, encoding: .utf8) == ControlReference(.installation).markdown + "\n",
            "out of date; make it with: carillon ctl help --markdown > Sources/Carillon/Carillon.docc/Reference/Control.md")
    }
}
