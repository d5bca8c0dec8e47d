/// The meaning of a name such as `jack` or `jack:system`.
enum JACKName: Equatable {
    case physical
    case client(String)
    /// None: other programs connect it, or it stays unconnected.
    case nothing

    /// nil for a name that is not a device of JACK's.
    init?(_ name: String) {
        if name == "jack" || name == "jack:" {
            self = .physical
        } else if name.hasPrefix("jack:") {
            let client = String(name.dropFirst(5))
            self = client == "none" ? .nothing : .client(client)
        } else {
            return nil
        }
    }

    func choose(_ ports: [String], physical: [String]) -> [String] {
        switch self {
        case .physical: physical
        case .client(let name): ports.filter { $0.hasPrefix(name + ":") }
        case .nothing: []
        }
    }
}
