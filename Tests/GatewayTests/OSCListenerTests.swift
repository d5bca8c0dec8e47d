import Carillon
import CarillonTestKit
import Installations
import NIOCore
import NIOEmbedded
import Testing

@testable import Control
@testable import EngineCore
@testable import Gateway
@testable import Sessions
@testable import SongRendering

/// Who is listened to, and what is said to whom; in simulated time, and without a network.
@Suite struct OSCListenerTests {
    /// A door with an outside of our own.
    private struct Outside {
        let loop = EmbeddedEventLoop()
        let channel: EmbeddedChannel
        let peer: SessionPeer
        let door: OSCListener

        init(tokens: Tokens? = nil) throws {
            peer = SessionPeer("/proc/nowhere", on: loop)
            door = OSCListener(peer, tokens)
            channel = EmbeddedChannel(loop: loop)
            try channel.pipeline.syncOperations.addHandler(door)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func send(_ bytes: [UInt8], from host: String = "127.0.0.1", port: Int = 5000) throws {
            let sender = try SocketAddress(ipAddress: host, port: port)
            try channel.writeInbound(AddressedEnvelope(remoteAddress: sender, data: ByteBuffer(bytes: bytes)))
        }

        func send(
            _ address: String, _ arguments: OSCMessage.Argument..., from host: String = "127.0.0.1", port: Int = 5000
        ) throws {
            try send(OSCPacket.bytes(OSCMessage(address: "/carillon/" + address, arguments: arguments)), from: host, port: port)
        }

        /// What was said: ports and messages.
        func heard() throws -> [(port: Int, message: OSCMessage)] {
            var heard: [(Int, OSCMessage)] = []
            while let sent = try channel.readOutbound(as: AddressedEnvelope<ByteBuffer>.self) {
                let messages = try OSCPacket.messages(Array(sent.data.readableBytesView))
                heard += messages.map { (sent.remoteAddress.port ?? 0, $0) }
            }
            return heard
        }

        func words() throws -> [String] { try heard().map { String($0.message.address.dropFirst("/carillon/".count)) } }

        /// The session tells how it stands.
        func tell(_ seconds: Double, bar: Int = 1, song: String = "beats", peak: Double = -.infinity) {
            var snapshot = SessionSnapshot()
            snapshot.transport = SessionSnapshot.Transport(
                song: song, number: 1, count: 1, isPlaying: true, seconds: seconds, length: 60, bar: bar, beat: 1, tempo: 120,
                rate: 1, transpose: 0, repetition: .off, channels: [], muted: [], soloed: [])
            snapshot.levels = [SessionSnapshot.Level(peak: peak, average: peak)]
            peer.feed.take(SessionVocabulary.installation.status(snapshot).json)
        }
    }

    private static let tokens = Tokens([(.full, "full-token-0123456789"), (.reader, "reader-token-012345678")])

    @Test func aPingIsAnsweredAndWhoSteersNobodyIsTold() throws {
        let outside = try Outside()
        try outside.send("ping", port: 7001)
        let heard = try outside.heard()
        #expect(heard.count == 1 && heard[0].port == 7001 && heard[0].message == OSCMessage(address: "/carillon/pong"))
        for word in ["play", "status"] {
            try outside.send(word)
            let away = OSCMessage(address: "/carillon/error", arguments: [.text("the session is not there")])
            #expect(try outside.heard().map(\.message) == [away], "\(word)")
        }
    }

    @Test func whatIsNoOSCIsCountedAndNotAnswered() throws {
        let outside = try Outside()
        outside.tell(1)
        for bytes in [[], [0x2f], Array("/a\0\0,b\0\0".utf8), Array(repeating: 0, count: OSCPacket.longest + 1)] {
            try outside.send(bytes)
        }
        #expect(try outside.heard().isEmpty && outside.door.dropped == 4)
        try outside.send("status")
        #expect(try outside.heard().first?.message.arguments.last == .wide(4))
    }

    @Test func requestsThatLastOrBindEverybodyAreRefused() throws {
        let outside = try Outside()
        for (address, part) in [
            ("watch", "send /carillon/subscribe"), ("role", "role is not for OSC"), ("no/such*", "is no address of a request"),
        ] {
            try outside.send(address)
            let heard = try outside.heard()
            guard case .text(let text)? = heard.first?.message.arguments.first else {
                Issue.record("\(address): \(heard)")
                continue
            }
            #expect(text.contains(part), "\(text)")
        }
    }

