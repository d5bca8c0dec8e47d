import Glibc

/// An address to listen at as an installation's file has it: `8642`, `127.0.0.1:8642`, `[::1]:8642`.
struct ListeningAddress {
    let isLoopback: Bool

    /// Numeric, IPv4 or IPv6.
    static func isHost(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    init?(_ text: String) {
        let place = text.lastIndex(of: ":")
        let port = place.map { text[text.index(after: $0)...] } ?? text[...], host = place.map { text[..<$0] } ?? ""
        guard !port.isEmpty, port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port), number <= 65_535 else {
            return nil
        }
        if place == nil {
            isLoopback = true
        } else if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
            isLoopback = host == "[::1]"
        } else {
            let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
            guard parts.count == 4, parts.allSatisfy({ (0...255).contains($0) }) else { return nil }
            isLoopback = parts[0] == 127
        }
    }
}

extension Installation {
    /// Finds the faults of the network's settings, as sentences, before anything listens.
    ///
    /// - Parameter mode: the rights of a file as the system has them; nil if it cannot be looked at.
    public func faultsOfNetwork(mode: (String) -> UInt32?) -> [String] {
        var faults: [String] = []
        let addresses = network.http + (network.osc.map { [$0] } ?? [])
        if let file = network.tokenFile {
            if addresses.isEmpty { faults.append("token-file: tokens are for the network: write http or osc too") }
            if let rights = mode(file) {
                if rights & 0o077 != 0 { faults.append("token-file: \(file): others can read it; chmod 600 it") }
            } else {
                faults.append("token-file: \(file): it cannot be looked at; write a line like full TOKEN into it")
            }
        } else if let open = addresses.first(where: { ListeningAddress($0)?.isLoopback == false }) {
            faults.append("\(open): others can reach it: it needs a token-file")
        }
        if network.http.isEmpty, !network.origins.isEmpty { faults.append("origin: origins are for the page: write http too") }
        if network.http.isEmpty, !network.proxies.isEmpty {
            faults.append("trusted-proxy: proxies are for the page: write http too")
        }
        return faults
    }
}
