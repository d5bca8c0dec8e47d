/// A list with memory of its own.
public class MIDIListBuilder<List, Packet> {
    fileprivate let list: UnsafeMutablePointer<List>
    fileprivate let size: Int
    fileprivate var last: UnsafeMutablePointer<Packet>
    private let number: KeyPath<List, UInt32>
    private let empty: (UnsafeMutablePointer<List>) -> UnsafeMutablePointer<Packet>

    fileprivate init(
        _ bytes: Int, _ number: KeyPath<List, UInt32>,
        _ empty: @escaping (UnsafeMutablePointer<List>) -> UnsafeMutablePointer<Packet>
    ) {
        size = max(bytes, MemoryLayout<List>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        list = memory.bindMemory(to: List.self, capacity: 1)
        (self.number, self.empty, last) = (number, empty, empty(list))
    }

    deinit { UnsafeMutableRawPointer(list).deallocate() }

    /// The number of packets.
    public var count: Int { Int(list.pointee[keyPath: number]) }

    /// Takes all packets out.
    public func clear() { last = empty(list) }

    /// Passes the list on for the time of a call.
    public func withUnsafePointer<Result>(_ body: (UnsafePointer<List>) throws -> Result) rethrows -> Result { try body(list) }

    /// Null is no optional of C's: it must not become one.
    fileprivate func added(_ packet: UnsafeMutablePointer<Packet>) -> UnsafePointer<Packet>? {
        guard UInt(bitPattern: packet) != 0 else { return nil }
        last = packet
        return UnsafePointer(packet)
    }
}

extension MIDIPacketList {
    /// A packet list with memory of its own.
    public final class Builder: MIDIListBuilder<MIDIPacketList, MIDIPacket> {
        /// A list of so many bytes, its head included.
        public init(byteSize: Int) { super.init(byteSize, \.numPackets) { MIDIPacketListInit($0) } }

        /// Adds bytes. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
            added(data.isEmpty ? last : MIDIPacketListAdd(list, size, last, timestamp, data.count, data))
        }
    }
}

extension MIDIEventList {
    /// An event list with memory of its own.
    public final class Builder: MIDIListBuilder<MIDIEventList, MIDIEventPacket> {
        /// A list of so many words of a protocol, its head included.
        public init(inProtocol: MIDIProtocolID, wordSize: Int = 64) {
            super.init(wordSize > Int.max / 8 ? 0 : 4 * wordSize, \.numPackets) { MIDIEventListInit($0, inProtocol) }
        }

        /// Adds words. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>? {
            added(words.isEmpty ? last : MIDIEventListAdd(list, size, last, timestamp, words.count, words))
        }
    }
}
