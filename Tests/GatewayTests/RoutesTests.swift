import Foundation
import Testing

@testable import Gateway

/// What each path answers, and to whom.
@Suite struct RoutesTests {
    @Test func everyPathTellsWhatItSays() throws {
        let open = try OpenSession(), client = HTTPClient(open.port)
        for (path, part) in [
            ("/", "<!doctype html>"), ("/page/page.js", ""), ("/api/status", "\"statusVersion\":1"), ("/api/role", "full"),
            ("/api/metrics", "\"metrics\""), ("/api/song", "\"beats\""), ("/api/notes?from=0&to=2", "\"notes\":[["),
            ("/api/sounds", "{\"sounds\":[]}"), ("/api/parameters", "mixer.volume"), ("/api/log", "\"lines\""),
            ("/api/help", "\"form\""), ("/health", "\"isHealthy\":true"), ("/metrics", "# TYPE carillon_frames_total counter\n"),
            ("/openapi.json", "\"openapi\":\"3.1.0\""),
        ] {
            let response = client.get(path)
            #expect(response.status == 200 && (part.isEmpty || response.body.contains(part)), "\(path): \(response)")
            #expect(response.headers["x-content-type-options"] == "nosniff")
            let head = client.get(path, method: "HEAD")
            #expect(head.status == 200 && (path == "/api/status" || head.headers["content-length"] != "0"), "\(path)")
        }
        let first = client.get("/")
        let again = client.get("/", ["If-None-Match: \(first.headers["etag"] ?? "")"])
        #expect(again.status == 304 && again.body.isEmpty)
        open.close()
    }

    @Test func aCommandSteersAndARefusedOneSaysWhy() throws {
        let open = try OpenSession(), client = HTTPClient(open.port)
        #expect(client.post("/api/command", "tempo 2").body == "{\"answer\":\"ok\"}\n")
        while !client.get("/api/status").body.contains("\"factor\":2") { usleep(20_000) }
        let refused = client.post("/api/command", "tempo 11\n")
        #expect(refused.status == 400 && refused.body.hasPrefix("{\"error\":\"tempo: 11 is out of range"))
        #expect(client.post("/api/command", "quit").status == 400)
        #expect(client.post("/api/command", "save-recording /etc/x").body.contains("name cannot be chosen"))
        #expect(client.post("/api/command", "tempo 1\nquit").body.contains("one line"))
        #expect(client.post("/api/command", "watch 1").status == 400)
        #expect(client.get("/api/command").status == 405 && client.post("/api/status", "x").status == 405)
        #expect(client.get("/api/notes?from=0&to=999").status == 400 && client.get("/api/notes").status == 400)
        #expect(client.get("/health").status == 200)
        open.close()
    }

    @Test(arguments: [
        "/../../etc/passwd", "/page/../../../etc/passwd", "/page/%2e%2e/%2e%2e/etc/passwd", "/page/..%2f..%2fetc%2fpasswd",
        "//etc/passwd", "/page//etc/passwd", "/page/", "/page/.", "/api/", "/api/quit", "/api/../openapi.json", "/ws",
        "/page/page.js/..", "/page/page.js%00.html", "http://127.0.0.1/etc/passwd",
    ])
    func noPathLeadsOutOfTheTable(_ path: String) throws {
        let open = try OpenSession(hasSession: false), client = HTTPClient(open.port)
        #expect(client.get(path).status == 404, "\(path)")
    }

    @Test func theSessionMayGoAndComeBack() throws {
        let open = try OpenSession(hasSession: false), client = HTTPClient(open.port)
        let away = client.get("/health")
        #expect(away.status == 503 && away.body.contains("the session is not there"))
        #expect(client.get("/api/status").status == 503 && client.post("/api/command", "play").status == 503)
        #expect(client.get("/").status == 200)
        open.open()
        #expect(client.get("/health").status == 200)
        open.close()
        while client.get("/health").status != 503 { usleep(20_000) }
        #expect(client.get("/api/status").status == 503)
    }

