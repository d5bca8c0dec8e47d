import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Accepts connections, a limited number at once, and sets up the handlers of each. One event loop.
final class GatewayListener: @unchecked Sendable {
    private let peer: SessionPeer
    private let access: AccessControl
    private let routes: Routes
    private var connections: [String: Int] = [:]
    private var refused = 0

    init(_ peer: SessionPeer, _ access: AccessControl) {
        (self.peer, self.access, routes) = (peer, access, Routes(peer, access))
    }

    func bootstrap(_ group: MultiThreadedEventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try self.furnish(channel) } }
    }

    private static var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (16_384, 65_536, 100)
        return limits
    }

    private func furnish(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? "", count = connections[address] ?? 0
        // A proxy is many.
        let isOneTooMany = count >= Gateway.mostOfOne && !access.isProxy(channel.remoteAddress)
        if isOneTooMany || connections.values.reduce(0, +) >= Gateway.mostConnections { return try refuse(channel) }
        connections[address] = count + 1
        channel.closeFuture.whenComplete { _ in
            let left = (self.connections[address] ?? 1) - 1
            self.connections[address] = left > 0 ? left : nil
        }
        let connection = HTTPConnection(routes, access)
        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader()],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
                }
            ), withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.limits)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    /// Sends a refusal to an excess connection, or cuts it off if too many are being refused already.
    private func refuse(_ channel: any Channel) throws {
        if refused >= FullHouse.most { return channel.close(promise: nil) }
        refused += 1
        channel.closeFuture.whenComplete { _ in self.refused -= 1 }
        try channel.pipeline.syncOperations.addHandler(FullHouse())
    }

    /// Upgrades visitors with access to the WebSocket; all others get an HTTP response.
    private func upgrader() -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: WebSocketConnection.longestMessage,
            shouldUpgrade: { channel, head in
                let isOpen = self.visitor(head, channel) != nil && !self.access.isFull
                return channel.eventLoop.makeSucceededFuture(isOpen ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    self.access.webSockets += 1
                    channel.closeFuture.whenComplete { _ in self.access.webSockets -= 1 }
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 16,
                        maxAccumulatedFrameSize: WebSocketConnection.longestMessage)
                    guard let visitor = self.visitor(head, channel) else { return channel.close(promise: nil) }
                    let connection = WebSocketConnection(self.peer, self.access, visitor)
                    try channel.pipeline.syncOperations.addHandlers([MaskCheck(), aggregator, connection])
                }
            })
    }

    /// The visitor that asks for a WebSocket; nil for other requests, and without access.
    private func visitor(_ head: HTTPRequestHead, _ channel: any Channel) -> Visitor? {
        guard head.uri.prefix(while: { $0 != "?" }) == "/ws" else { return nil }
        let visitor = access.visitor(head, from: channel.remoteAddress)
        return visitor.role == nil ? nil : visitor
    }
}
