import Glibc

/// The weight of a line of the log, as the system's logs count it.
///
/// Source: RFC 5424, and sd-daemon(3) for its form on standard error.
enum LogLevel: Int, CaseIterable, Comparable {
    case info = 6
    /// Something that may need attention.
    case warning = 4

    static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue > b.rawValue }
    var name: String { "\(self)" }

    init(line: String) {
        let words = line.split(separator: " ")
        let name = words.first?.split(separator: "=").last ?? ""
        switch name {
        case "xrun", "late", "lost", "limiter", "watchdog", "suppressed", "message": self = .warning
        case "output": self = words.contains("state=not-connected") || words.contains("state=gone") ? .warning : .info
        case "device", "keyboard": self = words.contains { Self.troubles.contains($0) } ? .warning : .info
        default: self = .info
        }
    }

    private static let troubles: Set<Substring> = ["state=lost", "state=recovering", "state=suspended", "state=gone"]
}

/// The output of a session's log: standard error. Lines below the wanted level are left out; if standard error is systemd's
/// journal, each line has its level, so that `journalctl -p warning` finds it.
struct LogOutput {
    private let least: LogLevel
    private let isJournal: Bool

    init(least: LogLevel = .info) {
        self.least = least
        isJournal = Self.isJournal
    }

    func print(_ line: String) {
        let level = LogLevel(line: line)
        if level >= least { StandardError.print(isJournal ? "<\(level.rawValue)>\(line)" : line) }
    }

    /// True if standard error is the stream that systemd has named: it may have been redirected.
    private static var isJournal: Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var status = stat()
        return fstat(2, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }
}
