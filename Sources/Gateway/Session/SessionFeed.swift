import NIOCore

/// A status from the session: its line, and its values once they are requested.
final class SessionStatus {
    let line: String
    /// The values; nil if the line is no JSON, as one is of a session that is newer than this gateway could be.
    private(set) lazy var value: StatusValue? = StatusValue(line: line)

    init(_ line: String) { self.line = line }
}

/// The state of the session for all watchers; the session sends it once for all of them. One event loop.
final class SessionFeed: @unchecked Sendable {
    /// Least number of seconds between two statuses.
    static let interval = "0.05s"

    /// The session's last status; nil while the session is not there.
    private(set) var status: SessionStatus?
    private var watchers: [Int: (SessionStatus?) -> Void] = [:]
    private var count = 0

    /// Takes a line of the session's; nil when it has gone.
    func take(_ line: String?) {
        status = line.map(SessionStatus.init)
        for watcher in watchers.values { watcher(status) }
    }

    /// Calls `watcher` with everything that is new from now on; the number ends it.
    func watch(_ watcher: @escaping (SessionStatus?) -> Void) -> Int {
        count += 1
        watchers[count] = watcher
        return count
    }

    func end(_ number: Int) { watchers[number] = nil }
}
