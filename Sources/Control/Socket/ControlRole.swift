import Carillon
import Glibc

/// The rights of those who come through a socket.
public struct ControlRole: Sendable {
    /// A role that a client can take upon itself, and not put off again.
    public enum Name: String, CaseIterable, Sendable, Hashable {
        /// Speaks for somebody on a network: the session is not ended, and files get the names that the session
        /// chooses.
        case remote
        /// Looks, and touches nothing.
        case reader

        static let help = "remote: ends nothing and names no file; reader: only asks"
    }

    /// The verbs that are refused.
    public let forbidden: Set<Verb>
    /// True if those who save may say where.
    public let namesFiles: Bool

    /// Everything but these.
    public init(forbidding forbidden: Set<Verb>, namesFiles: Bool = true) {
        (self.forbidden, self.namesFiles) = (forbidden, namesFiles)
    }

    /// Whoever comes may do everything.
    public static let everything = ControlRole(forbidding: [])
    /// They may look, and touch nothing.
    public static let readOnly = ControlRole(forbidding: Set(Verb.ofSessions.filter { $0.role != .look }))

    /// Returns what is left of the role to one who takes the named one upon himself.
    func limited(to name: Name) -> ControlRole {
        switch name {
        case .remote: ControlRole(forbidding: forbidden.union([.quit]), namesFiles: false)
        case .reader: ControlRole(forbidding: forbidden.union(Self.readOnly.forbidden), namesFiles: false)
        }
    }

    /// Returns what a client of that user may do: all of it for the session's own user and for root; another one, whom only a socket
    /// for the group lets in, is a gateway or the like, and speaks for others from its first word on.
    func of(peer: uid_t?, besides own: uid_t) -> ControlRole { peer == own || peer == 0 ? self : limited(to: .remote) }

    /// Returns the reason why a request is refused; nil where it is not.
    func refusal(of verb: Verb, _ request: ControlRequest) -> String? {
        if forbidden.contains(verb) { return "\(verb.words[0]): is not allowed through this socket" }
        guard verb.role == .save, !namesFiles, case .command(let command) = request else { return nil }
        // A preset's name is no path, and one that is there stays.
        if verb == .savePreset { return nil }
        guard let place = verb.arguments.firstIndex(where: \.isOptional) else {
            return "\(verb.words[0]): no file is named through this socket"
        }
        if command.text(place) == nil { return nil }
        return "\(verb.words[0]): the file's name is not chosen through this socket; leave it out"
    }
}
