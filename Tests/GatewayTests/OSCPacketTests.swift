import CarillonTestKit
import Testing

@testable import Gateway

/// Datagrams of OSC, those that are none, and those that nobody would send.
@Suite struct OSCPacketTests {
    /// The examples of the specification (OSC 1.0, Wright 2002).
    @Test func theSpecificationsExamplesAreReadAndWritten() throws {
        let frequency = OSCMessage(address: "/oscillator/4/frequency", arguments: [.single(440)])
        let bytes = Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xdc, 0, 0]
        #expect(try OSCPacket.messages(bytes) == [frequency] && OSCPacket.bytes(frequency) == bytes)
        let foo = OSCMessage(
            address: "/foo", arguments: [.whole(1000), .whole(-1), .text("hello"), .single(1.234), .single(5.678)])
        let long =
            Array("/foo\0\0\0\0,iisff\0\0".utf8) + [0, 0, 3, 0xe8, 0xff, 0xff, 0xff, 0xff] + Array("hello\0\0\0".utf8)
            + [0x3f, 0x9d, 0xf3, 0xb6, 0x40, 0xb5, 0xb2, 0x2d]
        #expect(try OSCPacket.messages(long) == [foo] && OSCPacket.bytes(foo) == long)
    }

    @Test func everyTagGoesThereAndBack() throws {
        // A text of four bytes before it puts a number of eight across.
        let all = OSCMessage(
            address: "/a",
            arguments: [
                .whole(.min), .double(.pi), .text("a\u{fc}\u{1f3b5}"), .wide(.max), .text(""), .double(-0.1), .flag(true),
                .single(.leastNormalMagnitude), .flag(false), .text("abc"), .wide(-1), .text("abcd"),
            ])
        #expect(try OSCPacket.messages(OSCPacket.bytes(all)) == [all])
        #expect(OSCPacket.bytes(all).count % 4 == 0)
        // A symbol is a text; what has no tags has no arguments.
        #expect(try OSCPacket.messages(Array("/a\0\0,S\0\0abc\0".utf8)) == [OSCMessage(address: "/a", arguments: [.text("abc")])])
        #expect(try OSCPacket.messages(Array("/abc\0\0\0\0".utf8)) == [OSCMessage(address: "/abc")])
    }

    private static func bundle(_ parts: [[UInt8]], time: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]) -> [UInt8] {
        Array("#bundle\0".utf8) + time
            + parts.flatMap { part in
                (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (24 - 8 * $0)) } + part
            }
    }

    @Test func bundlesAreReadInOrderWheneverTheyWereMeant() throws {
        let messages = ["/a", "/b", "/c", "/d"].map { OSCMessage(address: $0, arguments: [.text($0)]) }
        let parts = messages.map(OSCPacket.bytes)
        let inner = Self.bundle([parts[1], Self.bundle([]), parts[2]], time: Array(repeating: 255, count: 8))
        #expect(try OSCPacket.messages(Self.bundle([parts[0], inner, parts[3]])) == messages)
        var deep = parts[0]
        for _ in 0..<OSCPacket.deepest { deep = Self.bundle([deep]) }
        #expect(try OSCPacket.messages(deep) == [messages[0]])
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(Self.bundle([deep])) }
        let many = Array(repeating: parts[0], count: OSCPacket.mostMessages)
        #expect(try OSCPacket.messages(Self.bundle(many)).count == OSCPacket.mostMessages)
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(Self.bundle(many + [parts[0]])) }
        // All of it or nothing.
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(Self.bundle([parts[0], Array("/b\0\0,b\0\0".utf8)])) }
    }

    @Test(arguments: [
        "", "/", "/\0\0", "abc\0", "/abc", "/abc\0", "/a\0\0,i\0\0", "/a\0\0,i\0\0\0\0\0", "/a\0\0,\0\0\0abcd",
        "/a\0\0i\0\0\0abcd",
        "/a\0\0,s\0\0", "/a\0\0,s\0\0abcd", "/a\0\0,s", "/a\0\0,ii\0abcd", "/a\0\0,d\0\0abcd", "/a\0\0,sss", "/a\0x,i\0\0abcd",
        // Blobs, arrays, colours, MIDI and what has no name.
        "/a\0\0,b\0\0", "/a\0\0,b\0\0\u{7f}\u{7f}\u{7f}\u{7f}", "/a\0\0,b\0\0\0\0\0\0", "/a\0\0,[i]\0\0\0\0abcd",
        "/a\0\0,r\0\0abcd",
        "/a\0\0,m\0\0abcd", "/a\0\0,Z\0\0", "/a\0\0,N\0\0", "#bundle\0", "#bundle\0\0\0\0\0\0\0\0", "#bundl\0\0",
        "#bundle\0\0\0\0\0\0\0\0\u{1}\0\0\0\0", "#bundle\0\0\0\0\0\0\0\0\u{1}\u{7f}\u{7f}\u{7f}\u{7f}/a\0\0",
        "#bundle\0\0\0\0\0\0\0\0\u{1}\0\0\0\u{3}/a\0", "#bundle\0\0\0\0\0\0\0\0\u{1}\0\0",
    ])
    func whatIsNoOSCIsDropped(_ text: String) {
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(Array(text.utf8)) }
    }

    @Test func whatIsTooMuchOrNoTextIsDropped() throws {
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(Array("/a\0\0,s\0\0".utf8) + [0xff, 0xfe, 0, 0]) }
        #expect(throws: OSCError.malformed) { try OSCPacket.messages([0x2f, 0xff, 0, 0]) }
        let room = OSCMessage(address: "/a", arguments: Array(repeating: .flag(true), count: OSCPacket.mostArguments))
        #expect(try OSCPacket.messages(OSCPacket.bytes(room)) == [room])
        let over = OSCMessage(address: "/a", arguments: room.arguments + [.flag(true)])
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(OSCPacket.bytes(over)) }
        let long = OSCMessage(address: "/a", arguments: [.text(String(repeating: "a", count: OSCPacket.longest - 9))])
        #expect(OSCPacket.bytes(long).count == OSCPacket.longest)
        #expect(try OSCPacket.messages(OSCPacket.bytes(long)) == [long])
        let longer = OSCMessage(address: "/a", arguments: [.text(String(repeating: "a", count: OSCPacket.longest - 8))])
        #expect(throws: OSCError.malformed) { try OSCPacket.messages(OSCPacket.bytes(longer)) }
    }

    /// What comes of mutilated datagrams is a message or nothing, and a message becomes a line of printable words or an error.
    @Test func twentyThousandMutilatedDatagramsBreakNothing() throws {
        var random = SeededRandom(seed: 11)
        let messages = [
            OSCMessage(address: "/carillon/seek/bar", arguments: [.whole(12)]),
            OSCMessage(address: "/carillon/scene", arguments: [.text("Big Organ")]),
            OSCMessage(address: "/carillon/note", arguments: [.wide(1), .single(60), .double(100), .text("0.5s")]),
            OSCMessage(address: "/carillon/loop", arguments: [.flag(true)]), OSCMessage(address: "/carillon/ping"),
        ]
        let seeds = messages.map(OSCPacket.bytes)
        let whole = seeds + [Self.bundle(seeds), Self.bundle([Self.bundle(seeds), seeds[0]])]
        var read = 0, refused = 0, dropped = 0
        for _ in 0..<20_000 {
            let bytes = random.mutilated(whole[random.below(whole.count)])
            do throws(OSCError) {
                for message in try OSCPacket.messages(bytes) {
                    do throws(OSCError) {
                        let line = try OSCRequest.line(message)
                        #expect(!line.isEmpty && !line.utf8.contains(where: { [10, 13, 0].contains($0) }))
                        read += 1
                    } catch { refused += 1 }
                }
            } catch {
                #expect(error == .malformed)
                dropped += 1
            }
        }
        #expect(read > 5000 && refused > 200 && dropped > 5000, "\(read) \(refused) \(dropped)")
    }
}
