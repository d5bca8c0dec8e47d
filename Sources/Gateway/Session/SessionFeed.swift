import NIOCore

/// The state of the session, told to everybody who watches; the session tells it once for all of them. One event loop.
final class SessionFeed: @unchecked Sendable {
    /// Seconds between two tellings, at least.
    static let interval = "0.05s"

    /// The status that the session has told last; nil while it is not there.
    private(set) var status: String?
    private var watchers: [Int: (String?) -> Void] = [:]
    private var count = 0

    /// Takes a line of the session's; nil when it has gone.
    func take(_ line: String?) {
        status = line
        for watcher in watchers.values { watcher(line) }
    }

    /// Calls `watcher` with everything that is new from now on; the number ends it.
    func watch(_ watcher: @escaping (String?) -> Void) -> Int {
        count += 1
        watchers[count] = watcher
        return count
    }

    func end(_ number: Int) { watchers[number] = nil }
}
