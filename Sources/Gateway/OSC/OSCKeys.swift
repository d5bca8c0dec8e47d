import NIOCore

/// The keys that OSC senders hold: a sender's end cannot be seen, and the datagram that lifts a key may be lost.
///
/// A sender is a host: programs that send each datagram from another port press with one and lift with the next.
struct OSCKeys {
    /// The most senders whose keys are remembered.
    static let most = 32
    /// Time after which the keys of a silent sender go up; a sender that holds a key longer sends a ping.
    static let patience = TimeAmount.seconds(60)

    private var hands: [String: (keys: HeldKeys, heard: NIODeadline)] = [:]

    mutating func hear(_ host: String, now: NIODeadline) { hands[host]?.heard = now }

    /// Looks at a request on its way to the session. - Returns: requests that lift the keys of a sender that was forgotten to
    /// make room.
    mutating func take(_ line: String, from host: String, now: NIODeadline) -> [String] {
        var hand = hands[host] ?? (HeldKeys(), now)
        // One key too many for two hands is not remembered, and goes up with `release`.
        _ = hand.keys.ask(RequestLine(line))
        if hand.keys.lifts.isEmpty { return [] }
        var lifts: [String] = []
        if hands[host] == nil, hands.count >= Self.most, let oldest = hands.min(by: { $0.value.heard < $1.value.heard }) {
            lifts = oldest.value.keys.lifts
            hands[oldest.key] = nil
        }
        hands[host] = (hand.keys, now)
        return lifts
    }

    mutating func hasDone(_ line: String, from host: String) {
        guard var hand = hands[host] else { return }
        hand.keys.hasDone(RequestLine(line))
        hands[host] = hand.keys.lifts.isEmpty ? nil : hand
    }

    mutating func leave(now: NIODeadline) -> [String] {
        let gone = hands.filter { now - $1.heard >= Self.patience }
        for host in gone.keys { hands[host] = nil }
        return gone.values.flatMap(\.keys.lifts)
    }
}
