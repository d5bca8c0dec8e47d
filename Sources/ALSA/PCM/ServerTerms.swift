import Synchronization

/// Nanoseconds for which others wait for a device that opens or closes, and the number of threads that may be with devices.
struct ServerTerms: Sendable {
    /// A start waits so long for a server's device to open, and for a card: a plug-in may have to look for its loudspeaker.
    var start: Int64 = 3_000_000_000, card: Int64 = 30_000_000_000
    /// The time, in nanoseconds, that the other devices of the list wait while one is opened or closed.
    var opening: Int64 = 1_000_000_000
    /// A stop waits so long until devices are closed.
    var stop: Int64 = 1_000_000_000
    var room = Room.ofTheProcess

    /// Threads whose library never returns stay for good, so their number is limited.
    final class Room: Sendable {
        static let ofTheProcess = Room(64)

        private let limit: Int
        private let count = Atomic<Int>(0)

        init(_ limit: Int) { self.limit = limit }

        /// Returns false if there is no place.
        func enter() -> Bool {
            if count.add(1, ordering: .relaxed).newValue <= limit { return true }
            leave()
            return false
        }

        func leave() { count.subtract(1, ordering: .relaxed) }
    }
}