    // MARK: - Who may

    @Test func fromElsewhereOnlyATokenIsListenedTo() throws {
        let outside = try Outside(tokens: Self.tokens)
        for host in ["192.0.2.1", "2001:db8::1", "0.0.0.0", "::ffff:127.0.0.1"] {
            try outside.send("ping", from: host)
            try outside.send("ping", .text("wrong"), from: host)
            try outside.send("ping", .text("full-token-012345678"), from: host)
            try outside.send("ping", .whole(1), .text("full-token-0123456789"), from: host)
            try outside.send("no such thing", from: host)
            #expect(try outside.heard().isEmpty, "\(host)")
            for token in ["full-token-0123456789", "reader-token-012345678"] {
                try outside.send("ping", .text(token), from: host)
                #expect(try outside.words() == ["pong"], "\(host)")
            }
        }
        #expect(outside.door.dropped == 20)
        // This machine needs none, and may show one.
        try outside.send("ping")
        try outside.send("ping", .text("full-token-0123456789"), from: "::1")
        #expect(try outside.words() == ["pong", "pong"])
    }

    @Test func withoutTokensOnlyThisMachineIsListenedTo() throws {
        let outside = try Outside()
        try outside.send("ping", from: "192.0.2.1")
        try outside.send("ping", .text("full-token-0123456789"), from: "192.0.2.1")
        #expect(try outside.heard().isEmpty && outside.door.dropped == 2)
    }

    @Test func whoSendsTooMuchIsToldOnceAndOthersAreHeard() throws {
        let outside = try Outside(tokens: Self.tokens)
        for _ in 0..<300 { try outside.send("ping", from: "127.0.0.2") }
        let words = try outside.words()
        #expect(words.filter { $0 == "pong" }.count == 100 && words.filter { $0 == "error" }.count == 1)
        #expect(outside.door.dropped == 200)
        try outside.send("ping", from: "127.0.0.3")
        #expect(try outside.words() == ["pong"])
        outside.loop.advanceTime(by: .seconds(1))
        try outside.send("ping", from: "127.0.0.2")
        #expect(try outside.words() == ["pong"])
        // However many strangers send, nobody's share is less.
        for number in 0..<5000 { try outside.send("ping", from: "198.51.\(number / 250).\(number % 250)") }
        try outside.send("ping", .text("reader-token-012345678"), from: "203.0.113.9")
        #expect(try outside.words() == ["pong"])
    }

    // MARK: - Who is told

