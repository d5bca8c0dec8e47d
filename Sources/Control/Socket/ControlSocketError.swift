import Glibc

/// A reason why nothing can listen at a path.
public enum ControlSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path is empty, or longer than a socket's path may be.
    case path(String, limit: Int)
    /// Another process listens there.
    case inUse(path: String)
    /// A file or a folder lies there, which is not touched.
    case notASocket(path: String)
    /// The system refused a call.
    case system(call: String, path: String, code: Int32)

    public var description: String {
        switch self {
        case .path(let path, let limit):
            path.isEmpty
                ? "the control socket's path is empty"
                : "\(path): a socket's path has at most \(limit) bytes; choose a shorter one"
        case .inUse(let path): "\(path): another session listens there; choose another path, or end that session"
        case .notASocket(let path): "\(path): is not a socket and was left alone; choose another path"
        case .system(let call, let path, let code): "\(path): cannot listen there (\(call): \(String(cString: strerror(code))))"
        }
    }
}
