/// The origin of a request to a session, as the log and the status name it.
public struct Asker: Sendable, Hashable, CustomStringConvertible {
    /// The way by which the request came: `page`, `http`, `osc`, `socket`.
    public var surface: String
    /// The network address of the client; nil on this machine.
    public var address: String?
    /// The role that the client's token gives; nil if there are no tokens.
    public var role: String?

    /// Creates an origin.
    public init(surface: String, address: String? = nil, role: String? = nil) {
        (self.surface, self.address, self.role) = (surface, address, role)
    }

    /// `http 192.168.1.7 (full)`.
    public var description: String {
        surface + (address.map { " \($0)" } ?? "") + (role.map { " (\($0))" } ?? "")
    }
}
