import NIOCore

/// An address at which a gateway listens: `8080`, `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:80`.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A number of IPv4 or IPv6; loopback if only a port was given.
    public let host: String
    /// 0 takes any that is free.
    public let port: Int

    /// Reads the text's form. - Throws: `address` if it is none.
    public init(_ text: String) throws(GatewayError) {
        var host = "127.0.0.1", digits = Substring(text)
        if let colon = text.lastIndex(of: ":") {
            digits = text[text.index(after: colon)...]
            host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            } else if host.contains(":") {
                throw .address(text)
            }
            if host == "localhost" { host = "127.0.0.1" }
        }
        guard let port = UInt16(digits), digits.allSatisfy(\.isNumber) else { throw .address(text) }
        do {
            // As the system writes it: 127.1 is another name of a host that others may not know.
            self.host = try SocketAddress(ipAddress: host, port: Int(port)).ipAddress ?? host
        } catch { throw .address(text) }
        self.port = Int(port)
    }

    private init(host: String, port: Int) { (self.host, self.port) = (host, port) }
    func with(port: Int) -> ListenAddress { ListenAddress(host: host, port: port) }

    /// True if only this machine reaches the address.
    public var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool { host.hasPrefix("127.") || host == "::1" }

    /// The host as it is written in a web address.
    var webHost: String { host.contains(":") ? "[\(host)]" : host }

    public var description: String { "\(webHost):\(port)" }
}
