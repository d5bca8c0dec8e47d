import Glibc

/// The reason why the service manager gets nothing from this process: what failed, what still works, what to do. The music
/// plays on.
public enum ServiceNoticeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address in NOTIFY_SOCKET has more bytes than a socket's may.
    case addressTooLong(String, limit: Int)
    /// NOTIFY_SOCKET is neither a path from the root nor a name with an @ before it.
    case unknownAddress(String)
    /// The system gives no socket.
    case noSocket(code: Int32)
    /// The message was not taken, as when the service manager is gone.
    case cannotSend(address: String, code: Int32)

    public var description: String {
        switch self {
        case .addressTooLong(let address, let limit):
            "NOTIFY_SOCKET: \"\(address)\" is longer than \(limit) bytes; the music plays on, but the service manager gets "
                + "no messages; give it a shorter path"
        case .unknownAddress(let address):
            "NOTIFY_SOCKET: \"\(address)\" is no socket that this program can reach; the music plays on, but the service "
                + "manager gets no messages; give an absolute path, or @ and a name"
        case .noSocket(let code):
            "no socket can be opened (\(Self.text(code))); the music plays on, but the service manager gets no messages; raise "
                + "the limit of open files"
        case .cannotSend(let address, let code):
            "\(address): the service manager takes no message (\(Self.text(code))); the music plays on, and each message is "
                + "tried again with the next; check whether it still runs"
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
