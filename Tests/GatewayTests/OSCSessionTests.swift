import Foundation
import Testing

@testable import Gateway

/// OSC through a socket of the system, before a session that plays.
@Suite struct OSCSessionTests {
    private static let tokens = Tokens([(.full, "full-token-0123456789"), (.reader, "reader-token-012345678")])

    @Test func aMessageSteersAndARefusedOneSaysWhy() throws {
        let open = try OpenSession(), client = OSCClient(open.oscPort), page = HTTPClient(open.port)
        client.send("ping")
        #expect(client.next() == OSCMessage(address: "/carillon/pong"))
        client.send("tempo", .single(2))
        while !page.get("/api/status").body.contains("\"factor\":2") { sched_yield() }
        client.send("tempo", .whole(11))
        #expect(client.error.hasPrefix("tempo: 11 is out of range"))
        client.send("mute", .whole(1), .flag(true))
        while !page.get("/api/status").body.contains("\"muted\":[1]") { sched_yield() }
        client.send("quit")
        #expect(client.error.contains("not allowed through this socket"))
        client.send("save-recording", .text("/etc/x"))
        #expect(client.error.contains("name cannot be chosen"))
        client.send("no/such/thing")
        #expect(client.error.contains("there is no command \"no\""))
        client.send("help")
        #expect(client.error == "help: the answer is too long for OSC; ask for it through HTTP")
        client.send("health")
        #expect(client.next("answer")?.arguments == [.text("ok")])
        client.send("sounds")
        #expect(client.next("answer")?.arguments == [.text("{\"sounds\":[]}")])
        open.close()
        client.send("play")
        #expect(client.error == "the session is not there")
    }

    @Test func aBundleIsObeyedInOrder() throws {
        let open = try OpenSession(), client = OSCClient(open.oscPort), page = HTTPClient(open.port)
        let parts = [
            OSCMessage(address: "/carillon/volume", arguments: [.double(-12)]),
            OSCMessage(address: "/carillon/volume", arguments: [.double(-9)]), OSCMessage(address: "/carillon/ping"),
        ].map(OSCPacket.bytes)
        client.send(
            Array("#bundle\0".utf8) + Array(repeating: 255, count: 8) + parts.flatMap { [0, 0, 0, UInt8($0.count)] + $0 })
        #expect(client.next("pong") != nil)
        while !page.get("/api/status").body.contains("\"volume\":-9") { sched_yield() }
        open.close()
    }

    @Test func whoSubscribesHearsTheSongGoOn() throws {
        let open = try OpenSession(), client = OSCClient(open.oscPort)
        client.send("subscribe")
        // None before the session's first turn.
        var song = client.next("song")?.arguments
        while song == [.text("")] { song = client.next("song")?.arguments }
        #expect(song == [.text("beats")])
        func seconds() throws -> Double {
            guard case .double(let seconds)? = try #require(client.next("position")).arguments.first else { return -1 }
            return seconds
        }
        let first = try seconds()
        #expect(try seconds() > first && first >= 0)
        client.send("status")
        let status = try #require(client.next("status")).arguments
        #expect(status.count == 9 && status[0] == .whole(1) && status[4] == .double(1) && status[8] == .wide(0))
        open.close()
    }

    @Test func aReaderLooksAndDoesNotSteer() throws {
        let open = try OpenSession(tokens: Self.tokens), client = OSCClient(open.oscPort)
        let reader = OSCMessage.Argument.text("reader-token-012345678")
        client.send("tempo", reader, .single(2))
        #expect(client.error.contains("not allowed through this socket"))
        client.send("status", reader)
        #expect(try #require(client.next("status")).arguments[4] == .double(1))
        client.send("tempo", .text("full-token-0123456789"), .single(2))
        client.send("subscribe", reader)
        // As often as the session tells how it stands, which is seldom enough.
        repeat {
            _ = client.next("position")
            client.send("status", reader)
        } while try #require(client.next("status")).arguments[4] != .double(2)
        open.close()
    }

    @Test func anAddressThatOthersReachAsksForAToken() throws {
        var options = Gateway.Options(socket: "/tmp/s", addresses: [])
        options.osc = try ListenAddress("0.0.0.0:0")
        #expect(throws: GatewayError.needsToken(address: "0.0.0.0:0")) { try Gateway(options) }
        let open = try OpenSession(hasSession: false)
        options.osc = try ListenAddress("\(open.oscPort)")
        #expect(throws: GatewayError.self) { try Gateway(options) }
        options.osc = try ListenAddress("0")
        let alone = try Gateway(options)
        #expect(alone.addresses.isEmpty && alone.osc?.isLoopback == true && (alone.osc?.port ?? 0) > 0)
        alone.end()
    }
}
