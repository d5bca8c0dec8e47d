import NIOCore

/// A connection too many: is told so, and ended. One event loop.
final class FullHouse: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time in which the other side may fetch what it is told.
    private static let patience = TimeAmount.seconds(1)
    /// Connections that are told so at once; those beyond are cut off.
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
        // What was sent and is not read would throw away what is told.
        context.eventLoop.scheduleTask(in: Self.patience) { bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
