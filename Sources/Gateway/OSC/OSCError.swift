/// A reason why a datagram or a message is not obeyed.
enum OSCError: Error, Hashable, CustomStringConvertible {
    /// The data is not valid OSC, or exceeds a limit of size.
    case malformed
    case address(String)
    case notFinite(String)
    /// The port that a subscriber names is invalid.
    case port
    case tooManySubscribers
    case tooManyRequests
    /// A request that lasts, or that changes the connection that all clients share.
    case notHere(String)
    case longAnswer(String)
    case status(String)

    var description: String {
        switch self {
        case .malformed: "this is no OSC"
        case .address(let text):
            "\"\(text)\" is no address of a request; write /carillon/ and its words, like /carillon/seek/bar"
        case .notFinite(let text): "\(text): a number is not finite"
        case .port: "subscribe takes a port from 1 to 65535, or nothing"
        case .tooManySubscribers: "there are \(OSCSubscribers.most) subscribers already; wait until one has left"
        case .tooManyRequests: "too many requests; send at most \(Int(RequestRates.most)) in a second"
        case .notHere("watch"): "watch is not for OSC; send /carillon/subscribe"
        case .notHere(let word): "\(word) is not for OSC"
        case .longAnswer(let word): "\(word): the answer is too long for OSC; ask for it through HTTP"
        case .status(let reason): "the session's status is not understood (\(reason)); are both of the same version?"
        }
    }
}
