import Carillon
import Foundation
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
        for request in requests { #expect(throws: Never.self, "\(request)") { _ = try ControlGrammar.parse(request) } }
    }

    @Test func everyFactIsOneThatTheStatusTells() throws {
        let paths = try Self.guide.matches(of: /value_json\.([a-zA-Z.]+)/).map { String($0.output.1) }
        #expect(paths.count >= 6)
        for path in paths {
            var shape = SessionSnapshot.shape
            for key in path.split(separator: ".") {
                if case .optional(let inner) = shape { shape = inner }
                guard case .group(let members) = shape else { return Issue.record("\(path): \(key) is not there") }
                shape = try #require(members.first { $0.name == key }, "\(path): \(key) is not there").shape
            }
        }
        let attributes = try #require(try Self.guide.firstMatch(of: /json_attributes: \[([^\]]+)\]/)).output.1
        guard
            case .optional(.group(let house)) = try #require(
                { () -> FieldShape? in
                    guard case .group(let members) = SessionSnapshot.shape else { return nil }
                    return members.first { $0.name == "house" }?.shape
                }())
        else { return Issue.record("the status has a house") }
        for name in attributes.split(separator: ", ") { #expect(house.contains { $0.name == name }, "\(name)") }
    }
}
