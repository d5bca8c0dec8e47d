import NIOCore
import NIOPosix

/// A session's access to the network: a page, HTTP, a WebSocket and OSC, all of which use the grammar of its Unix socket.
///
/// ```
/// browser, Prometheus, OSC -> Gateway -> control socket -> session
/// ```
/// It is a process of its own: the process that makes sound reads only three Unix sockets, with limits that it sets itself.
/// One thread, an event loop. Unix sockets and loopback are trusted; another address needs a token.
package final class Gateway: Sendable {
    /// The options of a gateway.
    package struct Options: Sendable {
        /// The session's control socket.
        package var socket: String
        /// Where it listens.
        package var addresses: [ListenAddress]
        /// The tokens that give access; nil means every client has access.
        package var tokens: Tokens?
        /// Origins of pages that may send requests, besides its own: `https://museum.example`.
        package var origins: [String] = []
        /// Addresses of proxies whose `X-Forwarded-For` is trusted: `127.0.0.1`.
        package var proxies: [String] = []
        /// Where it takes OSC over UDP; nil means nowhere.
        package var osc: ListenAddress?

        package init(socket: String, addresses: [ListenAddress], tokens: Tokens? = nil) {
            (self.socket, self.addresses, self.tokens) = (socket, addresses, tokens)
        }

        /// Looks whether a gateway could begin with them; whether the addresses are free is not looked at.
        ///
        /// - Throws: `needsToken` for an address that others reach, without tokens; `socketPath`; `proxy`.
        package func check() throws(GatewayError) {
            _ = try socketPath
            for address in addresses + (osc.map { [$0] } ?? []) where !address.isLoopback && tokens == nil {
                throw .needsToken(address: address.description)
            }
            _ = try proxyAddresses
        }

        fileprivate var socketPath: String {
            get throws(GatewayError) {
                let path = socket.hasPrefix("unix:") ? String(socket.dropFirst(5)) : socket
                if path.isEmpty { throw .socketPath(socket) }
                do { _ = try SocketAddress(unixDomainSocketPath: path) } catch { throw .socketPath(socket) }
                return path
            }
        }

        fileprivate var proxyAddresses: [String] {
            get throws(GatewayError) {
                var found: [String] = []
                for text in proxies {
                    guard let address = SocketAddress.plainIP(text) else { throw .proxy(text) }
                    found.append(address)
                }
                return found
            }
        }
    }

    /// Connections at once, over all addresses, those of one address, and WebSockets.
    static let mostConnections = 128, mostOfOne = 64, mostWebSockets = 32

    /// Where it listens, with the ports that it was given.
    package let addresses: [ListenAddress]
    /// Where it takes OSC, with the port that it was given; nil means nowhere.
    package let osc: ListenAddress?
    private let group: MultiThreadedEventLoopGroup
    private let channels: [any Channel]
    private let peer: SessionPeer

    /// Listens, and begins to connect to the session; the session may come later, and come and go.
    ///
    /// - Throws: `needsToken` for an address that others reach, without tokens; `cannotListen`; `socketPath`; `proxy`.
    package init(_ options: Options) throws(GatewayError) {
        try options.check()
        let path = try options.socketPath, proxies = try options.proxyAddresses
        let all = options.addresses + (options.osc.map { [$0] } ?? [])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1), loop = group.next()
        let peer = SessionPeer(path, on: loop)
        let access = AccessControl(
            tokens: options.tokens, origins: options.origins, addresses: options.addresses, proxies: proxies)
        let door = GatewayListener(peer, access)
        let datagrams = OSCListener.bootstrap(group, peer, options.tokens)
        var channels: [any Channel] = [], addresses: [ListenAddress] = []
        for (index, address) in all.enumerated() {
            let isOSC = index == options.addresses.count
            do {
                let channel =
                    isOSC
                    ? try datagrams.bind(host: address.host, port: address.port).wait()
                    : try door.bootstrap(group).bind(host: address.host, port: address.port).wait()
                channels.append(channel)
                addresses.append(address.with(port: channel.localAddress?.port ?? address.port))
            } catch {
                for channel in channels { channel.close(promise: nil) }
                group.shutdownGracefully { _ in }
                throw .cannotListen(address: address.description, reason: Self.reason(error))
            }
        }
        osc = options.osc == nil ? nil : addresses.popLast()
        (self.group, self.channels, self.peer, self.addresses) = (group, channels, peer, addresses)
        loop.execute { peer.open() }
    }

    /// Ends it: it stops listening and closes all connections. Not on the event loop.
    package func end() {
        for channel in channels { channel.close(promise: nil) }
        let peer = peer
        group.next().execute { peer.close() }
        do { try group.syncShutdownGracefully() } catch { preconditionFailure("a gateway is ended once: \(error)") }
    }

    private static func reason(_ error: any Error) -> String {
        guard let system = error as? IOError else { return "\(error)" }
        return String(cString: strerror(system.errnoCode))
    }
}
