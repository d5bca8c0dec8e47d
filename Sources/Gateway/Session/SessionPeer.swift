import NIOCore

/// The session as a gateway sees it: one connection for those who steer, one for those who look, one that is told how things
/// stand. However many come over the network, the session has three clients. One event loop.
final class SessionPeer: @unchecked Sendable {
    let feed = SessionFeed()
    private let steering: SessionLine
    private let looking: SessionLine
    private let told: SessionLine
    private let loop: any EventLoop

    init(_ path: String, on loop: any EventLoop) {
        self.loop = loop
        steering = SessionLine(path, greeting: ["role remote"], on: loop)
        looking = SessionLine(path, greeting: ["role reader"], on: loop)
        let feed = feed
        told = SessionLine(
            path, greeting: ["role reader", "watch \(SessionFeed.interval)"], on: loop, onLine: { feed.take($0) },
            onEnd: { feed.take(nil) })
    }

    func open() { for line in [steering, looking, told] { line.open() } }
    func close() { for line in [steering, looking, told] { line.close() } }

    var isConnected: Bool { looking.isConnected }

    /// Asks the session something in the name of somebody with this role.
    ///
    /// - Parameters:
    ///   - surface: the way by which he came.
    ///   - address: where he is; nil: nobody knows.
    func ask(
        _ line: String, as role: Tokens.Role, on surface: Surface = .http, from address: SocketAddress? = nil,
        _ answer: @escaping SessionLine.Answer
    ) {
        if let refusal = RequestLine(line).refusal { return answer(refusal) }
        guard role == .full else { return looking.ask(line, answer) }
        steering.ask("from \(surface) \(address?.ipAddress ?? "-") \(role.rawValue) \(line)", answer)
    }

    /// The ways on which requests come.
    enum Surface { case http, page, osc }

    /// Lifts a key of somebody who has gone, as soon as there is room for that.
    func lift(_ line: String) {
        ask(line, as: .full) { answer in
            guard answer == "error too many requests" || answer.hasPrefix("error the session takes no more") else { return }
            self.loop.scheduleTask(in: .milliseconds(100)) { self.lift(line) }
        }
    }
}
