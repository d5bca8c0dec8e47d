import NIOCore
import NIOPosix

/// Takes datagrams of OSC, carries them out, answers their senders, and sends updates to subscribers. One event loop.
///
/// The sender's address in a datagram can be forged: from another machine, a datagram without a token is ignored and gets no
/// answer.
final class OSCListener: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let peer: SessionPeer
    private let tokens: Tokens?
    private var rates = RequestRates(perSecond: RequestRates.most, burst: RequestRates.most)
    private var complaints = RequestRates(perSecond: 1, burst: 1)
    private var subscribers = OSCSubscribers()
    private var keys = OSCKeys()
    private var published: [OSCMessage] = []
    private var number: Int?
    private var turns: RepeatedTask?
    /// Datagrams and messages that were dropped: no OSC, no token, too many.
    private(set) var dropped = 0

    init(_ peer: SessionPeer, _ tokens: Tokens?) { (self.peer, self.tokens) = (peer, tokens) }

    static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ peer: SessionPeer, _ tokens: Tokens?) -> DatagramBootstrap {
        DatagramBootstrap(group: group)
            // A byte more than is read shows that there was more.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: OSCPacket.longest + 1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OSCListener(peer, tokens))
                }
            }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel, loop = context.eventLoop, bound = NIOLoopBound(self, eventLoop: loop)
        number = peer.feed.watch { status in bound.value.tell(status, channel) }
        turns = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            bound.value.turn(now: loop.now)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let number { peer.feed.end(number) }
        turns?.cancel()
    }

    private func turn(now: NIODeadline) {
        subscribers.leave(now: now)
        for line in keys.leave(now: now) { peer.lift(line) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data), now = context.eventLoop.now
        let messages: [OSCMessage]
        do throws(OSCError) { messages = try OSCPacket.messages(Array(datagram.data.readableBytesView)) } catch {
            return dropped += 1
        }
        for message in messages { take(message, from: datagram.remoteAddress, context.channel, now) }
    }

    /// One that cannot be read, or could not be sent, does not affect the next one.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { dropped += 1 }

    private func take(_ message: OSCMessage, from sender: SocketAddress, _ channel: any Channel, _ now: NIODeadline) {
        var message = message
        // First the token, so that what strangers send takes no place in a table and nothing away from others.
        guard let role = role(&message, from: sender) else { return dropped += 1 }
        let address = sender.ipAddress ?? ""
        // The end of a note is never too much.
        guard message.address == "/carillon/lift" || rates.take(address, now: now) else {
            dropped += 1
            if complaints.take(address, now: now) { refuse(.tooManyRequests, to: sender, channel) }
            return
        }
        keys.hear(address, now: now)
        do throws(OSCError) { try obey(message, from: sender, role, channel, now) } catch { refuse(error, to: sender, channel) }
    }

    /// Returns the role of a sender; nil if it has none. Removes the token from the message.
    private func role(_ message: inout OSCMessage, from sender: SocketAddress) -> Tokens.Role? {
        if let tokens, case .text(let shown)? = message.arguments.first, let role = tokens.role(of: shown.utf8) {
            message.arguments.removeFirst()
            return role
        }
        return sender.ipAddress.map(ListenAddress.isLoopback) == true ? .full : nil
    }

    private func obey(
        _ message: OSCMessage, from sender: SocketAddress, _ role: Tokens.Role, _ channel: any Channel, _ now: NIODeadline
    ) throws(OSCError) {
        switch message.address {
        case "/carillon/ping": say(OSCMessage(address: "/carillon/pong"), to: sender, channel)
        case "/carillon/status":
            if let status = peer.feed.status { return say(status: status.line, to: sender, channel) }
            peer.ask("status", as: .reader) { self.say(status: $0, to: sender, channel) }
        case "/carillon/subscribe":
            let address = try Self.address(message, of: sender)
            let isNew = !subscribers.addresses.contains(address)
            guard subscribers.add(address, now: now) else { throw .tooManySubscribers }
            guard isNew, let status = peer.feed.status else { return }
            for message in try OSCPosition(status: status.line).messages { say(message, to: address, channel) }
        case "/carillon/unsubscribe": subscribers.remove(try Self.address(message, of: sender))
        default: try ask(message, from: sender, role, channel, now)
        }
    }

    private func ask(
        _ message: OSCMessage, from sender: SocketAddress, _ role: Tokens.Role, _ channel: any Channel, _ now: NIODeadline
    ) throws(OSCError) {
        let line = try OSCRequest.line(message), verb = String(line.prefix { $0 != " " })
        // All network clients are one client of the session: a role that one of them took would be that of all.
        if verb == "watch" || verb == "role" { throw .notHere(verb) }
        let host = sender.ipAddress ?? ""
        if role == .full { for line in keys.take(line, from: host, now: now) { peer.lift(line) } }
        peer.ask(line, as: role, on: .osc, from: sender) { answer in
            if answer == "ok" { self.keys.hasDone(line, from: host) }
            // What was done is not answered; whether all is well is.
            if answer == "ok", verb != "health" { return }
            if answer.hasPrefix("error ") { return self.complain(answer, to: sender, channel) }
            let reply = OSCMessage(address: "/carillon/answer", arguments: [.text(answer)])
            if answer.utf8.count > OSCPacket.longest / 2 { return self.refuse(.longAnswer(verb), to: sender, channel) }
            self.say(reply, to: sender, channel)
        }
    }

    /// The address for a subscriber's messages: the sender's, with the port that it names or the one that it sends from.
    private static func address(_ message: OSCMessage, of sender: SocketAddress) throws(OSCError) -> SocketAddress {
        let port: Int?
        switch message.arguments.first {
        case nil: return sender
        case .whole(let number): port = Int(number)
        case .wide(let number): port = Int(number)
        case .single(let number): port = Int(exactly: number)
        case .double(let number): port = Int(exactly: number)
        case .text, .flag: port = nil
        }
        guard let port, (1...65_535).contains(port), message.arguments.count == 1 else { throw .port }
        var address = sender
        address.port = port
        return address
    }

    private func tell(_ status: SessionStatus?, _ channel: any Channel) {
        if subscribers.isEmpty { return published = [] }
        let messages: [OSCMessage]
        if let status {
            do throws(OSCError) { messages = try OSCPosition(status: status.line).messages } catch {
                messages = [Self.error("\(error)")]
            }
        } else {
            messages = [Self.error(Self.sentence(SessionLine.away))]
        }
        for message in messages where !published.contains(message) {
            for address in subscribers.addresses { say(message, to: address, channel) }
        }
        published = messages
    }

    private func refuse(_ error: OSCError, to address: SocketAddress, _ channel: any Channel) {
        say(Self.error("\(error)"), to: address, channel)
    }

    /// Sends the session's answer: `error` and a sentence.
    private func complain(_ answer: String, to address: SocketAddress, _ channel: any Channel) {
        say(Self.error(Self.sentence(answer)), to: address, channel)
    }

    private static func sentence(_ answer: String) -> String { String(answer.dropFirst("error ".count)) }

    private static func error(_ sentence: String) -> OSCMessage {
        OSCMessage(address: "/carillon/error", arguments: [.text(String(sentence.prefix(1024)))])
    }

    private func say(status: String, to address: SocketAddress, _ channel: any Channel) {
        if status.hasPrefix("error ") { return complain(status, to: address, channel) }
        do throws(OSCError) { say(try OSCPosition(status: status).status(dropped: dropped), to: address, channel) } catch {
            refuse(error, to: address, channel)
        }
    }

    private func say(_ message: OSCMessage, to address: SocketAddress, _ channel: any Channel) {
        // A message that the system does not take is dropped: the next one is newer.
        guard channel.isActive, channel.isWritable else { return }
        let bytes = ByteBuffer(bytes: OSCPacket.bytes(message))
        channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: bytes), promise: nil)
    }
}
