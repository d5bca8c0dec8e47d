import Glibc
import Reports

/// The address of a socket on this machine: a path, or a name that is in no folder, written with an @ before it.
struct SocketAddress: Sendable {
    let text: String
    private let address: sockaddr_un
    private let length: socklen_t

    /// Bytes; one more is left for the zero at the end of a path.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard bytes.count >= 2, isAbstract || bytes[0] == UInt8(ascii: "/"), !bytes.contains(0) else {
            throw .unknownAddress(text)
        }
        guard bytes.count <= Self.limit else { throw .addressTooLong(text, limit: Self.limit) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // A zero byte replaces the @; then only the length marks the end of the name.
        if isAbstract { address.sun_path.0 = 0 }
        let before = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        (self.text, self.address) = (text, address)
        length = socklen_t(before + bytes.count + (isAbstract ? 0 : 1))
    }

    /// Shows it as the calls of sockets want it.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
