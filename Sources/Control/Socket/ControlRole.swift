import Carillon
import Glibc

/// The rights of a client of a socket.
public struct ControlRole: Sendable {
    /// A role that a client can take and cannot give up again.
    public enum Name: String, CaseIterable, Sendable, Hashable {
        /// Acts for a user on a network: it cannot end the session, and the session chooses the names of files.
        case remote
        /// Reads the state and changes nothing.
        case reader

        static let help = "remote: ends nothing and names no file; reader: only asks"
    }

    /// The verbs that are refused.
    package let forbidden: Set<Verb>
    /// True if only verbs that change nothing are allowed.
    public private(set) var readsOnly = false
    /// True if a client that saves may choose the path.
    public private(set) var namesFiles: Bool

    /// Allows everything except these verbs.
    package init(forbidding forbidden: Set<Verb>, namesFiles: Bool = true) {
        (self.forbidden, self.namesFiles) = (forbidden, namesFiles)
    }

    /// The client may do everything.
    public static let everything = ControlRole(forbidding: [])
    /// The client may read the state and change nothing.
    public static let readOnly = ControlRole.everything.limited(to: .reader)

    func limited(to name: Name) -> ControlRole {
        var role = ControlRole(forbidding: name == .remote ? forbidden.union([.quit]) : forbidden, namesFiles: false)
        role.readsOnly = readsOnly || name == .reader
        return role
    }

    /// Returns the role of a client of that user: the full role for the session's own user and for root. Another user gets in
    /// only through a socket for the group; it counts as a gateway and acts for others from its first word on.
    func of(peer: uid_t?, besides own: uid_t) -> ControlRole { peer == own || peer == 0 ? self : limited(to: .remote) }

    func refusal(of verb: Verb, _ request: ControlRequest) -> String? {
        if forbidden.contains(verb) || readsOnly && verb.role != .look {
            return "\(verb.words[0]): is not allowed through this socket"
        }
        if case .command(let command) = request {
            for case .request(.request(let inner)) in command.values {
                if let refusal = refusal(of: inner.verb, .command(inner)) { return refusal }
            }
        }
        guard verb.role == .save, !namesFiles, case .command(let command) = request else { return nil }
        // A preset's name is no path, and an existing preset is never overwritten.
        if verb == .savePreset { return nil }
        guard let place = verb.arguments.firstIndex(where: \.isOptional) else {
            return "\(verb.words[0]): no file may be named through this socket"
        }
        if command.text(place) == nil { return nil }
        return "\(verb.words[0]): the file's name cannot be chosen through this socket; leave it out"
    }
}
