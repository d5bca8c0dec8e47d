import Foundation
import Testing

@testable import Gateway

/// What the gateway answers is as `/openapi.json` says.
@Suite struct SchemaTests {
    private static let tokens = Tokens([(.full, "full-token-0123456789"), (.reader, "reader-token-012345678")])

    /// Looks whether a response fits what is said of its path, method and status.
    private func fault(
        _ response: HTTPClient.Response, of path: String, _ method: String = "get", in document: String
    ) throws -> String? {
        let said = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
        var place: Any? = said
        for key in ["paths", path, method, "responses", "\(response.status)", "content", "application/json", "schema", "$ref"] {
            place = (place as? [String: Any])?[key]
        }
        guard let schema = place as? String else { return "\(method) \(path) \(response.status) is not described" }
        return try SchemaCheck(document).fault(json: response.body, as: schema)
    }

    @Test func everyPathAnswersAsItIsDescribed() throws {
        let open = try OpenSession(tokens: Self.tokens), client = HTTPClient(open.port)
        let full = ["Authorization: Bearer full-token-0123456789"], reader = ["Authorization: Bearer reader-token-012345678"]
        let document = client.get("/openapi.json", full).body
        let said = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        let paths = try #require(said["paths"] as? [String: [String: Any]])
        for path in paths.keys.sorted() where paths[path]?["get"] != nil && path != "/metrics" {
            let asked = path == "/api/notes" ? path + "?from=0&to=5" : path
            let response = client.get(asked, full)
            // No installation runs here.
            #expect(response.status == (path == "/api/week" ? 404 : 200), "\(path)")
            #expect(try fault(response, of: path, in: document) == nil, "\(path): \(response.body.prefix(200))")
            if path != "/health" { #expect(try fault(client.get(path), of: path, in: document) == nil, "\(path)") }
        }
        for (line, headers) in [("tempo 1", full), ("tempo 11", full), ("tempo 1", reader), ("tempo 1", [])] {
            let response = client.post("/api/command", line, headers)
            #expect(try fault(response, of: "/api/command", "post", in: document) == nil, "\(line): \(response)")
        }
        #expect(try fault(client.post("/login", "wrong"), of: "/login", "post", in: document) == nil)
        open.close()
        // The session is gone.
        var response = client.get("/api/songs", full)
        while response.status != 503 { response = client.get("/api/songs", full) }
        #expect(try fault(response, of: "/api/songs", in: document) == nil)
        #expect(try fault(client.get("/health", full), of: "/health", in: document) == nil)
    }

    @Test func songsAreLookedForByTheirWords() throws {
        let open = try OpenSession(), client = HTTPClient(open.port)
        #expect(client.get("/api/songs").body.contains("\"name\":\"beats\""))
        #expect(client.get("/api/songs?text=BEA%20eat").body.contains("\"count\":1,"))
        #expect(client.get("/api/songs?text=beats+slow").body.contains("\"count\":0,"))
        for text in ["%22", "%5C%22", "%0Aquit", "\"", "\\"] {
            #expect(client.get("/api/songs?text=\(text)").body.contains("\"count\":0,"), "\(text)")
        }
        for text in ["", "%", "%zz", "%20", "%FF", "+"] {
            #expect(client.get("/api/songs?text=\(text)").body.contains("\"count\":1,"), "\(text)")
        }
        #expect(client.get("/api/status").status == 200)
        open.close()
    }
}
