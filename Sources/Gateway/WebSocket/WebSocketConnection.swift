import NIOCore
import NIOWebSocket

/// A WebSocket client: gets the session's state, sends requests, and gets answers in order.
final class WebSocketConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    static let longestMessage = 4096
    /// Time between two pings, and without a word after which the other side is gone.
    private static let pingInterval = TimeAmount.seconds(15), patience = TimeAmount.seconds(45)

    private let peer: SessionPeer
    private let access: AccessControl
    private let visitor: Visitor
    private var number: Int?
    private var pings: RepeatedTask?
    private var heard = NIODeadline.now()
    private var isClosing = false
    /// Requests that have come, and that were answered; answers that wait for those before them.
    private var asked = 0, answered = 0
    private var answers: [Int: String] = [:]
    private var keys = HeldKeys()
    private var telling = StatusTelling()

    init(_ peer: SessionPeer, _ access: AccessControl, _ visitor: Visitor) {
        (self.peer, self.access, self.visitor) = (peer, access, visitor)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        tell(peer.feed.status, context)
        number = peer.feed.watch { status in
            let (connection, context) = bound.value
            connection.tell(status, context)
        }
        pings = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.pingInterval, delay: Self.pingInterval) { _ in
            let (connection, context) = bound.value
            if NIODeadline.now() - connection.heard > Self.patience { return context.close(promise: nil) }
            connection.send(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let number { peer.feed.end(number) }
        let house = peer.feed.status?.value?["house"]
        for line in keys.lifts + keys.releases({ house?.isHeld(cue: $0) ?? false }) { peer.lift(line) }
        pings?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing { return }
        heard = .now()
        switch frame.opcode {
        case .text: take(frame.data, context)
        case .ping: send(WebSocketFrame(fin: true, opcode: .pong, data: frame.data), context)
        case .pong: break
        case .connectionClose: close(.normalClosure, context)
        case .binary: close(.unacceptableData, context)
        default: close(.protocolError, context)
        }
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let line = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            return close(.dataInconsistentWithMessage, context)
        }
        let number = asked
        asked += 1
        let request = RequestLine(line)
        // The end of a note is never too much.
        guard request.isLift || access.mayAsk(visitor.allowance) else {
            return take("error too many requests", of: number, context)
        }
        // Every client here watches already.
        if request.verb == "watch" { return take("ok", of: number, context) }
        guard keys.ask(request) else {
            return take("error press: \(HeldKeys.most) keys are down already; lift some", of: number, context)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        peer.ask(line, as: visitor.role ?? .reader, on: .page, from: visitor.address) { answer in
            let (connection, context) = bound.value
            if answer == "ok" { connection.keys.hasDone(request) }
            connection.take(answer, of: number, context)
        }
    }

    /// Sends answers in the order of the requests: an answer that is known here waits for those of the session.
    private func take(_ answer: String, of number: Int, _ context: ChannelHandlerContext) {
        answers[number] = answer
        while let next = answers.removeValue(forKey: answered) {
            answered += 1
            say(next, context)
        }
    }

    /// Sends the state; a client that has not read the last message gets a later state, whole.
    private func tell(_ status: SessionStatus?, _ context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return telling.lose() }
        if let text = telling.text(of: status, at: .now()) { say(text, context) }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
        send(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), context)
    }

    private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        guard context.channel.isActive, !isClosing else { return }
        // A client that sends requests and reads no answers must not fill the memory with them.
        if !context.channel.isWritable, frame.opcode != .ping { return context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func close(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        isClosing = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isClosing { close(.protocolError, context) }
    }
}

/// Passes frames that are masked, as every frame of a client is (RFC 6455, 5.1), and removes the mask.
final class MaskCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var frame = unwrapInboundIn(data)
        guard frame.maskKey != nil else { return context.fireErrorCaught(NIOWebSocketError.invalidFrameLength) }
        frame.data = frame.unmaskedData
        frame.maskKey = nil
        context.fireChannelRead(wrapInboundOut(frame))
    }
}
