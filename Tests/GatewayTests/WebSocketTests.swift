import Carillon
import Foundation
import TestFolders
import Testing

@testable import Control
@testable import EngineCore
@testable import Gateway
@testable import Sessions
@testable import SongRendering

/// Watching and steering through a WebSocket.
@Suite struct WebSocketTests {
    @Test func whoWatchesIsToldAndAnsweredInOrder() throws {
        let open = try OpenSession(), client = WebSocketClient(open.port)
        // The first status may be older than the song's.
        var status = client.text(isStatus: true)
        while let text = status, !text.contains("\"beats\"") { status = client.text(isStatus: true) }
        #expect(status != nil)
        for line in ["tempo 2", "tempo 11", "status x", "watch", "volume -3"] { client.send(line) }
        let answers = (0..<5).map { _ in client.text(isStatus: false) ?? "" }
        #expect(answers[0] == "ok" && answers[1].hasPrefix("error tempo") && answers[2].hasPrefix("error"))
        #expect(answers[3] == "ok" && answers[4] == "ok")
        // What another surface changes is shown.
        let other = HTTPClient(open.port)
        #expect(other.post("/api/command", "volume -9").status == 200)
        while let status = client.text(isStatus: true), !status.contains("\"volume\":-9") {}
        client.http.send(WebSocketClient.frame(0x89, [1, 2, 3]))
        while let (opcode, payload) = client.next() {
            if opcode == 10 {
                #expect(payload == [1, 2, 3])
                break
            }
        }
        client.http.send(WebSocketClient.frame(0x88, [3, 232]))
        #expect(client.closing() == 1000)
        open.close()
    }

    @Test func piecesAreOneMessage() throws {
        let open = try OpenSession(), client = WebSocketClient(open.port)
        client.http.send(WebSocketClient.frame(0x01, Array("tem".utf8)) + WebSocketClient.frame(0x00, Array("po ".utf8)))
        client.http.send(WebSocketClient.frame(0x89, []) + WebSocketClient.frame(0x80, Array("2".utf8)))
        #expect(client.text(isStatus: false) == "ok")
        open.close()
    }

    /// Name, what is sent, the code of the end (RFC 6455, 7.4).
    static let malformed: [(String, [UInt8], Set<Int>)] = [
        ("not masked", WebSocketClient.frame(0x81, Array("play".utf8), isMasked: false), [1002]),
        ("binary", WebSocketClient.frame(0x82, [1, 2]), [1003]),
        ("no text", WebSocketClient.frame(0x81, [0xFF, 0xFE]), [1007]),
        ("too long", WebSocketClient.frame(0x81, [], length: [0xFE, 0xFF, 0xFF]), [1009, 1002]),
        (
            "as long as memory", WebSocketClient.frame(0x81, [], length: [0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255]),
            [1009, 1002]
        ),
        (
            "longer than memory", WebSocketClient.frame(0x81, [], length: [0xFF, 0xFF, 255, 255, 255, 255, 255, 255, 255]),
            [1009, 1002]
        ),
        ("a long ping", WebSocketClient.frame(0x89, [UInt8](repeating: 1, count: 126)), [1002, 1009]),
        ("reserved", WebSocketClient.frame(0xF1, Array("play".utf8)), [1002]),
        ("an unknown kind", WebSocketClient.frame(0x83, Array("play".utf8)), [1002]),
        ("a piece of nothing", WebSocketClient.frame(0x80, Array("play".utf8)), [1002]),
        ("pieces without end", (0..<40).flatMap { WebSocketClient.frame($0 == 0 ? 0x01 : 0x00, [65]) }, [1002, 1009]),
    ]

    @Test(arguments: malformed.indices) func whatIsMalformedEndsItAndNothingElse(_ index: Int) throws {
        let (name, bytes, codes) = Self.malformed[index]
        let open = try OpenSession(), client = WebSocketClient(open.port)
        client.http.send(bytes)
        let code = client.closing()
        #expect(code.map { codes.contains($0) } ?? true, "\(name): \(code ?? -1)")
        #expect(HTTPClient(open.port).get("/health").status == 200)
        open.close()
    }

    @Test func aReaderWatchesAndChangesNothing() throws {
        let tokens = Tokens([(.reader, "reader-token-012345678")])
        let open = try OpenSession(tokens: tokens)
        let client = WebSocketClient(open.port, headers: ["Authorization: Bearer reader-token-012345678"])
        #expect(client.text(isStatus: true) != nil)
        client.send("tempo 2")
        #expect(client.text(isStatus: false) == "error tempo: is not allowed through this socket")
        open.close()
    }

