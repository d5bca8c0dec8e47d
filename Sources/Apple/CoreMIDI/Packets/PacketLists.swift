/// A packet as it lies in a list: a head, then its bytes or words.
protocol ListedPacket {
    associatedtype Element
    /// The bytes of the head, and how many elements a packet has at most.
    static var head: Int { get }
    static var most: Int { get }
    var timeStamp: MIDITimeStamp { get set }
    var elements: Int { get set }
}

extension MIDIPacket: ListedPacket {
    typealias Element = UInt8
    static let head = 10, most = 0xFFFF

    var elements: Int {
        get { Int(length) }
        set { length = UInt16(newValue) }
    }
}

extension MIDIEventPacket: ListedPacket {
    typealias Element = UInt32
    static let head = 12, most = 64

    var elements: Int {
        get { Int(min(wordCount, 64)) }
        set { wordCount = UInt32(newValue) }
    }
}

/// A list: a head, then its packets.
protocol ListOfPackets {
    associatedtype Packet: ListedPacket
    static var head: Int { get }
    var numPackets: UInt32 { get set }
}

extension MIDIPacketList: ListOfPackets {
    typealias Packet = MIDIPacket
    static let head = 4
}

extension MIDIEventList: ListOfPackets {
    typealias Packet = MIDIEventPacket
    static let head = 8
}

extension UnsafePointer where Pointee: ListedPacket {
    /// Where the bytes or words begin.
    var start: UnsafeMutablePointer<Pointee.Element> {
        (UnsafeMutableRawPointer(mutating: self) + Pointee.head).assumingMemoryBound(to: Pointee.Element.self)
    }

    /// The bytes or words where they lie.
    var contents: UnsafeBufferPointer<Pointee.Element> { UnsafeBufferPointer(start: start, count: pointee.elements) }

    /// The packet after this one, at a multiple of four.
    var next: UnsafeMutablePointer<Pointee> {
        let size = Pointee.head + pointee.elements * MemoryLayout<Pointee.Element>.size
        return (UnsafeMutableRawPointer(mutating: self) + size).alignedUp(toMultipleOf: 4).assumingMemoryBound(to: Pointee.self)
    }
}

extension UnsafePointer where Pointee: ListOfPackets {
    /// The packets where they lie.
    var packets: [UnsafePointer<Pointee.Packet>] {
        let first = UnsafePointer<Pointee.Packet>(UnsafeMutablePointer(mutating: self).first)
        return Array(Swift.sequence(first: first) { UnsafePointer<Pointee.Packet>($0.next) }.prefix(Int(pointee.numPackets)))
    }
}

extension UnsafeMutablePointer where Pointee: ListOfPackets {
    /// The place of the first packet.
    var first: UnsafeMutablePointer<Pointee.Packet> {
        (UnsafeMutableRawPointer(self) + Pointee.head).assumingMemoryBound(to: Pointee.Packet.self)
    }

    /// Adds to the last packet, `current`, where it is of the same moment and may grow, or as a packet of its own. A null pointer,
    /// in the type of C's result, where the list has no room.
    fileprivate func add(
        _ size: Int, _ current: UnsafeMutablePointer<Pointee.Packet>, _ time: MIDITimeStamp, _ count: Int,
        _ data: UnsafePointer<Pointee.Packet.Element>, mayGrow: @autoclosure () -> Bool = true
    ) -> UnsafeMutablePointer<Pointee.Packet> {
        func fits(_ packet: UnsafeMutablePointer<Pointee.Packet>, _ elements: Int) -> Bool {
            let start = UnsafeMutableRawPointer(UnsafePointer(packet).start)
            return (0...Pointee.Packet.most).contains(elements)
                && start + elements * MemoryLayout<Pointee.Packet.Element>.size <= UnsafeMutableRawPointer(self) + max(0, size)
        }
        let isLast = pointee.numPackets > 0, old = isLast ? current.pointee.elements : 0
        var packet = current, start = 0
        if isLast, current.pointee.timeStamp == time, count >= 0, mayGrow(), fits(current, old + count) {
            start = old
        } else {
            packet = isLast ? UnsafePointer(current).next : current
            guard UnsafeMutableRawPointer(packet) > UnsafeMutableRawPointer(self), fits(packet, count) else {
                return unsafeBitCast(UnsafeMutablePointer<Pointee.Packet>?.none, to: UnsafeMutablePointer<Pointee.Packet>.self)
            }
            packet.pointee.timeStamp = time
            pointee.numPackets += 1
        }
        packet.pointee.elements = start + count
        (UnsafePointer(packet).start + start).update(from: data, count: count)
        return packet
    }
}

/// The packet after this one. Its bytes may end before a whole `MIDIPacket` does.
public func MIDIPacketNext(_ pkt: UnsafePointer<MIDIPacket>) -> UnsafeMutablePointer<MIDIPacket> { pkt.next }

/// Empties a list. Returns the place of its first packet.
@discardableResult public func MIDIPacketListInit(_ pktlist: UnsafeMutablePointer<MIDIPacketList>)
    -> UnsafeMutablePointer<MIDIPacket>
{
    pktlist.pointee.numPackets = 0
    return pktlist.first
}

/// Adds bytes to a list: to its last packet where they are of the same moment and neither is System Exclusive. Returns the last
/// packet, null where the list has no room.
@discardableResult public func MIDIPacketListAdd(
    _ pktlist: UnsafeMutablePointer<MIDIPacketList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIPacket>,
    _ time: MIDITimeStamp, _ nData: Int, _ data: UnsafePointer<UInt8>
) -> UnsafeMutablePointer<MIDIPacket> {
    // System Exclusive, or a piece of it.
    func isExclusive(_ byte: UInt8?) -> Bool { byte.map { $0 == 0xF0 || $0 < 0x80 } ?? false }
    return pktlist.add(
        listSize, curPacket, time, nData, data,
        mayGrow: !isExclusive(UnsafePointer(curPacket).contents.first) && !isExclusive(nData > 0 ? data[0] : nil))
}

/// The packet after this one. Its words may end before a whole `MIDIEventPacket` does.
public func MIDIEventPacketNext(_ pkt: UnsafePointer<MIDIEventPacket>) -> UnsafeMutablePointer<MIDIEventPacket> { pkt.next }

/// Empties a list for a protocol. Returns the place of its first packet.
@discardableResult public func MIDIEventListInit(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ protocol: MIDIProtocolID
) -> UnsafeMutablePointer<MIDIEventPacket> {
    evtlist.pointee.protocol = `protocol`
    evtlist.pointee.numPackets = 0
    return evtlist.first
}

/// Adds words to a list: to its last packet where they are of the same moment and it has room, 64 words. Returns the last packet,
/// null where the list has no room.
@discardableResult public func MIDIEventListAdd(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIEventPacket>,
    _ time: MIDITimeStamp, _ wordCount: Int, _ words: UnsafePointer<UInt32>
) -> UnsafeMutablePointer<MIDIEventPacket> { evtlist.add(listSize, curPacket, time, wordCount, words) }
