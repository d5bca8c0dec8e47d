import NIOCore

/// The subscribers that are told how the session stands without asking again: so many, each for so long.
struct OSCSubscribers {
    static let most = 8
    /// Time after which somebody who does not ask again is told no more: a datagram's sender cannot be seen to go.
    static let patience = TimeAmount.seconds(10)

    private var ends: [SocketAddress: NIODeadline] = [:]

    var isEmpty: Bool { ends.isEmpty }

    /// The addresses of all subscribers.
    var addresses: [SocketAddress] { Array(ends.keys) }

    /// Adds somebody, or lets him stay on; false where there is no room.
    mutating func add(_ address: SocketAddress, now: NIODeadline) -> Bool {
        leave(now: now)
        if ends[address] == nil, ends.count >= Self.most { return false }
        ends[address] = now + Self.patience
        return true
    }

    mutating func remove(_ address: SocketAddress) { ends[address] = nil }

    /// Takes out whose time is over.
    mutating func leave(now: NIODeadline) { ends = ends.filter { $1 > now } }
}
