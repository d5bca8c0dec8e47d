import NIOCore
import NIOHTTP1

/// A request as the routes see it: complete, and from a visitor whose rights are known.
struct GatewayRequest {
    var head: HTTPRequestHead
    var body: String
    var visitor: Visitor

    /// Bytes that a body may have: a line of the session's grammar.
    static let longestBody = 4096

    var path: String { Self.path(head) }
    private static func path(_ head: HTTPRequestHead) -> String { String(head.uri.prefix { $0 != "?" }) }

    /// The token of a login, which is in its body; nil for any other request.
    var login: String? { Self.login(head, body) }
    static func login(_ head: HTTPRequestHead, _ body: String) -> String? {
        path(head) == "/login" && head.method == .POST ? body.filter { !$0.isWhitespace } : nil
    }

    func query(_ name: String) -> String? {
        guard let mark = head.uri.firstIndex(of: "?") else { return nil }
        for pair in head.uri[head.uri.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }

    /// A text of the query, with `%20` and `+` decoded; nil if there is none, or if it is not text.
    func text(_ name: String) -> String? {
        guard let value = query(name) else { return nil }
        var bytes: [UInt8] = [], rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let code = UInt8(digits, radix: 16) else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

struct GatewayResponse {
    var status: HTTPResponseStatus
    var type: String
    var body: ByteBuffer
    var headers: [(String, String)] = []

    init(_ status: HTTPResponseStatus, _ type: String, _ body: ByteBuffer, headers: [(String, String)] = []) {
        (self.status, self.type, self.body, self.headers) = (status, type, body, headers)
    }

    static func json(_ text: String, _ status: HTTPResponseStatus = .ok) -> GatewayResponse {
        GatewayResponse(status, "application/json", ByteBuffer(string: text + "\n"))
    }

    /// `{"error": SENTENCE}`.
    static func error(_ sentence: String, _ status: HTTPResponseStatus) -> GatewayResponse {
        json("{\"error\":\(quoted(sentence))}", status)
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted.unicodeScalars.append("\\")
                quoted.unicodeScalars.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 127:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The text of a JSON string as the session writes it; nil if it is none.
    static func unquoted(_ json: String) -> String? {
        guard json.hasPrefix("\""), json.hasSuffix("\""), json.utf8.count >= 2 else { return nil }
        var text = String.UnicodeScalarView(), scalars = json.unicodeScalars.dropFirst().dropLast()
        while let scalar = scalars.popFirst() {
            if scalar != "\\" {
                text.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "u":
                let digits = String(String.UnicodeScalarView(scalars.prefix(4)))
                guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else { return nil }
                text.append(scalar)
                scalars = scalars.dropFirst(4)
            case let other?: text.append(other)
            case nil: return nil
            }
        }
        return String(text)
    }
}
