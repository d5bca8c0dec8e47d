/// A null pointer in the type that C gives for a list without room.
private func nothing<Packet>() -> UnsafeMutablePointer<Packet> {
    unsafeBitCast(UnsafeMutablePointer<Packet>?.none, to: UnsafeMutablePointer<Packet>.self)
}

extension UnsafeMutableRawPointer {
    /// Packets begin at addresses that are a multiple of four.
    fileprivate var aligned: UnsafeMutableRawPointer { alignedUp(toMultipleOf: 4) }
}

extension MIDIPacket {
    /// Where the bytes begin.
    static let head = 10
}

extension MIDIEventPacket {
    /// Where the words begin.
    static let head = 12
}

/// The packet after this one. Its bytes may end before a whole `MIDIPacket` does.
public func MIDIPacketNext(_ pkt: UnsafePointer<MIDIPacket>) -> UnsafeMutablePointer<MIDIPacket> {
    let start = UnsafeMutableRawPointer(mutating: pkt)
    return (start + MIDIPacket.head + Int(pkt.pointee.length)).aligned.assumingMemoryBound(to: MIDIPacket.self)
}

/// Empties a list. Returns the place of its first packet.
@discardableResult
public func MIDIPacketListInit(_ pktlist: UnsafeMutablePointer<MIDIPacketList>) -> UnsafeMutablePointer<MIDIPacket> {
    pktlist.pointee.numPackets = 0
    return (UnsafeMutableRawPointer(pktlist) + 4).assumingMemoryBound(to: MIDIPacket.self)
}

/// Adds bytes to a list: to its last packet where they are of the same moment and neither is System Exclusive. Returns the last
/// packet, null where the list has no room.
@discardableResult
public func MIDIPacketListAdd(
    _ pktlist: UnsafeMutablePointer<MIDIPacketList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIPacket>,
    _ time: MIDITimeStamp, _ nData: Int, _ data: UnsafePointer<UInt8>
) -> UnsafeMutablePointer<MIDIPacket> {
    guard nData >= 0, nData <= 0xFFFF else { return nothing() }
    let start = UnsafeMutableRawPointer(pktlist), end = start + max(0, listSize)
    var packet = curPacket
    if pktlist.pointee.numPackets > 0 {
        let length = Int(curPacket.pointee.length), bytes = UnsafeMutableRawPointer(curPacket) + MIDIPacket.head
        // System Exclusive, or a piece of it.
        func isExclusive(_ byte: UInt8) -> Bool { byte == 0xF0 || byte < 0x80 }
        let isApart = length > 0 && isExclusive(bytes.load(as: UInt8.self)) || nData > 0 && isExclusive(data[0])
        if curPacket.pointee.timeStamp == time, !isApart, length + nData <= 0xFFFF, bytes + length + nData <= end {
            (bytes + length).copyMemory(from: data, byteCount: nData)
            curPacket.pointee.length = UInt16(length + nData)
            return curPacket
        }
        packet = MIDIPacketNext(curPacket)
    }
    let bytes = UnsafeMutableRawPointer(packet) + MIDIPacket.head
    guard UnsafeMutableRawPointer(packet) > start, bytes + nData <= end else { return nothing() }
    packet.pointee.timeStamp = time
    packet.pointee.length = UInt16(nData)
    bytes.copyMemory(from: data, byteCount: nData)
    pktlist.pointee.numPackets += 1
    return packet
}

/// The packet after this one. Its words may end before a whole `MIDIEventPacket` does.
public func MIDIEventPacketNext(_ pkt: UnsafePointer<MIDIEventPacket>) -> UnsafeMutablePointer<MIDIEventPacket> {
    let start = UnsafeMutableRawPointer(mutating: pkt)
    return (start + MIDIEventPacket.head + 4 * Int(pkt.pointee.wordCount)).assumingMemoryBound(to: MIDIEventPacket.self)
}

/// Empties a list for a protocol. Returns the place of its first packet.
@discardableResult
public func MIDIEventListInit(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ protocol: MIDIProtocolID
) -> UnsafeMutablePointer<MIDIEventPacket> {
    evtlist.pointee.protocol = `protocol`
    evtlist.pointee.numPackets = 0
    return (UnsafeMutableRawPointer(evtlist) + 8).assumingMemoryBound(to: MIDIEventPacket.self)
}

/// Adds words to a list: to its last packet where they are of the same moment and it has room, 64 words. Returns the last packet,
/// null where the list has no room.
@discardableResult
public func MIDIEventListAdd(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIEventPacket>,
    _ time: MIDITimeStamp, _ wordCount: Int, _ words: UnsafePointer<UInt32>
) -> UnsafeMutablePointer<MIDIEventPacket> {
    guard wordCount >= 0, wordCount <= 64 else { return nothing() }
    let start = UnsafeMutableRawPointer(evtlist), end = start + max(0, listSize)
    var packet = curPacket
    if evtlist.pointee.numPackets > 0 {
        let count = Int(curPacket.pointee.wordCount), place = UnsafeMutableRawPointer(curPacket) + MIDIEventPacket.head
        if curPacket.pointee.timeStamp == time, count + wordCount <= 64, place + 4 * (count + wordCount) <= end {
            (place + 4 * count).copyMemory(from: words, byteCount: 4 * wordCount)
            curPacket.pointee.wordCount = UInt32(count + wordCount)
            return curPacket
        }
        packet = MIDIEventPacketNext(curPacket)
    }
    let place = UnsafeMutableRawPointer(packet) + MIDIEventPacket.head
    guard UnsafeMutableRawPointer(packet) > start, place + 4 * wordCount <= end else { return nothing() }
    packet.pointee.timeStamp = time
    packet.pointee.wordCount = UInt32(wordCount)
    place.copyMemory(from: words, byteCount: 4 * wordCount)
    evtlist.pointee.numPackets += 1
    return packet
}
