/// A packet as it lies in a list: a head, then its bytes or words. The list may end before a whole struct does, so that only the
/// parts of its head are touched: the time stamp, and then the number of elements.
protocol ListedPacket {
    associatedtype Element
    associatedtype Count: FixedWidthInteger & BitwiseCopyable
    /// The bytes of the head, those before the first packet of a list, and how many elements a packet has at most.
    static var head: Int { get }
    static var listHead: Int { get }
    static var most: Int { get }
}

extension MIDIPacket: ListedPacket {
    typealias Element = UInt8
    typealias Count = UInt16
    static let head = 10, listHead = 4, most = 0xFFFF
}

extension MIDIEventPacket: ListedPacket {
    typealias Element = UInt32
    typealias Count = UInt32
    static let head = 12, listHead = 8, most = 64
}

extension UnsafePointer where Pointee: ListedPacket {
    var start: UnsafeMutablePointer<Pointee.Element> {
        (UnsafeMutableRawPointer(mutating: self) + Pointee.head).assumingMemoryBound(to: Pointee.Element.self)
    }

    /// The number of its bytes or words, at most what a packet may have.
    fileprivate var elements: Int {
        let count = UnsafeRawPointer(self).loadUnaligned(fromByteOffset: MemoryLayout<MIDITimeStamp>.size, as: Pointee.Count.self)
        return min(Int(count), Pointee.most)
    }

    var contents: UnsafeBufferPointer<Pointee.Element> { UnsafeBufferPointer(start: start, count: elements) }

    /// The packet after this one, at a multiple of four.
    var next: UnsafeMutablePointer<Pointee> {
        UnsafeMutableRawPointer(start + elements).alignedUp(toMultipleOf: 4).assumingMemoryBound(to: Pointee.self)
    }

    static func packets(of list: UnsafeRawPointer, _ number: UInt32) -> [Self] {
        let first = (list + Pointee.listHead).assumingMemoryBound(to: Pointee.self)
        return Array(Swift.sequence(first: first) { Self($0.next) }.prefix(Int(number)))
    }
}

extension UnsafeMutablePointer where Pointee: ListedPacket {
    fileprivate static func first(of list: UnsafeMutableRawPointer) -> Self {
        (list + Pointee.listHead).assumingMemoryBound(to: Pointee.self)
    }

    /// Adds to this last packet of a list where it is of the same moment and may grow, or as a packet of its own. Null, in the type
    /// of C's result, where the list has no room.
    fileprivate func add(
        _ count: Int, _ data: UnsafePointer<Pointee.Element>, _ time: MIDITimeStamp, to list: UnsafeMutableRawPointer,
        _ size: Int,
        _ number: inout UInt32, mayGrow: @autoclosure () -> Bool = true
    ) -> Self {
        func fits(_ packet: Self, _ elements: Int) -> Bool {
            (0...Pointee.most).contains(elements)
                && UnsafeMutableRawPointer(UnsafePointer(packet).start + elements) <= list + max(0, size)
        }
        let old = number > 0 ? UnsafePointer(self).elements : 0
        var packet = self, start = 0
        if number > 0, UnsafeRawPointer(self).loadUnaligned(as: MIDITimeStamp.self) == time, count >= 0, mayGrow(),
            fits(self, old + count)
        {
            start = old
        } else {
            if number > 0 { packet = UnsafePointer(self).next }
            guard UnsafeMutableRawPointer(packet) > list, fits(packet, count) else {
                return unsafeBitCast(Self?.none, to: Self.self)
            }
            UnsafeMutableRawPointer(packet).storeBytes(of: time, as: MIDITimeStamp.self)
            number += 1
        }
        UnsafeMutableRawPointer(packet).storeBytes(
            of: Pointee.Count(start + count), toByteOffset: MemoryLayout<MIDITimeStamp>.size, as: Pointee.Count.self)
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
    return .first(of: pktlist)
}

/// Adds bytes to a list: to its last packet where they are of the same moment and neither is System Exclusive. Returns the last
/// packet, null where the list has no room.
@discardableResult public func MIDIPacketListAdd(
    _ pktlist: UnsafeMutablePointer<MIDIPacketList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIPacket>,
    _ time: MIDITimeStamp, _ nData: Int, _ data: UnsafePointer<UInt8>
) -> UnsafeMutablePointer<MIDIPacket> {
    // System Exclusive, or a piece of it.
    func isExclusive(_ byte: UInt8?) -> Bool { byte.map { $0 == 0xF0 || $0 < 0x80 } ?? false }
    return curPacket.add(
        nData, data, time, to: pktlist, listSize, &pktlist.pointee.numPackets,
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
    return .first(of: evtlist)
}

/// Adds words to a list: to its last packet where they are of the same moment and it has room, 64 words. Returns the last packet,
/// null where the list has no room.
@discardableResult public func MIDIEventListAdd(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIEventPacket>,
    _ time: MIDITimeStamp, _ wordCount: Int, _ words: UnsafePointer<UInt32>
) -> UnsafeMutablePointer<MIDIEventPacket> {
    curPacket.add(wordCount, words, time, to: evtlist, listSize, &evtlist.pointee.numPackets)
}
