/// Clients of cards that the kernel has announced and does not list yet: it puts a card into its list after the card's ports,
/// and until then the port's identity has no `card`.
///
/// Their ports are taken up when the card is listed, or as they are after two seconds. Pure.
struct AnnouncedCards: Sendable {
    private struct Wait {
        var looks = 0
        var due: Int64
    }

    /// The waits double, from 2 ms on.
    private static let firstWait: Int64 = 2_000_000, mostLooks = 10

    private var waits: [UInt8: Wait] = [:]

    /// nil means none is waited for.
    var deadline: Int64? { waits.values.map(\.due).min() }

    var clients: [UInt8] { waits.keys.sorted() }

    /// Returns true if the ports are to be left until the client is looked at again.
    mutating func postpones(_ client: UInt8, _ ports: [MIDIPort], at now: Int64) -> Bool {
        guard ports.contains(where: \.awaitsCard) else {
            waits[client] = nil
            return false
        }
        let wait = waits[client] ?? Wait(due: now)
        if wait.looks == Self.mostLooks && now >= wait.due {
            // From now on only announcements lead to another look.
            waits[client]?.due = .max
            return false
        }
        if now >= wait.due {
            waits[client] = Wait(looks: wait.looks + 1, due: now + Self.firstWait << Int64(wait.looks))
        }
        return wait.due != .max
    }

    mutating func forget(_ client: UInt8) { waits[client] = nil }
}
