import CoreMIDI
import Testing

@testable import CoreMIDI

@Suite struct CoreMIDIPacketTests {
    @Test func aListIsFilledUntilItIsFull() {
        let builder = MIDIPacketList.Builder(byteSize: 300)
        builder.append(timestamp: 5, data: [0x90, 60, 100])
        builder.append(timestamp: 5, data: [0x80, 60, 0])
        builder.append(timestamp: 6, data: [0xF0, 1, 2])
        builder.append(timestamp: 6, data: [3, 0xF7])
        builder.append(timestamp: 6, data: [0xC0, 5])
        // Of one moment and no exclusive: one packet.
        #expect(builder.count == 4)
        #expect(builder.append(timestamp: 7, data: [UInt8](repeating: 0, count: 250)) == nil && builder.count == 4)
        builder.withUnsafePointer { list in
            let packets = list.unsafeSequence().map { ($0.pointee.timeStamp, Array($0.bytes())) }
            #expect(packets.map(\.0) == [5, 6, 6, 6])
            #expect(packets.map(\.1) == [[0x90, 60, 100, 0x80, 60, 0], [0xF0, 1, 2], [3, 0xF7], [0xC0, 5]])
            for packet in list.unsafeSequence() { #expect(UInt(bitPattern: packet) % 4 == 0) }
        }
        builder.clear()
        #expect(builder.count == 0)
    }

    @Test func pointersWalkAsInC() {
        var list = MIDIPacketList(), bytes: [UInt8] = [0x91, 1, 2]
        var packet = MIDIPacketListInit(&list)
        packet = MIDIPacketListAdd(&list, MemoryLayout<MIDIPacketList>.size, packet, 9, 3, &bytes)
        #expect(list.numPackets == 1 && list.packet.length == 3 && list.packet.data.0 == 0x91 && list.packet.timeStamp == 9)
        packet = MIDIPacketListAdd(&list, 16, packet, 10, 3, &bytes)
        #expect(UInt(bitPattern: packet) == 0 && list.numPackets == 1)
        for (size, count) in [(-1, 3), (0, 3), (Int.max / 2, -1), (1 << 20, 70_000)] {
            let added = MIDIPacketListAdd(&list, size, MIDIPacketListInit(&list), 1, count, &bytes)
            #expect(UInt(bitPattern: added) == 0)
        }
    }

    @Test func wordsFillAList() {
        let builder = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 100)
        builder.append(timestamp: 1, words: [MIDI1UPNoteOn(0, 0, 60, 64)])
        builder.append(timestamp: 1, words: [MIDI1UPNoteOff(0, 0, 60, 64)])
        builder.append(timestamp: 2, words: [MIDI1UPControlChange(0, 3, 7, 127)])
        builder.withUnsafePointer { list in
            #expect(list.pointee.protocol == ._1_0)
            #expect(list.unsafeSequence().map { Array($0.words()) } == [[0x2090_3C40, 0x2080_3C40], [0x20B3_077F]])
        }
        #expect(builder.append(timestamp: 3, words: [UInt32](repeating: 0, count: 65)) == nil && builder.count == 2)
    }

    @Test(
        arguments: [
            ([0x90, 60, 64], [0x2090_3C40]), ([0xC5, 7], [0x20C5_0700]), ([0xF2, 1, 2], [0x10F2_0102]), ([0xF8], [0x10F8_0000]),
            ([0xE0, 0, 64, 0xB0, 7, 1], [0x20E0_0040, 0x20B0_0701]), ([0xF0, 1, 2, 0xF7], [0x3002_0102, 0]),
            ([0xF0, 1, 2, 3, 4, 5, 6, 0xF7], [0x3006_0102, 0x0304_0506]), ([0xF0, 0xF7], [0x3000_0000, 0]),
            ([0xF6], [0x10F6_0000]),
            ([0xF0, 1, 2, 3, 4, 5, 6, 7, 0xF7], [0x3016_0102, 0x0304_0506, 0x3031_0700, 0]),
        ] as [([UInt8], [UInt32])])
    func bytesAreWordsAndTheSameBytes(_ bytes: [UInt8], _ words: [UInt32]) {
        var writer = UniversalWords()
        #expect(writer.words(bytes) == words)
        #expect(UniversalWords.bytes(words)?.flatMap { $0 } == bytes)
    }

    @Test func exclusivesComeInPiecesOfAnyLength() {
        let message = [0xF0] + (0..<100).map { UInt8($0) } + [0xF7]
        for length in 1...40 {
            var writer = UniversalWords(), words: [UInt32] = []
            for start in stride(from: 0, to: message.count, by: length) {
                words += writer.words(Array(message[start..<min(start + length, message.count)]))
                words += writer.words([0xFE])
            }
            let bytes = UniversalWords.bytes(words)?.flatMap { $0 }
            #expect(bytes?.filter { $0 != 0xFE } == message, "\(length)")
        }
        // Another status ends a message; what belongs to none is left out.
        var writer = UniversalWords()
        #expect(writer.words([1, 2, 0xF0, 1, 0x90, 60, 1, 61, 2]) == [0x2090_3C01, 0x2090_3D02])
    }

    @Test func wordsOfMIDI2AreRefused() {
        #expect(UniversalWords.bytes([0x4090_3C00, 0xFFFF_0000]) == nil && UniversalWords.bytes([0x5000_0000]) == nil)
        #expect(UniversalWords.bytes([0x0000_0000, 0x2090_3C40]) == [[0x90, 60, 64]])
        #expect(UniversalWords.bytes([0x3006_0102]) == nil)
    }
}
