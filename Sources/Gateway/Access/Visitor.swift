import NIOCore

/// Somebody who asks: where he is, what he may, and the name under which his requests are counted.
struct Visitor {
    /// The address of the other side, or the one that a trusted proxy names.
    var address: SocketAddress?
    var verdict: AccessControl.Verdict
    /// The token that he has shown with his address, or the address alone: who shows a good one is not held up by those who show
    /// none.
    var allowance: String

    /// The role of one who may come in; nil for any other.
    var role: Tokens.Role? {
        switch verdict {
        case .full: .full
        case .reader: .reader
        case .foreign, .unknown, .guessing: nil
        }
    }
}
