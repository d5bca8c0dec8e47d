import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One connection over which requests come: makes them whole, bounds them in bytes and in time, sends what is answered.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Time that a request may take, from its first byte to the last of its answer, and that a connection may be idle.
    static let patience = TimeAmount.seconds(20)

    private let routes: Routes
    private let access: AccessControl
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isTooLong = false
    private var deadline: Scheduled<Void>?

    init(_ routes: Routes, _ access: AccessControl) { (self.routes, self.access) = (routes, access) }

    func handlerAdded(context: ChannelHandlerContext) { wait(context) }
    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    private func wait(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
            isTooLong =
                head.headers.first(name: "content-length").flatMap { Int($0) }.map {
                    $0 > GatewayRequest.longestBody
                } ?? false
        case .body(var bytes):
            isTooLong = isTooLong || body.readableBytes + bytes.readableBytes > GatewayRequest.longestBody
            if isTooLong { body.clear() } else { body.writeBuffer(&bytes) }
            if isTooLong { refuse(context) }
        case .end: answer(context)
        }
    }

    /// Refuses a body that is too long without waiting for it.
    private func refuse(_ context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        var ended = head
        ended.headers.replaceOrAdd(name: "connection", value: "close")
        send(.error("a request's body has at most \(GatewayRequest.longestBody) bytes", .payloadTooLarge), to: ended, context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        if isTooLong { return }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            return send(.error("a request is text in UTF-8", .badRequest), to: head, context)
        }
        let visitor = access.visitor(head, showing: GatewayRequest.login(head, text), from: context.remoteAddress)
        let request = GatewayRequest(head: head, body: text, visitor: visitor)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        routes.answer(request) { response in
            let (connection, context) = bound.value
            connection.send(response, to: head, context)
        }
    }

    private func send(_ response: GatewayResponse, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        let stays = head.isKeepAlive && response.status != .payloadTooLarge
        var headers = HTTPHeaders([
            ("Content-Type", response.type), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            (
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
            ),
        ])
        if ![.noContent, .notModified].contains(response.status) {
            headers.add(name: "Content-Length", value: "\(response.body.readableBytes)")
        }
        for (name, value) in response.headers { headers.add(name: name, value: value) }
        if !headers.contains(name: "cache-control") { headers.add(name: "Cache-Control", value: "no-store") }
        if !stays { headers.add(name: "Connection", value: "close") }
        let start = HTTPResponseHead(version: head.version, status: response.status, headers: headers)
        context.write(wrapOutboundOut(.head(start)), promise: nil)
        if head.method != .HEAD, response.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            let (connection, context) = bound.value
            if stays { connection.wait(context) } else { context.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A request whose upgrade is refused gets an answer that says why: it comes here next.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }
}
