import Carillon
import Foundation
import Installations
import Testing

@testable import Control

/// The guide's requests can be read, and what it asks the status for is there.
@Suite struct HomeAssistantTests {
    private static var guide: String {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = root.appending(path: "Sources/Carillon/Carillon.docc/Guides/HomeAssistant.md")
            return try String(contentsOf: page, encoding: .utf8)
        }
    }

    @Test func everyRequestIsOneThatASessionTakes() throws {
        let requests = try Self.guide.matches(of: /request: "([^"]+)"/).map { String($0.output.1) }
        #expect(requests.count >= 9)
        for request in requests {
            #expect(throws: Never.self, "\(request)") { _ = try ControlGrammar.installation.parse(request) }
        }
    }

    @Test func everyFactIsOneThatTheStatusTells() throws {
        let paths = try Self.guide.matches(of: /value_json\.([a-zA-Z.]+)/).map { String($0.output.1) }
        #expect(paths.count >= 6)
        for path in paths { #expect(Self.tells(path.split(separator: ".").map(String.init)), "\(path)") }
        let attributes = try #require(try Self.guide.firstMatch(of: /json_attributes: \[([^\]]+)\]/)).output.1
        for name in attributes.split(separator: ", ") { #expect(Self.tells(["house", String(name)]), "\(name)") }
    }

    /// Tells whether the status has such a place.
    private static func tells(_ path: [String]) -> Bool {
        var shape = SessionVocabulary.installation.shape
        for key in path {
            if case .optional(let inner) = shape { shape = inner }
            guard case .group(let members) = shape, let member = members.first(where: { $0.name == key }) else { return false }
            shape = member.shape
        }
        return true
    }
}
