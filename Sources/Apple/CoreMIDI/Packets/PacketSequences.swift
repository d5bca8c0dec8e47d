extension MIDIPacket {
    /// The bytes of one packet, where it lies.
    public struct ByteSequence: Sequence {
        private let bytes: UnsafeBufferPointer<UInt8>

        /// The number of bytes.
        public var count: Int { bytes.count }

        public init(_ packet: UnsafePointer<MIDIPacket>) {
            let start = UnsafeRawPointer(packet) + MIDIPacket.head
            bytes = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: Int(packet.pointee.length))
        }

        /// From the first byte.
        public func makeIterator() -> UnsafeBufferPointer<UInt8>.Iterator { bytes.makeIterator() }
    }
}

extension MIDIPacketList {
    /// The packets of a list, where they lie.
    public struct UnsafeSequence: Sequence {
        private let list: UnsafePointer<MIDIPacketList>

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        public init(_ list: UnsafePointer<MIDIPacketList>) { self.list = list }

        /// From the first packet.
        public func makeIterator() -> Iterator {
            Iterator(
                left: count, place: (UnsafeRawPointer(list) + 4).assumingMemoryBound(to: MIDIPacket.self))
        }

        /// Walks from packet to packet.
        public struct Iterator: IteratorProtocol {
            fileprivate var left: Int
            fileprivate var place: UnsafePointer<MIDIPacket>

            public mutating func next() -> UnsafePointer<MIDIPacket>? {
                if left <= 0 { return nil }
                defer { place = UnsafePointer(MIDIPacketNext(place)) }
                left -= 1
                return place
            }
        }
    }

    /// A packet list with memory of its own.
    public final class Builder {
        private let list: UnsafeMutablePointer<MIDIPacketList>
        private let size: Int
        private var last: UnsafeMutablePointer<MIDIPacket>

        /// A list of so many bytes, its head included.
        public init(byteSize: Int) {
            size = max(byteSize, MemoryLayout<MIDIPacketList>.size)
            list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8).bindMemory(
                to: MIDIPacketList.self, capacity: 1)
            UnsafeMutableRawPointer(list).initializeMemory(as: UInt8.self, repeating: 0, count: size)
            last = MIDIPacketListInit(list)
        }

        deinit { UnsafeMutableRawPointer(list).deallocate() }

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Takes all packets out.
        public func clear() { last = MIDIPacketListInit(list) }

        /// Adds bytes. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
            let packet = data.withUnsafeBufferPointer { bytes in
                // Null is no optional of C's: it must not become one.
                guard let base = bytes.baseAddress else { return last }
                return MIDIPacketListAdd(list, size, last, timestamp, bytes.count, base)
            }
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

extension MIDIEventPacket {
    /// The words of one packet, where it lies.
    public struct WordSequence: Sequence {
        private let words: UnsafeBufferPointer<UInt32>

        /// The number of words.
        public var count: Int { words.count }

        public init(_ packet: UnsafePointer<MIDIEventPacket>) {
            let start = UnsafeRawPointer(packet) + MIDIEventPacket.head
            words = UnsafeBufferPointer(
                start: start.assumingMemoryBound(to: UInt32.self), count: Int(Swift.min(packet.pointee.wordCount, 64)))
        }

        /// From the first word.
        public func makeIterator() -> UnsafeBufferPointer<UInt32>.Iterator { words.makeIterator() }
    }
}

extension MIDIEventList {
    /// The packets of a list, where they lie.
    public struct UnsafeSequence: Sequence {
        private let list: UnsafePointer<MIDIEventList>

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        public init(_ list: UnsafePointer<MIDIEventList>) { self.list = list }

        /// From the first packet.
        public func makeIterator() -> Iterator {
            Iterator(
                left: count, place: (UnsafeRawPointer(list) + 8).assumingMemoryBound(to: MIDIEventPacket.self))
        }

        /// Walks from packet to packet.
        public struct Iterator: IteratorProtocol {
            fileprivate var left: Int
            fileprivate var place: UnsafePointer<MIDIEventPacket>

            public mutating func next() -> UnsafePointer<MIDIEventPacket>? {
                if left <= 0 { return nil }
                defer { place = UnsafePointer(MIDIEventPacketNext(place)) }
                left -= 1
                return place
            }
        }
    }

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
            list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8).bindMemory(to: MIDIEventList.self, capacity: 1)
            UnsafeMutableRawPointer(list).initializeMemory(as: UInt8.self, repeating: 0, count: size)
            last = MIDIEventListInit(list, kind)
        }

        deinit { UnsafeMutableRawPointer(list).deallocate() }

        /// The number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Takes all packets out.
        public func clear() { last = MIDIEventListInit(list, kind) }

        /// Adds words. Returns their packet, nil where there is no room.
        @discardableResult public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>? {
            let packet = words.withUnsafeBufferPointer { words in
                guard let base = words.baseAddress else { return last }
                return MIDIEventListAdd(list, size, last, timestamp, words.count, base)
            }
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

extension UnsafePointer where Pointee == MIDIPacketList {
    /// The packets of the list.
    public func unsafeSequence() -> MIDIPacketList.UnsafeSequence { MIDIPacketList.UnsafeSequence(self) }
}

extension UnsafePointer where Pointee == MIDIPacket {
    /// The bytes of the packet.
    public func bytes() -> MIDIPacket.ByteSequence { MIDIPacket.ByteSequence(self) }
    /// The bytes of the packet.
    public func sequence() -> MIDIPacket.ByteSequence { MIDIPacket.ByteSequence(self) }
}

extension UnsafePointer where Pointee == MIDIEventList {
    /// The packets of the list.
    public func unsafeSequence() -> MIDIEventList.UnsafeSequence { MIDIEventList.UnsafeSequence(self) }
}

extension UnsafePointer where Pointee == MIDIEventPacket {
    /// The words of the packet.
    public func words() -> MIDIEventPacket.WordSequence { MIDIEventPacket.WordSequence(self) }
    /// The words of the packet.
    public func sequence() -> MIDIEventPacket.WordSequence { MIDIEventPacket.WordSequence(self) }
}
