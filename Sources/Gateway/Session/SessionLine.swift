import NIOCore
import NIOPosix

/// A connection to the session's socket: a line out, a line back, in order; made anew when the session comes back. One event
/// loop.
final class SessionLine: @unchecked Sendable {
    /// Takes an answer: a line without its end.
    typealias Answer = (String) -> Void

    /// Requests that wait for their answers at most: the session reads no more of one client.
    static let mostWaiting = 60
    static let longestAnswer = 2 << 20
    /// The answer that is given while there is no session.
    static let away = "error the session is not there"
    /// Seconds between two tries.
    private static let pauses: [Int64] = [100, 250, 500, 1000, 2000]

    let loop: any EventLoop
    private let path: String
    private let greeting: [String]
    /// Takes lines that are not answers to requests.
    private let onLine: ((String) -> Void)?
    private let onEnd: (() -> Void)?
    private var channel: (any Channel)?
    private var waiting = CircularBuffer<Answer>()
    private var tries = 0
    private var isOver = false

    /// `onLine` takes the answers to `greeting` other than "ok", and every line after them, if no other request is sent on this
    /// line.
    init(
        _ path: String, greeting: [String], on loop: any EventLoop, onLine: ((String) -> Void)? = nil,
        onEnd: (() -> Void)? = nil
    ) {
        (self.path, self.greeting, self.loop, self.onLine, self.onEnd) = (path, greeting, loop, onLine, onEnd)
    }

    var isConnected: Bool { channel != nil }

    func open() {
        if isOver { return }
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SessionLineHandler(self))
                }
            }
            .connect(unixDomainSocketPath: path)
            .whenComplete { result in
                switch result {
                case .success(let channel): self.begin(channel)
                case .failure: self.retry()
                }
            }
    }

    /// Sends a request; the answer is an error if too many wait, or while there is no session.
    func ask(_ line: String, _ answer: @escaping Answer) {
        guard let channel else { return answer(Self.away) }
        if waiting.count >= Self.mostWaiting { return answer("error too many requests") }
        // A line end would make two of it.
        if line.utf8.contains(where: { $0 == 10 || $0 == 13 }) { return answer("error a request is one line") }
        waiting.append(answer)
        channel.writeAndFlush(ByteBuffer(string: line + "\n"), promise: nil)
    }

    /// Ends it for good.
    func close() {
        isOver = true
        channel?.close(promise: nil)
    }

    private func begin(_ channel: any Channel) {
        if isOver { return channel.close(promise: nil) }
        self.channel = channel
        var left = greeting.count
        for line in greeting {
            // A session that does not take the role would do everything that is asked.
            ask(line) { answer in
                if answer.hasPrefix("error") { return channel.close(promise: nil) }
                left -= 1
                if left == 0 { self.tries = 0 }
                // The answer to `watch` is a status; a closed installation has no other for a while.
                if answer != "ok" { self.onLine?(answer) }
            }
        }
    }

    private func retry() {
        if isOver { return }
        let pause = Self.pauses[min(tries, Self.pauses.count - 1)]
        tries += 1
        loop.scheduleTask(in: .milliseconds(pause)) { self.open() }
    }

    func take(_ line: String) {
        if let answer = waiting.popFirst() { return answer(line) }
        onLine?(line)
    }

    func hasEnded() {
        channel = nil
        let asked = waiting
        waiting = []
        for answer in asked { answer(Self.away) }
        onEnd?()
        retry()
    }
}

/// Bytes into lines.
private final class SessionLineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let line: SessionLine
    private var buffer = ByteBuffer()

    init(_ line: SessionLine) { self.line = line }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
        while let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let text = buffer.readString(length: end - buffer.readerIndex) ?? ""
            buffer.moveReaderIndex(forwardBy: 1)
            line.take(text)
        }
        buffer.discardReadBytes()
        if buffer.readableBytes > SessionLine.longestAnswer { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { line.hasEnded() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
