extension UnsafeMutableRawPointer {
    fileprivate static func zeroed(_ size: Int) -> UnsafeMutableRawPointer {
        let memory = allocate(byteCount: size, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        return memory
    }
}

extension MIDIPacketList {
    /// A packet list with memory of its own.
    public final class Builder {
        private let list: UnsafeMutablePointer<MIDIPacketList>
        private let size: Int
        private var last: UnsafeMutablePointer<MIDIPacket>

        /// A list of so many bytes, its head included.
        public init(byteSize: Int) {
            size = max(byteSize, MemoryLayout<MIDIPacketList>.size)
            list = UnsafeMutableRawPointer.zeroed(size).bindMemory(to: MIDIPacketList.self, capacity: 1)
            last = MIDIPacketListInit(list)
        }

        deinit { UnsafeMutableRawPointer(list).deallocate() }

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Takes all packets out.
        public func clear() { last = MIDIPacketListInit(list) }

        /// Adds bytes. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
            // Null is no optional of C's: it must not become one.
            let packet = data.isEmpty ? last : MIDIPacketListAdd(list, size, last, timestamp, data.count, data)
            guard UInt(bitPattern: packet) != 0 else { return nil }
            last = packet
            return UnsafePointer(packet)
        }

        /// Passes the list on for the time of a call.
        public func withUnsafePointer<Result>(_ body: (UnsafePointer<MIDIPacketList>) throws -> Result) rethrows -> Result {
            try body(list)
        }
    }
}

extension MIDIEventList {
    /// An event list with memory of its own.
    public final class Builder {
        private let list: UnsafeMutablePointer<MIDIEventList>
        private let size: Int
        private let kind: MIDIProtocolID
        private var last: UnsafeMutablePointer<MIDIEventPacket>

        /// A list of so many words of a protocol, its head included.
        public init(inProtocol: MIDIProtocolID, wordSize: Int = 64) {
            size = max(wordSize > Int.max / 8 ? 0 : 4 * wordSize, MemoryLayout<MIDIEventList>.size)
            kind = inProtocol
            list = UnsafeMutableRawPointer.zeroed(size).bindMemory(to: MIDIEventList.self, capacity: 1)
            last = MIDIEventListInit(list, kind)
        }

        deinit { UnsafeMutableRawPointer(list).deallocate() }

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Takes all packets out.
        public func clear() { last = MIDIEventListInit(list, kind) }

        /// Adds words. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>? {
            let packet = words.isEmpty ? last : MIDIEventListAdd(list, size, last, timestamp, words.count, words)
            guard UInt(bitPattern: packet) != 0 else { return nil }
            last = packet
            return UnsafePointer(packet)
        }

        /// Passes the list on for the time of a call.
        public func withUnsafePointer<Result>(_ body: (UnsafePointer<MIDIEventList>) throws -> Result) rethrows -> Result {
            try body(list)
        }
    }
}
