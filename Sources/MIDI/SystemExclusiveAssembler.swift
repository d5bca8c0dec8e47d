/// Joins the pieces in which the kernel delivers a System Exclusive message, 256 bytes at most each.
///
/// Bounded: it drops and counts a message above 64 KiB, one whose next piece does not come within a second, one that is
/// interrupted by the beginning of another, and a piece without a beginning.
package struct SystemExclusiveAssembler: Sendable {
    /// Bytes.
    package static let limit = 65_536
    /// Nanoseconds.
    package static let patience: Int64 = 1_000_000_000

    private var bytes: [UInt8] = []
    private var isOpen = false
    private var deadline: Int64 = 0
    package private(set) var lost = 0

    package init() {}

    /// nil when no message is begun.
    package var expiry: Int64? { isOpen ? deadline : nil }

    /// Returns the message, F0 ... F7, when it is complete.
    package mutating func take(_ piece: [UInt8], at now: Int64) -> [UInt8]? {
        expire(at: now)
        if piece.first == 0xF0 {
            if isOpen { abandon() }
            isOpen = true
        } else if !isOpen {
            // The rest of a message that was given up, or of one that began before we listened.
            if piece.last == 0xF7 { lost += 1 }
            return nil
        }
        if bytes.count + piece.count > Self.limit {
            abandon()
            return nil
        }
        bytes += piece
        deadline = now + Self.patience
        guard piece.last == 0xF7 else { return nil }
        isOpen = false
        let message = bytes
        bytes = []
        return message
    }

    /// A status byte other than F7 ends a message that is not complete.
    package mutating func interrupt() { if isOpen { abandon() } }

    package mutating func expire(at now: Int64) { if isOpen && now >= deadline { abandon() } }

    private mutating func abandon() {
        isOpen = false
        bytes = []
        lost += 1
    }
}
