/// The reason why a MIDI port is connected to us or not: every port has one, and it is one sentence.
public enum ConnectionReason: Hashable, Sendable, CustomStringConvertible {
    /// Connected.
    case rule(ConnectionRule)
    /// Connected by another program.
    case otherProgram
    /// A rule names it, and it is not connected yet: what `carillon devices` shows of a session to come.
    case wanted(ConnectionRule)

    /// Not connected.
    case noRule
    case systemPort
    case ownPort
    case throughPort
    case notReadable
    /// The kernel refused; it is tried again twice a second.
    case refused(ALSAFault)
    /// Another program took the connection away.
    case disconnected
    /// Left alone: what we send would come back to us on this way.
    case loop
    /// Cut off: what we sent came back to us on this way, again and again.
    case feedback

    /// True if the port's events reach us.
    public var isConnected: Bool {
        switch self {
        case .rule, .otherProgram: true
        default: false
        }
    }

    public var description: String {
        switch self {
        case .rule(let rule): "connected because of the rule \(rule)"
        case .otherProgram: "connected by another program"
        case .wanted(let rule): "would be connected because of the rule \(rule)"
        case .noRule: "not connected because no rule names it; add one"
        case .systemPort: "not connected because it is a port of the ALSA system itself"
        case .ownPort: "not connected because it is our own"
        case .throughPort: "not connected because any leaves Midi Through out; name it in a rule if you want it"
        case .notReadable: "not connected because nothing can be played from it, only to it"
        case .refused(let fault): "not connected because the kernel refused: \(fault); it is tried again"
        case .disconnected: "not connected because another program disconnected it; plug it in again or use aconnect"
        case .loop: "not connected because what goes out would come back in; take away its connection from our output"
        case .feedback: "not connected because what went out came back in, a feedback loop; break it and plug it in again"
        }
    }
}
