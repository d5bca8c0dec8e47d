import MIDI
import Testing

@Suite struct SystemExclusiveAssemblerTests {
    private func pieces(_ message: [UInt8], of length: Int) -> [[UInt8]] {
        stride(from: 0, to: message.count, by: length).map { Array(message[$0..<min($0 + length, message.count)]) }
    }

    @Test(arguments: [1, 2, 255, 256, 1_000, 65_536]) func piecesOfAnyLengthGiveTheMessage(_ length: Int) {
        var assembler = SystemExclusiveAssembler()
        let message = [0xF0] + [UInt8](repeating: 0x11, count: SystemExclusiveAssembler.limit - 2) + [0xF7]
        var whole: [[UInt8]] = []
        for piece in pieces(message, of: length) {
            if let complete = assembler.take(piece, at: 0) { whole.append(complete) }
        }
        #expect(whole == [message] && assembler.lost == 0 && assembler.expiry == nil)
    }

    @Test func aMessageWithoutEndTakesNoMoreThanItsLimit() {
        var assembler = SystemExclusiveAssembler()
        _ = assembler.take([0xF0], at: 0)
        for _ in 0..<1_000 { #expect(assembler.take([UInt8](repeating: 1, count: 256), at: 0) == nil) }
        #expect(assembler.lost == 1 && assembler.expiry == nil)
        #expect(assembler.take([0xF7], at: 0) == nil)
        #expect(assembler.take([0xF0, 1, 0xF7], at: 0) == [0xF0, 1, 0xF7])
    }

    @Test func aMessageIsGivenUpWhenItsRestDoesNotComeOrAnotherBegins() {
        var assembler = SystemExclusiveAssembler()
        _ = assembler.take([0xF0, 1], at: 0)
        #expect(assembler.expiry == SystemExclusiveAssembler.patience)
        #expect(assembler.take([2, 0xF7], at: SystemExclusiveAssembler.patience) == nil)
        _ = assembler.take([0xF0, 1], at: 0)
        #expect(assembler.take([0xF0, 2, 0xF7], at: 1) == [0xF0, 2, 0xF7])
        #expect(assembler.lost == 3)
    }
}