    /// A session of another time, or something else at its place, that takes no roles, is not asked anything.
    @Test func aSessionThatTakesNoRoleIsNotAsked() throws {
        let open = try OpenSession(hasSession: false), client = HTTPClient(open.port)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { Foundation.close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: open.path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0 && listen(listener, 8) == 0)
        defer { unlink(open.path) }
        for _ in 0..<6 {
            let one = accept(listener, nil, nil)
            _ = Foundation.send(one, "error role: is not known\n", 25, Int32(MSG_NOSIGNAL))
            var bytes = [UInt8](repeating: 0, count: 1000), text = ""
            while true {
                let count = recv(one, &bytes, bytes.count, 0)
                if count <= 0 { break }
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
            Foundation.close(one)
            #expect(text.hasPrefix("role ") && !text.contains("volume"), "\(text)")
        }
        #expect(client.post("/api/command", "volume -3").status == 503)
    }

    // MARK: - Who may

    private static let tokens = Tokens([(.full, "full-token-0123456789"), (.reader, "reader-token-012345678")])

    @Test func withoutATokenNothingIsToldAndNothingDone() throws {
        let open = try OpenSession(tokens: Self.tokens)
        for headers in [
            [], ["Authorization: Bearer wrong"], ["Authorization: Bearer full-token-012345678"],
            ["Authorization: Bearer full-token-01234567890"], ["Authorization: Basic full-token-0123456789"],
            ["Authorization: Bearer"], ["Cookie: carillon="], ["Cookie: other=full-token-0123456789"],
            ["Authorization: Bearer wrong", "Cookie: carillon=full-token-0123456789"],
        ] {
            // Wrong ones of an address are counted: each has its own gateway.
            let open = try OpenSession(tokens: Self.tokens, hasSession: false), client = HTTPClient(open.port)
            func isKeptOut(_ status: Int) -> Bool { status == 401 || (status == 429 && !headers.isEmpty) }
            for path in ["/api/status", "/api/log", "/metrics", "/openapi.json", "/api/role", "/api/notes?from=0&to=1"] {
                #expect(isKeptOut(client.get(path, headers).status), "\(path) \(headers)")
            }
            #expect(isKeptOut(client.post("/api/command", "tempo 2", headers).status))
            #expect(isKeptOut(WebSocketClient(open.port, headers: headers).status))
        }
        let client = HTTPClient(open.port)
        // The page asks for the token, and whether all is well is for everybody.
        #expect(client.get("/").status == 200 && client.get("/health").status == 200)
        open.close()
    }

    @Test func aTokenOpensAndAReaderLooks() throws {
        let open = try OpenSession(tokens: Self.tokens), client = HTTPClient(open.port)
        let full = ["Authorization: Bearer full-token-0123456789"], reader = ["Authorization: bearer reader-token-012345678"]
        #expect(client.get("/api/role", full).body == "{\"role\":\"full\"}\n")
        #expect(client.get("/api/role", reader).body == "{\"role\":\"reader\"}\n")
        #expect(client.get("/api/status", reader).status == 200)
        #expect(client.post("/api/command", "tempo 2", reader).status == 403)
        #expect(client.post("/api/command", "tempo 2", full).status == 200)
        open.close()
    }

    @Test func aLoginSetsACookieThatNoScriptReads() throws {
        let open = try OpenSession(tokens: Self.tokens), client = HTTPClient(open.port)
        #expect(client.post("/login", "wrong").status == 403)
        let login = client.post("/login", "full-token-0123456789\n"), cookie = login.headers["set-cookie"] ?? ""
        #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        let shown = ["Cookie: theme=dark; \(cookie.prefix { $0 != ";" })"]
        #expect(client.get("/api/role", shown).body.contains("full"))
        #expect(WebSocketClient(open.port, headers: shown).status == 101)
        #expect(client.post("/logout", "").headers["set-cookie"]?.contains("Max-Age=0") == true)
        // Who guesses is told to wait, wherever he guesses; the right one passes all the same.
        let guesses = (0..<8).map { number in
            number % 2 == 0
                ? client.post("/login", "guess").status
                : client.get("/api/role", ["Authorization: Bearer guess"]).status
        }
        #expect(guesses.last == 429 && client.post("/login", "full-token-0123456789").status == 204)
        #expect(client.get("/api/role", ["Authorization: Bearer full-token-0123456789"]).status == 200)
        #expect(WebSocketClient(open.port, headers: ["Authorization: Bearer full-token-0123456789"]).status == 101)
        #expect(WebSocketClient(open.port, headers: ["Authorization: Bearer guess"]).status == 429)
        open.close()
    }

    /// Whatever those send who have no token, from the same address: who has one is not held up by it.
    @Test func aGoodTokenPassesThroughAFloodOfOthers() throws {
        let open = try OpenSession(tokens: Self.tokens), flood = HTTPClient(open.port), client = HTTPClient(open.port)
        let request = "GET /api/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\n\r\n"
        flood.send(String(repeating: request, count: 1000))
        for number in 0..<1000 {
            #expect([401, 429].contains(flood.response().status))
            guard number % 100 == 50 else { continue }
            #expect(client.get("/api/status", ["Authorization: Bearer full-token-0123456789"]).status == 200)
            #expect(client.post("/login", "full-token-0123456789").status == 204)
        }
        open.close()
    }

    /// Behind a proxy each has his own share, if the proxy is trusted; a word of somebody else's counts for nothing.
    @Test func aTrustedProxySaysWhoAsks() throws {
        let open = try OpenSession(tokens: Self.tokens, proxies: ["127.0.0.1"]), client = HTTPClient(open.port)
        func guess(_ headers: String...) -> Int { client.get("/api/role", ["Authorization: Bearer guess"] + headers).status }
        for _ in 0..<6 { _ = guess("X-Forwarded-For: 10.0.0.1") }
        #expect(guess("X-Forwarded-For: 10.0.0.1") == 429 && guess("X-Forwarded-For: 10.0.0.2") == 401)
        // The last hop counts: what stands before it, the one who asks may have written himself.
        #expect(
            guess("X-Forwarded-For: 10.9.9.9, 10.0.0.1") == 429
                && guess("X-Forwarded-For: 10.9.9.9", "X-Forwarded-For: 10.0.0.1") == 429)
        #expect(guess("X-Forwarded-For: nobody") == 401 && guess() == 401)
        // What is asked carries that address.
        let full = ["Authorization: Bearer full-token-0123456789", "X-Forwarded-For: 2001:db8::7"]
        #expect(client.post("/api/command", "tempo 2", full).status == 200)
        open.close()
        let plain = try OpenSession(tokens: Self.tokens, hasSession: false), other = HTTPClient(plain.port)
        let statuses = (0..<7).map {
            other.get("/api/role", ["Authorization: Bearer guess", "X-Forwarded-For: 10.0.0.\($0)"]).status
        }
        #expect(statuses.last == 429)
    }

