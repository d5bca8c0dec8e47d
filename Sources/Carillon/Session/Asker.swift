/// The one who asks a session for something, as a log and a status name him.
public struct Asker: Sendable, Hashable, CustomStringConvertible {
    /// The way by which he comes: `page`, `http`, `osc`, `socket`.
    public var surface: String
    /// The address from which he comes; nil on this machine.
    public var address: String?
    /// The role that his token gives; nil where there are none.
    public var role: String?

    /// Somebody.
    public init(surface: String, address: String? = nil, role: String? = nil) {
        (self.surface, self.address, self.role) = (surface, address, role)
    }

    /// `http 192.168.1.7 (full)`.
    public var description: String {
        surface + (address.map { " \($0)" } ?? "") + (role.map { " (\($0))" } ?? "")
    }
}
