import NIOCore

/// The sender of a request: its address, its rights, and the name under which its requests are counted.
struct Visitor {
    /// The address of the other side, or the one that a trusted proxy names.
    var address: SocketAddress?
    var verdict: AccessControl.Verdict
    /// The token together with the address, or the address alone: requests without a good token do not use up the allowance
    /// of those with one.
    var allowance: String

    var role: Tokens.Role? {
        switch verdict {
        case .full: .full
        case .reader: .reader
        case .foreign, .unknown, .guessing: nil
        }
    }
}