    @Test func pagesOfOthersMayNotAsk() throws {
        let open = try OpenSession(origins: ["https://museum.example"]), client = HTTPClient(open.port)
        let here = "http://127.0.0.1:\(open.port)"
        for headers in [
            ["Origin: http://evil.example"], ["Origin: null"], ["Host: evil.example"], ["Host: evil.example:\(open.port)"],
            ["Origin: http://127.0.0.1"], ["Origin: \(here).evil.example"], ["Host: 127.0.0.1.evil.example"],
        ] {
            #expect(client.get("/api/status", headers).status == 403, "\(headers)")
            #expect(client.post("/api/command", "tempo 2", headers).status == 403, "\(headers)")
            #expect(WebSocketClient(open.port, headers: headers).status == 403, "\(headers)")
        }
        for origin in [here, "https://museum.example"] {
            #expect(client.get("/api/status", ["Origin: \(origin)"]).status == 200)
            #expect(WebSocketClient(open.port, headers: ["Origin: \(origin)"]).status == 101)
        }
        #expect(client.get("/api/status", ["Host: localhost:1"]).status == 200)
        // A browser that says no origin says at least that the page is another's; a link on such a page opens this one.
        #expect(client.post("/api/command", "tempo 2", ["Sec-Fetch-Site: cross-site"]).status == 403)
        #expect(client.get("/", ["Sec-Fetch-Site: cross-site"]).status == 200)
        #expect(client.post("/api/command", "tempo 1", ["Sec-Fetch-Site: same-origin"]).status == 200)
        open.close()
    }
}
