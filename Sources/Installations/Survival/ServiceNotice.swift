import Glibc
import Reports
import Synchronization

/// Messages to the service manager that started this process: that it is ready, what its status is, that it lives.
///
/// The protocol of systemd's sd_notify(3), spoken without libsystemd: one datagram of lines to the socket in NOTIFY_SOCKET.
/// If NOTIFY_SOCKET is not set, nothing is sent. Control side, any thread; never waits.
public final class ServiceNotice: Sendable {
    /// A state to report.
    public enum State: Hashable, Sendable {
        /// The start, or the reading of a changed configuration, is done.
        case ready
        case stopping
        /// A changed configuration is being read, since a time of CLOCK_MONOTONIC in microseconds; `ready` follows.
        case reloading(monotonicMicroseconds: UInt64)
        /// A text for the status of the service; made into one line.
        case status(String)
        /// The process lives: feeds the watchdog.
        case watchdog
        /// The process that is the service, if it is not the one that was started.
        case mainPID(Int32)
    }

    /// The seconds between two feeds of the watchdog: half of what the service manager waits, as sd_watchdog_enabled(3)
    /// recommends; nil if there is no watchdog, or it is another process's.
    public let watchdogInterval: Double?

    private let address: SocketAddress?
    let channel = Mutex(Channel())

    struct Channel {
        var descriptor: Int32 = -1
        var unsent: [State] = []
        var lost = 0
        /// Each error is reported once.
        var reported: Fault?
    }

    /// Reads the address of the socket and the interval of the watchdog.
    /// `process` is this process's number, `environment` the value of a variable. - Throws: `addressTooLong`, `unknownAddress`.
    public init(
        process: Int32 = getpid(),
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) throws(Fault) {
        watchdogInterval = Self.interval(process: process, environment)
        let text = environment("NOTIFY_SOCKET") ?? ""
        address = text.isEmpty ? nil : try SocketAddress(text)
    }

    deinit { channel.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    /// True if the service manager has asked for messages.
    public var isWanted: Bool { address != nil }

    /// Messages that were not taken, because the socket was full or had no reader.
    public var lost: Int { channel.withLock { $0.lost } }

    /// Sends the states in one message. States that are not taken, except for the watchdog's, go with the next.
    ///
    /// - Returns: the error, once until sending works again; nil also if the socket is full, which passes.
    @discardableResult
    public func send(_ states: [State]) -> Fault? {
        guard let address else { return nil }
        return channel.withLock { channel in
            let all = channel.unsent.filter { old in !states.contains { $0.supersedes(old) } } + states
            if all.isEmpty { return nil }
            guard let code = Self.send(all, to: address, through: &channel.descriptor) else {
                (channel.unsent, channel.reported) = ([], nil)
                return nil
            }
            channel.unsent = all.filter { $0 != .watchdog }
            channel.lost += 1
            if code == EAGAIN || code == EINTR || code == ENOBUFS { return nil }
            let error: Fault =
                channel.descriptor < 0
                ? .noSocket(code: code) : .cannotSend(address: address.text, code: code)
            defer { channel.reported = error }
            return channel.reported == error ? nil : error
        }
    }

    /// `errno`, nil if all went well. The socket is bound to no other end: a service manager that starts anew is found again
    /// under its address.
    private static func send(_ states: [State], to address: SocketAddress, through descriptor: inout Int32) -> Int32? {
        if descriptor < 0 {
            let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            descriptor = socket(AF_UNIX, Int32(kind), 0)
            if descriptor < 0 { return errno }
        }
        let message = Array(states.map(\.line).joined(separator: "\n").utf8)
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let count = address.withPointer { sendto(descriptor, message, message.count, flags, $0, $1) }
        return count < 0 ? errno : nil
    }

    private static func interval(process: Int32, _ environment: (String) -> String?) -> Double? {
        guard let text = environment("WATCHDOG_USEC"), let period = UInt64(text), period > 0, period < .max else { return nil }
        // A child inherits the variables, but not the watchdog.
        if let owner = environment("WATCHDOG_PID"), Int32(owner) != process { return nil }
        return Double(period) / 2_000_000
    }
}

extension ServiceNotice.State {
    /// Bytes of a status: systemd takes no message beyond 4096.
    private static let longestStatus = 2048

    var line: String {
        switch self {
        case .ready: "READY=1"
        case .stopping: "STOPPING=1"
        case .reloading(let moment): "RELOADING=1\nMONOTONIC_USEC=\(moment)"
        case .status(let text): "STATUS=\(Self.oneLine(text))"
        case .watchdog: "WATCHDOG=1"
        case .mainPID(let number): "MAINPID=\(number)"
        }
    }

    /// `reloading` still has to be sent before the end of the reload.
    fileprivate func supersedes(_ old: Self) -> Bool {
        switch (self, old) {
        case (.ready, .ready), (.stopping, .ready), (.stopping, .reloading), (.stopping, .stopping), (.reloading, .ready),
            (.reloading, .reloading), (.status, .status), (.watchdog, .watchdog), (.mainPID, .mainPID):
            true
        default: false
        }
    }

    private static func oneLine(_ text: String) -> String {
        var line = "", room = longestStatus
        for scalar in text.unicodeScalars {
            let value = scalar.value, isControl = value < 0x20 || (0x7f...0x9f).contains(value)
            let shown: Unicode.Scalar = isControl || value == 0x2028 || value == 0x2029 ? " " : scalar
            room -= UTF8.width(shown)
            if room < 0 { break }
            line.unicodeScalars.append(shown)
        }
        return line
    }
}
