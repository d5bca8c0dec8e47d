import NIOCore
import NIOHTTP1

/// Decides on access by the head of a request: host, origin, token; and limits how often each token and each address may ask.
/// One event loop.
final class AccessControl: @unchecked Sendable {
    enum Verdict: Equatable {
        case full, reader
        /// A page of another origin has sent it, or it was meant for another host.
        case foreign
        case unknown
        /// A wrong one, from an address that has shown too many of them of late.
        case guessing
    }

    /// nil means every client may do everything; only this machine can reach the gateway then.
    let tokens: Tokens?
    /// Origins of pages that may ask beside the gateway's own: `https://museum.example`.
    let origins: Set<String>
    /// The host names that it accepts without tokens: a foreign name that resolves to this machine (DNS rebinding) is none of
    /// them.
    let hosts: Set<String>
    private let proxies: Set<String>
    var webSockets = 0
    private var rates = RequestRates(perSecond: RequestRates.most, burst: RequestRates.most)
    private var guesses = RequestRates(perSecond: RequestRates.mostGuesses / 10, burst: RequestRates.mostGuesses)

    init(tokens: Tokens?, origins: [String], addresses: [ListenAddress], proxies: [String] = []) {
        (self.tokens, self.proxies) = (tokens, Set(proxies))
        self.origins = Set(origins.map { $0.lowercased() })
        hosts = Set(["localhost", "127.0.0.1", "[::1]"] + addresses.map(\.webHost))
    }

    var isFull: Bool { webSockets >= Gateway.mostWebSockets }

    /// Returns true for the address of a proxy that speaks for many.
    func isProxy(_ address: SocketAddress?) -> Bool { address?.plainIP.map { proxies.contains($0) } ?? false }

    /// Decides what the sender of this head may do.
    /// `shown` is the token if it is not in the head; nil means that of the head counts.
    func visitor(_ head: HTTPRequestHead, showing shown: String? = nil, from peer: SocketAddress?) -> Visitor {
        let address = self.address(head.headers, from: peer), name = address?.plainIP ?? ""
        func visitor(_ verdict: Verdict, _ allowance: String? = nil) -> Visitor {
            Visitor(address: address, verdict: verdict, allowance: allowance ?? name)
        }
        guard isAtHome(head) else { return visitor(.foreign) }
        guard let tokens else { return visitor(.full) }
        guard let shown = shown ?? Self.token(head.headers) else { return visitor(.unknown) }
        // A good token always passes, even after wrong ones from the same address: good tokens cannot be guessed.
        if let (number, role) = tokens.find(shown.utf8) {
            return visitor(role == .full ? .full : .reader, "\(number) \(name)")
        }
        return visitor(guesses.take(name, now: .now()) ? .unknown : .guessing)
    }

    func mayAsk(_ allowance: String) -> Bool { rates.take(allowance, now: .now()) }

    /// Returns the address that a request comes from: the other side, or the last hop that a trusted proxy names. Any client
    /// can forge the hops before that.
    private func address(_ headers: HTTPHeaders, from peer: SocketAddress?) -> SocketAddress? {
        guard isProxy(peer), let last = headers["x-forwarded-for"].last?.split(separator: ",").last else { return peer }
        do { return try SocketAddress(ipAddress: last.filter { !$0.isWhitespace }, port: peer?.port ?? 0) } catch {
            // It is not an address: the proxy's own is used instead.
            return peer
        }
    }

    /// Returns true if a request was meant for this gateway, and sent by its own page or by no page.
    func isAtHome(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers, named = headers["host"], sent = headers["origin"]
        guard named.count == 1, sent.count <= 1 else { return false }
        let host = named[0].lowercased()
        if tokens == nil, !hosts.contains(Self.withoutPort(host)) { return false }
        guard let origin = sent.first?.lowercased() else {
            // A browser that sends no origin sends this; a link on another page may open this one.
            return head.method == .GET || !headers["sec-fetch-site"].contains("cross-site")
        }
        return origins.contains(origin) || origin == "http://\(host)" || origin == "https://\(host)"
    }

    private static func withoutPort(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) else { return host }
        return String(host[..<colon])
    }

    /// The token of a head: `Authorization: Bearer TOKEN`, or the cookie that a login has set.
    static func token(_ headers: HTTPHeaders) -> String? {
        if let bearer = headers.first(name: "authorization") {
            let words = bearer.split(separator: " ")
            return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
        }
        for cookie in headers[canonicalForm: "cookie"].flatMap({ $0.split(separator: ";") }) {
            let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if parts.count == 2, parts[0] == cookieName { return String(parts[1]) }
        }
        return nil
    }

    static let cookieName = "carillon"
}

extension SocketAddress {
    /// The address of the host in its usual notation: one of IPv4 that has come through a socket of IPv6 is one of IPv4.
    var plainIP: String? { ipAddress.map { $0.hasPrefix("::ffff:") && $0.contains(".") ? String($0.dropFirst(7)) : $0 } }

    /// Reads the number of a host as the system writes it; nil if it is none.
    static func plainIP(_ text: String) -> String? {
        do { return try SocketAddress(ipAddress: text, port: 0).plainIP } catch { return nil }
    }
}
