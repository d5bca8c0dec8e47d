import CarillonTestKit
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Gateway

/// What comes from those who mean no good, or have lost their way.
@Suite struct FloodTests {
    @Test func aBodyThatIsTooLongIsNotWaitedFor() throws {
        let open = try OpenSession(hasSession: false)
        let told = HTTPClient(open.port)
        told.send("POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000000\r\n\r\nplay")
        #expect(told.response().status == 413)
        #expect(!told.read())
        let chunked = HTTPClient(open.port)
        chunked.send("POST /api/command HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunked.send("2000\r\n" + String(repeating: "a", count: 8192) + "\r\n")
        #expect(chunked.response().status == 413)
        let long = HTTPClient(open.port)
        #expect(long.post("/api/command", String(repeating: "a", count: 4097)).status == 413)
    }

    @Test func aHeadThatIsTooLongIsCutOff() throws {
        let open = try OpenSession(hasSession: false), client = HTTPClient(open.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
        for _ in 0..<200 where !client.isCut { client.send("X: " + String(repeating: "a", count: 8000) + "\r\n") }
        let status = client.response().status
        #expect(status == 400 || status == 431 || status == 0)
        while client.read() {}
        let here = HTTPClient(open.port)
        #expect(here.get("/", (0..<90).map { "X-\($0): a" }).status == 200)
        #expect(here.get("/", (0..<110).map { "X-\($0): a" }).status == 400)
        #expect(HTTPClient(open.port).get("/", ["X: " + String(repeating: "a", count: 20_000)]).status == 400)
        #expect(HTTPClient(open.port).get("/", (0..<7).map { "X-\($0): " + String(repeating: "a", count: 10_000) }).status == 400)
        #expect(HTTPClient(open.port).get("/").status == 200)
    }

    /// Without real time: a request that comes byte by byte, and an answer that nobody waits for.
    @Test func whoIsSlowIsCutOff() throws {
        let access = AccessControl(tokens: nil, origins: [], addresses: [])
        let loop = EmbeddedEventLoop(), peer = SessionPeer("/proc/nowhere", on: loop)
        let channel = EmbeddedChannel(loop: loop)
        try channel.pipeline.syncOperations.addHandler(HTTPConnection(Routes(peer, access), access))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/api/command", headers: ["host": "localhost"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        for _ in 0..<19 {
            loop.advanceTime(by: .seconds(1))
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "a")))
            #expect(channel.isActive)
        }
        loop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func oneAddressHasItsShareOfConnections() throws {
        let open = try OpenSession(hasSession: false)
        var clients = (0..<Gateway.mostOfOne).map { _ in HTTPClient(open.port) }
        for client in clients { #expect(client.get("/health").status != 0) }
        let refused = HTTPClient(open.port).get("/health")
        #expect(refused.status == 503 && refused.body.contains("too many connections"))
        // Without a session health is 503 as well, in other words.
        clients.removeFirst(10)
        while !HTTPClient(open.port).get("/health").body.contains("the session is not there") { usleep(20_000) }
    }

    @Test func whoAsksTooOftenIsToldSo() throws {
        let open = try OpenSession(), client = HTTPClient(open.port)
        let request = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(String(repeating: request, count: 1000))
        let statuses = (0..<1000).map { _ in client.response().status }
        #expect(statuses.contains(429) && statuses.prefix(50).allSatisfy { $0 == 200 })
        open.close()
    }

    @Test func ratesAreKeptByAddressAndBounded() {
        var rates = RequestRates(perSecond: 10, burst: 20)
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var taken: [Bool] = []
        for _ in 0..<25 { taken.append(rates.take("a", now: start)) }
        #expect(taken == Array(repeating: true, count: 20) + Array(repeating: false, count: 5))
        taken = [rates.take("b", now: start)]
        for _ in 0..<6 { taken.append(rates.take("a", now: start + .milliseconds(500))) }
        #expect(taken == [true, true, true, true, true, true, false])
        // A crowd of addresses does not grow the table, and who was there has what he had.
        for number in 0..<5000 { _ = rates.take("x\(number)", now: start + .milliseconds(500)) }
        #expect(rates.count <= RequestRates.room + 1)
        taken = [rates.take("a", now: start + .milliseconds(500))]
        #expect(taken == [false])
    }

    /// Random bytes, requests that were mutilated, frames that were: none ends the gateway or reaches the session unharmed.
    @Test func whateverIsSentNothingBreaks() throws {
        let open = try OpenSession()
        var random = SeededRandom(seed: 7)
        let seeds = [
            "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /api/command HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 5\r\n\r\npause", "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n",
            "POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ].map { Array($0.utf8) }
        for _ in 0..<500 {
            let client = HTTPClient(open.port)
            client.send(random.mutilated(seeds[random.below(seeds.count)]))
            shutdown(client.descriptor, Int32(SHUT_WR))
            while client.read() {}
        }
        for _ in 0..<100 {
            let client = WebSocketClient(open.port)
            guard client.status == 101 else { continue }
            for _ in 0..<100 {
                let payload = Array("tempo 90%".utf8).prefix(random.below(10))
                client.http.send(random.mutilated(WebSocketClient.frame(random.below(3) == 0 ? 0x01 : 0x81, Array(payload))))
            }
            shutdown(client.http.descriptor, Int32(SHUT_WR))
            while client.http.read() {}
        }
        while HTTPClient(open.port).get("/health").status != 200 { usleep(20_000) }
        #expect(HTTPClient(open.port).post("/api/command", "tempo 2").body == "{\"answer\":\"ok\"}\n")
        open.close()
    }
}

extension SeededRandom {
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// These bytes with some changed, taken away, doubled.
    mutating func mutilated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<below(5) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(4) {
            case 0: bytes[place] = UInt8(below(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.removeLast(below(bytes.count))
            default: bytes.insert(contentsOf: bytes[place...].prefix(below(40)), at: place)
            }
        }
        return bytes
    }
}
