import NIOCore

/// A status as the session has told it: its line, and its values once somebody asks for them.
final class SessionStatus {
    let line: String
    /// The values; nil where the line is no JSON, as one is of a session that is newer than this gateway could be.
    private(set) lazy var value: StatusValue? = StatusValue(line: line)

    init(_ line: String) { self.line = line }
}

/// The state of the session, told to everybody who watches; the session tells it once for all of them. One event loop.
final class SessionFeed: @unchecked Sendable {
    /// Seconds between two tellings, at least.
    static let interval = "0.05s"

    /// The status that the session has told last; nil while it is not there.
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
