/// A reason why a gateway cannot begin.
public enum GatewayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No address to listen at.
    case address(String)
    /// Others could reach it, and no token keeps them out.
    case needsToken(address: String)
    /// The file of tokens cannot be read, or others could read it.
    case tokenFile(path: String, reason: String)
    /// No socket's path: empty or too long.
    case socketPath(String)
    /// No address of a proxy.
    case proxy(String)
    /// The system refuses the address.
    case cannotListen(address: String, reason: String)

    public var description: String {
        switch self {
        case .address(let text): "\"\(text)\": is no address to listen at; write 8080, 127.0.0.1:8080 or [::1]:8080"
        case .needsToken(let address):
            "\(address): others can reach it: give a token file, or listen on 127.0.0.1"
        case .tokenFile(let path, let reason): "\(path): \(reason)"
        case .socketPath(let path): "\"\(path)\": cannot be the path of a socket; it is empty or too long"
        case .proxy(let text): "\"\(text)\": is no address of a proxy; write a number like 127.0.0.1 or ::1"
        case .cannotListen(let address, let reason): "\(address): cannot listen there: \(reason)"
        }
    }
}
