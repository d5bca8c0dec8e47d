/// What those may ask who come through a socket.
public struct ControlRole: Sendable {
    /// What is refused.
    public let forbidden: Set<ControlVerb>

    /// Everything but these.
    public init(forbidding forbidden: Set<ControlVerb>) { self.forbidden = forbidden }

    /// Whoever comes may do everything.
    public static let everything = ControlRole(forbidding: [])
    /// They may look, and touch nothing.
    public static let readOnly = ControlRole(forbidding: Set(ControlVerb.allCases.filter { !$0.onlyAsks }))
}