    @Test func keysGoUpWithThePhoneThatHeldThem() throws {
        let open = try OpenSession(), stays = WebSocketClient(open.port), other = HTTPClient(open.port)
        do {
            let goes = WebSocketClient(open.port)
            for line in ["press 1 41 100", "press 1 43 100", "press 1 45 100", "lift 1 43"] { goes.send(line) }
            for _ in 0..<4 { #expect(goes.text(isStatus: false) == "ok") }
            stays.send("press 1 47 100")
            #expect(stays.text(isStatus: false) == "ok")
        }
        func keys() -> [Int] {
            let status = other.get("/api/status")
            return status.status != 200 ? [0] : [41, 43, 45, 47].filter { status.body.contains("{\"channel\":1,\"key\":\($0)}") }
        }
        while keys() != [47] { usleep(20_000) }
        open.close()
    }

    /// A cue that plays as long as it is held ends with the phone that holds it; one that plays to its end does not.
    @Test func cuesThatAreHeldEndWithThePhone() throws {
        let status = try #require(
            StatusValue(line: #"{"house":{"cues":[{"name":"hymn","isHeld":true},{"name":"bell","isHeld":false}]}}"#))
        var keys = HeldKeys()
        for line in ["cue hymn", "cue bell", "cue \"two words\""] { keys.hasDone(RequestLine(line)) }
        func releases() -> [String] { keys.releases { status["house"]?.isHeld(cue: $0) ?? false } }
        #expect(releases() == ["release cue hymn"] && keys.lifts.isEmpty)
        keys.hasDone(RequestLine("release cue hymn"))
        #expect(releases() == [])
    }

    /// All who come share one connection of the session's: nobody changes it for the others.
    @Test(arguments: ["role reader", "\trole reader", "role\treader", " role remote", "\twatch 0.05s"])
    func nobodyChangesWhatAllShare(_ line: String) throws {
        let open = try OpenSession(), one = WebSocketClient(open.port), other = HTTPClient(open.port)
        one.send(line)
        #expect(one.text(isStatus: false).map { $0.hasPrefix("error") || $0 == "ok" } == true)
        #expect(other.post("/api/command", line).status == 400)
        for _ in 0..<5 {
            #expect(other.post("/api/command", "volume -1").body == "{\"answer\":\"ok\"}\n")
            #expect(other.get("/api/log").body.hasPrefix("{\"lines\":["))
        }
        open.close()
    }

    @Test func anEndOfANoteThatWasRefusedIsNotForgotten() throws {
        let open = try OpenSession(), other = HTTPClient(open.port)
        do {
            let goes = WebSocketClient(open.port)
            goes.send("press\t1 41 100")
            #expect(goes.text(isStatus: false) == "ok")
            for _ in 0..<160 { goes.send("volume -3") }
            goes.send("lift 1 41")
            goes.send("press 1 43 100")
            for _ in 0..<162 { _ = goes.text(isStatus: false) }
        }
        while other.get("/api/status").body.contains("\"key\":4") { usleep(20_000) }
        let answer = other.post("/api/command", "press 1 60 100")
        #expect(answer.status == 400 && answer.body.contains("WebSocket"))
        open.close()
    }

    /// A house that is closed has nothing new to say for long: who comes is told how it stands all the same.
    @Test func whoComesIsToldAtOnceWhateverIsNew() throws {
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        let socket = try ControlSocket(folder + "/s", inbox: CommandInbox())
        socket.publish(SessionSnapshot()) { _ throws(Fault) in .done }
        let gateway = try Gateway(Gateway.Options(socket: folder + "/s", addresses: [try ListenAddress("0")]))
        let port = gateway.addresses[0].port
        while HTTPClient(port).get("/api/status").status != 200 { usleep(20_000) }
        for _ in 0..<3 { #expect(WebSocketClient(port).text(isStatus: true) != nil) }
        gateway.end()
        socket.end()
    }

    @Test func thereAreSoManyAndNoMore() throws {
        let open = try OpenSession()
        var clients = (0..<Gateway.mostWebSockets).map { _ in WebSocketClient(open.port) }
        #expect(clients.allSatisfy { $0.status == 101 })
        #expect(WebSocketClient(open.port).status == 503)
        clients.removeLast()
        while WebSocketClient(open.port).status != 101 { usleep(20_000) }
        open.close()
    }
}
