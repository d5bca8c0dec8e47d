extension MIDIPacket {
    public typealias ByteSequence = UnsafeBufferPointer<UInt8>
    public typealias ByteCollection = UnsafeBufferPointer<UInt8>
}

extension MIDIEventPacket {
    public typealias WordSequence = UnsafeBufferPointer<UInt32>
    public typealias WordCollection = UnsafeBufferPointer<UInt32>
}

extension MIDIPacketList { public typealias UnsafeSequence = [UnsafePointer<MIDIPacket>] }
extension MIDIEventList { public typealias UnsafeSequence = [UnsafePointer<MIDIEventPacket>] }

extension UnsafePointer where Pointee == MIDIPacketList {
    /// The packets of the list, where they lie.
    public func unsafeSequence() -> MIDIPacketList.UnsafeSequence {
        UnsafePointer<MIDIPacket>.packets(of: self, pointee.numPackets)
    }
}

extension UnsafePointer where Pointee == MIDIPacket {
    /// The bytes of the packet, where they lie.
    public func bytes() -> MIDIPacket.ByteSequence { contents }
    /// The bytes of the packet, where they lie.
    public func sequence() -> MIDIPacket.ByteSequence { contents }
}

extension UnsafePointer where Pointee == MIDIEventList {
    /// The packets of the list, where they lie.
    public func unsafeSequence() -> MIDIEventList.UnsafeSequence {
        UnsafePointer<MIDIEventPacket>.packets(of: self, pointee.numPackets)
    }
}

extension UnsafePointer where Pointee == MIDIEventPacket {
    /// The words of the packet, where they lie.
    public func words() -> MIDIEventPacket.WordSequence { contents }
    /// The words of the packet, where they lie.
    public func sequence() -> MIDIEventPacket.WordSequence { contents }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes of a packet.
    public init(_ packet: UnsafePointer<MIDIPacket>) { self = packet.contents }
}

extension UnsafeBufferPointer<UInt32> {
    /// The words of a packet, 64 at most.
    public init(_ packet: UnsafePointer<MIDIEventPacket>) { self = packet.contents }
}
