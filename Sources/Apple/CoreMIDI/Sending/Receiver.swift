/// What takes the packets of an input port or of a virtual destination. Called on the thread of `Delivery` alone.
final class Receiver: @unchecked Sendable {
    private let take: ([TimedBytes], MIDIObjectRef, UnsafeMutableRawPointer?) -> Void

    init(_ proc: @escaping MIDIReadProc, _ refCon: UnsafeMutableRawPointer?) {
        take = { packets, _, source in Self.withList(packets) { proc($0, refCon, source) } }
    }

    init(_ block: @escaping MIDIReadBlock) { take = { packets, _, source in Self.withList(packets) { block($0, source) } } }

    init(_ block: @escaping MIDIReceiveBlock) {
        var writers: [MIDIObjectRef: UniversalWords] = [:]
        take = { packets, origin, source in
            let timed = packets.map { ($0.time, writers[origin, default: UniversalWords()].words($0.bytes)) }
            if timed.allSatisfy({ $0.1.isEmpty }) { return }
            let list = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: timed.reduce(70) { $0 + 3 + 2 * $1.1.count })
            for (time, words) in timed {
                // No message of two words is cut.
                var rest = words[...]
                while let first = rest.first {
                    list.append(timestamp: time, words: Array(rest.prefix(UniversalWords.size(first))))
                    rest = rest.dropFirst(UniversalWords.size(first))
                }
            }
            list.withUnsafePointer { block($0, source) }
        }
    }

    /// `origin` is the endpoint that the packets came from, `source` what the program connected it with.
    func give(_ packets: [TimedBytes], from origin: MIDIObjectRef, _ source: Context) { take(packets, origin, source.pointer) }

    /// A packet of its own for each. Programs copy whole `MIDIPacket`s out, so the memory goes on after the last.
    private static func withList(_ packets: [TimedBytes], _ body: (UnsafePointer<MIDIPacketList>) -> Void) {
        let size = packets.reduce(4 + 2 * MemoryLayout<MIDIPacketList>.size) { $0 + $1.bytes.count + 16 }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
        var place = MIDIPacketListInit(list)
        for packet in packets {
            place.pointee.timeStamp = packet.time
            place.pointee.length = UInt16(truncatingIfNeeded: packet.bytes.count)
            UnsafePointer(place).start.update(from: packet.bytes, count: packet.bytes.count)
            list.pointee.numPackets += 1
            place = MIDIPacketNext(place)
        }
        body(list)
    }
}

extension [TimedBytes] {
    init(_ list: UnsafePointer<MIDIPacketList>) {
        self = list.unsafeSequence().map { TimedBytes(time: $0.pointee.timeStamp, bytes: [UInt8]($0.bytes())) }
    }

    /// The packets of a list; nil where a word is not of the MIDI 1.0 protocol.
    init?(_ list: UnsafePointer<MIDIEventList>) {
        guard list.pointee.protocol == ._1_0 else { return nil }
        self = []
        for packet in list.unsafeSequence() {
            guard let messages = UniversalWords.bytes([UInt32](packet.words())) else { return nil }
            self += messages.map { TimedBytes(time: packet.pointee.timeStamp, bytes: $0) }
        }
    }
}
