import Carillon
import Testing

@testable import CarillonCommand

/// Bytes from any terminal, in any pieces, are the keys that were pressed.
@Suite struct KeyReaderTests {
    private static let strokes: [(String, [Key])] = [
        ("a", [.character("a")]),
        (" ?Q", [.character(" "), .character("?"), .character("Q")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OD", [.up, .left]),
        ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[H\u{1B}[1~\u{1B}[7~\u{1B}OH", [.home, .home, .home, .home]),
        ("\u{1B}[F\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.end, .end, .pageUp, .pageDown, .delete]),
        ("\u{1B}[15~x", [.unknown, .character("x")]),
        ("\u{1B}[[Ax", [.unknown, .character("x")]),
        ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
        ("\u{4}\u{C}", [.control("d"), .control("l")]),
        ("\u{1B}x", [.alt("x")]),
        ("\u{1B}[200~quit q\u{1B}[A\r\u{1B}[201~z", [.paste, .character("z")]),
        ("\u{1B}]11;rgb:0/0/0\u{7}a\u{1B}]2;q\u{1B}\\b", [.character("a"), .character("b")]),
        ("\u{E9}\u{20AC}\u{1D11E}", [.character("\u{E9}"), .character("\u{20AC}"), .character("\u{1D11E}")]),
    ]

    @Test(arguments: strokes) func keysAreReadWhateverThePieces(_ text: String, _ keys: [Key]) {
        let bytes = Array(text.utf8)
        var whole = KeyReader()
        #expect(whole.keys(in: bytes) == keys)
        #expect(!whole.isWaiting)
        for cut in bytes.indices {
            var split = KeyReader()
            #expect(split.keys(in: bytes[..<cut]) + split.keys(in: bytes[cut...]) == keys, "cut at \(cut)")
        }
    }

    @Test func escapeAloneIsAKeyWhenNothingFollows() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B]) == [])
        #expect(reader.isWaiting)
        #expect(reader.timeout() == [.escape])
        #expect(!reader.isWaiting)
        #expect(reader.timeout() == [])
        #expect(reader.keys(in: Array("[A".utf8)) == [.character("["), .character("A")])
    }

    @Test func escapeTwiceIsTwoKeys() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B, 0x1B]) == [.escape])
        #expect(reader.timeout() == [.escape])
    }

    @Test func aBrokenSequenceEndsAndLeavesNothing() {
        var reader = KeyReader()
        #expect(reader.keys(in: Array("\u{1B}[12".utf8)) == [])
        #expect(reader.timeout() == [.unknown])
        #expect(reader.keys(in: [0xC3]) == [])
        #expect(reader.keys(in: Array("q".utf8)) == [.character("q")])
        #expect(reader.keys(in: [0xFF, 0x80, 0xE0, 0x80, 0x80]) == [.unknown, .unknown, .unknown])
        #expect(reader.keys(in: Array("q".utf8)) == [.character("q")])
    }

    @Test func noSequenceGrowsWithoutEnd() {
        var reader = KeyReader()
        let endless = [0x1B, UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: "1"), count: 100_000)
        #expect(reader.keys(in: endless).count < 100_000)
        #expect(reader.keys(in: Array("q".utf8)).last == .character("q"))
    }

    @Test func anyBytesAtAllAreSurvived() {
        var state: UInt64 = 1
        var reader = KeyReader()
        for _ in 0..<200_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            _ = reader.keys(in: [UInt8(truncatingIfNeeded: state >> 33)])
        }
        // A paste that never ends would swallow everything: its end ends it.
        _ = reader.keys(in: Array("\u{7}\u{1B}\\\u{1B}[201~".utf8)) + reader.timeout()
        #expect(reader.keys(in: Array("q".utf8)) == [.character("q")])
    }
}
