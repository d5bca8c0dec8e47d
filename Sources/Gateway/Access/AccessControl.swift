import NIOCore
import NIOHTTP1

/// Decides who comes in, by the head of a request: host, origin, token; and how often each address may ask. One event loop.
final class AccessControl: @unchecked Sendable {
    /// The verdict on a request.
    enum Verdict: Equatable {
        case full, reader
        /// A page of somebody else has sent it, or it was meant for another host.
        case foreign
        /// A token is missing or wrong.
        case unknown
        /// This address has shown too many wrong ones of late: none is looked at.
        case guessing
    }

    /// nil: whoever reaches it may do everything, which only this machine can.
    let tokens: Tokens?
    /// Origins of pages that may ask beside the gateway's own: `https://museum.example`.
    let origins: Set<String>
    /// The hosts that it may be called by without tokens: a name of somebody's own that means this machine (DNS rebinding) is
    /// none of them.
    let hosts: Set<String>
    private var rates = RequestRates(perSecond: RequestRates.most, burst: RequestRates.most)
    private var guesses = RequestRates(perSecond: RequestRates.mostGuesses / 10, burst: RequestRates.mostGuesses)

    init(tokens: Tokens?, origins: [String], addresses: [ListenAddress]) {
        self.tokens = tokens
        self.origins = Set(origins.map { $0.lowercased() })
        hosts = Set(["localhost", "127.0.0.1", "[::1]"] + addresses.map(\.webHost))
    }

    /// Decides what whoever has sent this head may do.
    func verdict(_ head: HTTPRequestHead, from address: String) -> Verdict {
        guard isAtHome(head.headers) else { return .foreign }
        guard tokens != nil else { return .full }
        guard let shown = Self.token(head.headers) else { return .unknown }
        return verdict(onToken: shown, from: address)
    }

    /// Decides what whoever shows this token may do; wrong ones are counted, wherever they are shown.
    func verdict(onToken shown: String, from address: String) -> Verdict {
        guard let tokens else { return .full }
        guard guesses.has(address, now: .now()) else { return .guessing }
        guard let role = tokens.role(of: shown.utf8) else {
            _ = guesses.take(address, now: .now())
            return .unknown
        }
        return role == .full ? .full : .reader
    }

    /// Tells whether an address may ask once more.
    func mayAsk(_ address: SocketAddress?) -> Bool { rates.take(address?.ipAddress ?? "", now: .now()) }

    /// Tells whether a request was meant for this gateway, and sent by its own page or by no page.
    func isAtHome(_ headers: HTTPHeaders) -> Bool {
        let named = headers["host"], sent = headers["origin"]
        guard named.count == 1, sent.count <= 1 else { return false }
        let host = named[0].lowercased()
        if tokens == nil, !hosts.contains(Self.withoutPort(host)) { return false }
        guard let origin = sent.first?.lowercased() else { return true }
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