    @Test func whoSubscribesIsToldWhatChanges() throws {
        let outside = try Outside()
        outside.tell(1)
        try outside.send("subscribe", port: 7001)
        let first = try outside.heard()
        #expect(
            first.allSatisfy { $0.port == 7001 }
                && first.map(\.message) == [
                    OSCMessage(address: "/carillon/song", arguments: [.text("beats")]),
                    OSCMessage(address: "/carillon/playing", arguments: [.whole(1)]),
                    OSCMessage(address: "/carillon/position", arguments: [.double(1), .double(60), .whole(1)]),
                    OSCMessage(address: "/carillon/levels", arguments: [.single(-144)]),
                ])
        // The first telling after that is for all, and says all.
        outside.tell(1.05)
        _ = try outside.heard()
        outside.tell(1.1, bar: 2)
        #expect(
            try outside.heard().map(\.message) == [
                OSCMessage(address: "/carillon/position", arguments: [.double(1.1), .double(60), .whole(2)])
            ])
        outside.tell(1.1, bar: 2)
        #expect(try outside.heard().isEmpty)
        outside.tell(1.1, bar: 2, song: "waltz", peak: -6)
        #expect(try outside.words() == ["song", "levels"])
        outside.peer.feed.take(nil)
        #expect(try outside.words() == ["error"])
        outside.tell(0)
        outside.peer.feed.take("{\"song\":7}")
        outside.peer.feed.take("{\"song\":7}")
        #expect(try outside.words() == ["song", "playing", "position", "levels", "error"])
    }

    @Test func aSubscriptionEndsUnlessItIsRenewed() throws {
        let outside = try Outside()
        outside.tell(1)
        try outside.send("subscribe", .whole(7002), port: 7001)
        #expect(try outside.heard().allSatisfy { $0.port == 7002 })
        outside.loop.advanceTime(by: .seconds(9))
        outside.tell(2)
        #expect(try outside.words().contains("position"))
        try outside.send("subscribe", .single(7002), port: 7001)
        #expect(try outside.heard().isEmpty)
        outside.loop.advanceTime(by: .seconds(9))
        outside.tell(3)
        #expect(try outside.words() == ["position"])
        outside.loop.advanceTime(by: .seconds(2))
        outside.tell(4)
        #expect(try outside.heard().isEmpty)
        try outside.send("subscribe")
        _ = try outside.heard()
        try outside.send("unsubscribe")
        outside.tell(5)
        #expect(try outside.heard().isEmpty)
    }

    @Test func soManyAreToldAtMost() throws {
        let outside = try Outside()
        for port in 0..<OSCSubscribers.most { try outside.send("subscribe", port: 7000 + port) }
        #expect(try outside.heard().isEmpty)
        try outside.send("subscribe", port: 8000)
        #expect(try outside.words() == ["error"])
        outside.tell(1)
        #expect(try outside.heard().count == 4 * OSCSubscribers.most)
        for wrong in [.whole(0), .whole(65_536), .text("7000"), .single(0.5), .double(.nan), .wide(.max)] as [OSCMessage.Argument]
        {
            try outside.send("subscribe", wrong, port: 7000)
            #expect(try outside.words() == ["error"], "\(wrong)")
        }
        outside.loop.advanceTime(by: .seconds(11))
        try outside.send("subscribe", port: 8000)
        #expect(try outside.words() == ["song", "playing", "position", "levels"])
    }

    // MARK: - Keys, floods

    @Test func keysGoUpWithWhoeverSaysNothingMore() {
        var keys = OSCKeys()
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let senders = (0...OSCKeys.most).map { "192.0.2.\($0)" }
        #expect(keys.take("press 1 60 100", from: senders[0], now: start).isEmpty)
        #expect(keys.take("press 1 64 100", from: senders[0], now: start).isEmpty)
        #expect(keys.take("press 1 67 100", from: senders[1], now: start).isEmpty)
        #expect(keys.take("lift 1 67", from: senders[1], now: start).isEmpty)
        keys.hasDone("lift 1 67", from: senders[1])
        keys.hear(senders[0], now: start + .seconds(30))
        keys.hear(senders[1], now: start + .seconds(30))
        #expect(keys.leave(now: start + .seconds(89)).isEmpty)
        #expect(keys.leave(now: start + .seconds(90)) == ["lift 1 60", "lift 1 64"])
        #expect(keys.leave(now: start + .seconds(900)).isEmpty)
        for (number, sender) in senders.enumerated() {
            let lifts = keys.take("press 2 \(number) 1", from: sender, now: start + .seconds(Int64(number)))
            #expect(lifts == (number == OSCKeys.most ? ["lift 2 0"] : []), "\(number)")
        }
    }

    @Test func twentyThousandMutilatedDatagramsLeaveTheDoorOpen() throws {
        let outside = try Outside(tokens: Self.tokens)
        outside.tell(1)
        var random = SeededRandom(seed: 5)
        let seeds = [
            OSCMessage(address: "/carillon/subscribe", arguments: [.whole(7002)]), OSCMessage(address: "/carillon/status"),
            OSCMessage(address: "/carillon/scene", arguments: [.text("full-token-0123456789"), .text("Big Organ")]),
            OSCMessage(address: "/carillon/press", arguments: [.whole(1), .whole(60), .single(100)]),
        ].map(OSCPacket.bytes)
        var answers = 0
        for number in 0..<20_000 {
            let host = random.below(2) == 0 ? "127.0.0.1" : "192.0.2.\(random.below(250))"
            try outside.send(random.mutilated(seeds[random.below(seeds.count)]), from: host, port: 1 + random.below(65_535))
            if number % 50 == 0 {
                outside.loop.advanceTime(by: .milliseconds(500))
                outside.tell(Double(number))
            }
            answers += try outside.heard().count
        }
        #expect(answers > 2000 && outside.door.dropped > 5000, "\(answers) \(outside.door.dropped)")
        outside.loop.advanceTime(by: .seconds(20))
        try outside.send("ping")
        #expect(try outside.words() == ["pong"])
    }
}
