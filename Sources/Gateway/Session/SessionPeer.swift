import NIOCore

/// The session as a gateway sees it: one connection for clients that steer, one for those that look, one for the session's
/// state. For any number of network clients, the session has three. One event loop.
final class SessionPeer: @unchecked Sendable {
    let feed = SessionFeed()
    private let steering: SessionLine
    private let looking: SessionLine
    private let watching: SessionLine
    private let loop: any EventLoop

    init(_ path: String, on loop: any EventLoop) {
        self.loop = loop
        steering = SessionLine(path, greeting: ["role remote"], on: loop)
        looking = SessionLine(path, greeting: ["role reader"], on: loop)
        let feed = feed
        watching = SessionLine(
            path, greeting: ["role reader", "watch \(SessionFeed.interval)"], on: loop, onLine: { feed.take($0) },
            onEnd: { feed.take(nil) })
    }

    func open() { for line in [steering, looking, watching] { line.open() } }
    func close() { for line in [steering, looking, watching] { line.close() } }

    var isConnected: Bool { looking.isConnected }

    func ask(
        _ line: String, as role: Tokens.Role, on surface: Surface = .http, from address: SocketAddress? = nil,
        _ answer: @escaping SessionLine.Answer
    ) {
        if let refusal = RequestLine(line).refusal { return answer(refusal) }
        guard role == .full else { return looking.ask(line, answer) }
        steering.ask("from \(surface) \(address?.ipAddress ?? "-") \(role.rawValue) \(line)", answer)
    }

    enum Surface { case http, page, osc }

    /// Lifts a key of a client that has gone, as soon as there is room for that.
    func lift(_ line: String) {
        ask(line, as: .full) { answer in
            guard answer == "error too many requests" || answer.hasPrefix("error the session takes no more") else { return }
            self.loop.scheduleTask(in: .milliseconds(100)) { self.lift(line) }
        }
    }
}
