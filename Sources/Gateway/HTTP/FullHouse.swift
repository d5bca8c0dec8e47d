import NIOCore

/// An excess connection: it is sent a refusal and closed. One event loop.
final class FullHouse: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time in which the other side may read the refusal.
    private static let patience = TimeAmount.seconds(1)
    /// The most connections that are refused at once; those beyond are cut off.
    static let most = 16

    func channelActive(context: ChannelHandlerContext) {
        let body = "{\"error\":\"too many connections; try again in a moment\"}\n"
        let head = """
            HTTP/1.1 503 Service Unavailable\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Retry-After: 1\r
            Connection: close\r
            \r

            """
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + body)), promise: nil)
        // Closed at once, with input unread, the connection would be reset and the refusal lost.
        context.eventLoop.scheduleTask(in: Self.patience) { bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
