/// What one packet holds, where it lies: bytes or words.
public struct MIDIPacketContents<Element>: RandomAccessCollection {
    private let elements: UnsafeBufferPointer<Element>

    fileprivate init(_ place: UnsafeRawPointer, _ count: Int) {
        elements = UnsafeBufferPointer(start: place.assumingMemoryBound(to: Element.self), count: count)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of bytes or words.
    public var endIndex: Int { elements.count }
    /// One of them.
    public subscript(position: Int) -> Element { elements[position] }
}

extension MIDIPacketContents<UInt8> {
    /// The bytes of a packet.
    public init(_ packet: UnsafePointer<MIDIPacket>) {
        self.init(UnsafeRawPointer(packet) + MIDIPacket.head, Int(packet.pointee.length))
    }
}

extension MIDIPacketContents<UInt32> {
    /// The words of a packet, 64 at most.
    public init(_ packet: UnsafePointer<MIDIEventPacket>) {
        self.init(UnsafeRawPointer(packet) + MIDIEventPacket.head, Int(Swift.min(packet.pointee.wordCount, 64)))
    }
}

/// The packets of a list, where they lie.
public struct MIDIPacketWalk<Packet>: Sequence, IteratorProtocol {
    /// The number of packets.
    public private(set) var count: Int
    private var place: UnsafePointer<Packet>
    private let step: (UnsafePointer<Packet>) -> UnsafeMutablePointer<Packet>

    fileprivate init(
        _ place: UnsafeRawPointer, _ count: UInt32, _ step: @escaping (UnsafePointer<Packet>) -> UnsafeMutablePointer<Packet>
    ) {
        (self.place, self.count, self.step) = (place.assumingMemoryBound(to: Packet.self), Int(count), step)
    }

    /// The next packet; nil after the last.
    public mutating func next() -> UnsafePointer<Packet>? {
        if count <= 0 { return nil }
        defer { place = UnsafePointer(step(place)) }
        count -= 1
        return place
    }
}

extension MIDIPacketWalk<MIDIPacket> {
    /// The packets of a packet list.
    public init(_ list: UnsafePointer<MIDIPacketList>) {
        self.init(UnsafeRawPointer(list) + 4, list.pointee.numPackets, MIDIPacketNext)
    }
}

extension MIDIPacketWalk<MIDIEventPacket> {
    /// The packets of an event list.
    public init(_ list: UnsafePointer<MIDIEventList>) {
        self.init(UnsafeRawPointer(list) + 8, list.pointee.numPackets, MIDIEventPacketNext)
    }
}

extension MIDIPacket {
    public typealias ByteSequence = MIDIPacketContents<UInt8>
    public typealias ByteCollection = MIDIPacketContents<UInt8>
}

extension MIDIEventPacket {
    public typealias WordSequence = MIDIPacketContents<UInt32>
    public typealias WordCollection = MIDIPacketContents<UInt32>
}

extension MIDIPacketList { public typealias UnsafeSequence = MIDIPacketWalk<MIDIPacket> }
extension MIDIEventList { public typealias UnsafeSequence = MIDIPacketWalk<MIDIEventPacket> }

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
