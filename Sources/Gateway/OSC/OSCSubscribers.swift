import NIOCore

/// The subscribers that are sent the session's state without asking again: a limited number, each for a limited time.
struct OSCSubscribers {
    static let most = 8
    /// Time after which a subscriber that does not ask again is dropped: the end of a datagram's sender cannot be seen.
    static let patience = TimeAmount.seconds(10)

    private var ends: [SocketAddress: NIODeadline] = [:]

    var isEmpty: Bool { ends.isEmpty }
    var addresses: [SocketAddress] { Array(ends.keys) }

    /// Adds a subscriber, or renews one; false if there is no room.
    mutating func add(_ address: SocketAddress, now: NIODeadline) -> Bool {
        leave(now: now)
        if ends[address] == nil, ends.count >= Self.most { return false }
        ends[address] = now + Self.patience
        return true
    }

    mutating func remove(_ address: SocketAddress) { ends[address] = nil }
    mutating func leave(now: NIODeadline) { ends = ends.filter { $1 > now } }
}
