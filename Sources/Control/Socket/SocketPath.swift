import Glibc

/// A path that a socket may have.
struct SocketPath: Sendable {
    /// The path, without `unix:` before it.
    let text: String
    private let address: sockaddr_un

    /// Bytes that a path may have; one more is left for the zero at its end.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Returns: nil where it is empty, too long or holds a zero.
    init?(_ text: String) {
        let path = text.hasPrefix("unix:") ? String(text.dropFirst("unix:".count)) : text
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.limit, !bytes.contains(0) else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        (self.text, self.address) = (path, address)
    }

    var folder: String {
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }

    /// Shows it as the calls of sockets want it.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    static func makeSocket(blocks: Bool = false) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socket(AF_UNIX, type | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue)), 0)
    }

    enum Finding { case free, notASocket, stale, inUse }

    var finding: Finding {
        var info = stat()
        guard lstat(text, &info) == 0 else { return .free }
        guard info.st_mode & S_IFMT == S_IFSOCK else { return .notASocket }
        let descriptor = Self.makeSocket()
        guard descriptor >= 0 else { return .inUse }
        defer { close(descriptor) }
        let code = withPointer { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        return code == ECONNREFUSED ? .stale : .inUse
    }
}
