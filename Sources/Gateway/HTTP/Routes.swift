import NIOCore
import NIOHTTP1

/// The paths, with what each answers. One event loop.
final class Routes: @unchecked Sendable {
    private let peer: SessionPeer
    private let access: AccessControl
    /// The session's word on its health, and when it gave that.
    private var health: (answer: String, time: NIODeadline)?

    /// Verbs that are asked of the session under `/api/`, in its own words.
    private static let questions: Set<String> = ["status", "metrics", "song", "sounds", "parameters", "log", "help", "week"]

    init(_ peer: SessionPeer, _ access: AccessControl) { (self.peer, self.access) = (peer, access) }

    /// Answers a request, at once or when the session has answered. - Parameter respond: called once.
    func answer(_ request: GatewayRequest, _ respond: @escaping (GatewayResponse) -> Void) {
        guard access.mayAsk(request.visitor.allowance) else { return respond(.error("too many requests", .tooManyRequests)) }
        if request.visitor.verdict == .foreign {
            return respond(.error("this request was meant for another host, or comes from another page", .forbidden))
        }
        let path = request.path, isRead = [.GET, .HEAD].contains(request.head.method)
        // The page itself is no secret, and asks for the token.
        if isRead, let file = PageFile.named(path) { return respond(file.response(to: request.head)) }
        switch (path, request.head.method) {
        case ("/health", _) where isRead:
            return tellHealth(toStranger: request.visitor.role == nil, respond)
        case ("/login", .POST): return respond(login(request))
        case ("/logout", .POST): return respond(Self.cookie("", age: 0))
        default: break
        }
        let role: Tokens.Role
        switch request.visitor.verdict {
        case .full: role = .full
        case .reader: role = .reader
        case .guessing: return respond(Self.tooManyTokens)
        case .unknown, .foreign:
            var response = GatewayResponse.error("a token is needed", .unauthorized)
            response.headers = [("WWW-Authenticate", "Bearer")]
            return respond(response)
        }
        switch (path, request.head.method) {
        case ("/ws", _) where isRead && access.isFull:
            var response = GatewayResponse.error(
                "\(Gateway.mostWebSockets) pages are open, the most possible; close one", .serviceUnavailable)
            response.headers = [("Retry-After", "5")]
            respond(response)
        case ("/api/command", .POST): command(request, role, respond)
        case ("/api/role", _) where isRead: respond(.json("{\"role\":\"\(role.rawValue)\"}"))
        case ("/api/status", _) where isRead:
            if let status = peer.feed.status { respond(.json(status.line)) } else { ask("status", respond) }
        case ("/api/notes", _) where isRead: notes(request, respond)
        case ("/metrics", _) where isRead:
            peer.ask("metrics prometheus", as: .reader) { answer in
                guard let text = GatewayResponse.unquoted(answer) else { return respond(Self.response(to: answer)) }
                respond(GatewayResponse(.ok, "text/plain; version=0.0.4; charset=utf-8", ByteBuffer(string: text)))
            }
        case ("/api/songs", _) where isRead:
            // An empty name is none to the grammar.
            ask("songs" + (request.text("text").flatMap(RequestLine.name) ?? ""), respond)
        case ("/openapi.json", _) where isRead: ask("openapi", respond)
        case (_, _) where isRead && path.hasPrefix("/api/") && Self.questions.contains(String(path.dropFirst(5))):
            ask(String(path.dropFirst(5)), respond)
        case ("/api/command", _), ("/login", _), ("/logout", _):
            respond(.error("this path accepts only POST", .methodNotAllowed))
        case (_, _) where !isRead: respond(.error("this path accepts only GET", .methodNotAllowed))
        default: respond(.error("there is nothing here", .notFound))
        }
    }

    private func ask(_ line: String, _ respond: @escaping (GatewayResponse) -> Void) {
        peer.ask(line, as: .reader) { respond(Self.response(to: $0)) }
    }

    private func command(_ request: GatewayRequest, _ role: Tokens.Role, _ respond: @escaping (GatewayResponse) -> Void) {
        var line = Substring(request.body)
        while let last = line.unicodeScalars.last, last == "\n" || last == "\r" { line.unicodeScalars.removeLast() }
        if role == .reader { return respond(.error("this token is read-only", .forbidden)) }
        // A client that presses a key has to stay connected until it lifts it.
        if RequestLine(String(line)).verb == "press" {
            return respond(.error("press: use the WebSocket /ws, or note, which has a length", .badRequest))
        }
        peer.ask(String(line), as: role, from: request.visitor.address) { answer in
            if answer == "ok" || answer.hasPrefix("ok ") {
                respond(.json("{\"answer\":\(GatewayResponse.quoted(answer))}"))
            } else {
                respond(Self.response(to: answer, refused: .badRequest))
            }
        }
    }

    private func notes(_ request: GatewayRequest, _ respond: @escaping (GatewayResponse) -> Void) {
        guard let start = request.query("from").flatMap(Double.init), let end = request.query("to").flatMap(Double.init),
            start.isFinite, end.isFinite
        else { return respond(.error("name from and to, in seconds: /api/notes?from=0&to=30", .badRequest)) }
        peer.ask("notes \(start) \(end)", as: .reader) { answer in
            let isMissing = answer.hasPrefix("error no song")
            respond(Self.response(to: answer, refused: isMissing ? .notFound : .badRequest))
        }
    }

    private func login(_ request: GatewayRequest) -> GatewayResponse {
        if access.tokens == nil { return GatewayResponse(.noContent, "text/plain", ByteBuffer()) }
        switch request.visitor.verdict {
        case .full, .reader: return Self.cookie(request.login ?? "", age: 31_536_000)
        case .guessing: return Self.tooManyTokens
        case .unknown, .foreign: return .error("this token is not known", .forbidden)
        }
    }

    private static var tooManyTokens: GatewayResponse {
        .error("too many wrong tokens; wait ten seconds", .tooManyRequests)
    }

    /// A cookie that no script reads and no other page sends.
    private static func cookie(_ value: String, age: Int) -> GatewayResponse {
        let cookie = "\(AccessControl.cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(age)"
        return GatewayResponse(.noContent, "text/plain", ByteBuffer(), headers: [("Set-Cookie", cookie)])
    }

    /// Answers the health request; the session is asked at most once a second, for any number of clients. Faults may name
    /// files: a client without a token gets only the fact that there is a fault.
    private func tellHealth(toStranger isStranger: Bool, _ respond: @escaping (GatewayResponse) -> Void) {
        if let health, NIODeadline.now() - health.time < .seconds(1) {
            return respond(Self.health(health.answer, isStranger: isStranger))
        }
        peer.ask("health", as: .reader) { answer in
            if answer == "error too many requests" { return respond(.error("too many requests", .tooManyRequests)) }
            // One that has gone is requested again at once: it may be there.
            self.health = answer == SessionLine.away ? nil : (answer, .now())
            respond(Self.health(answer, isStranger: isStranger))
        }
    }

    private static func health(_ answer: String, isStranger: Bool) -> GatewayResponse {
        if answer == "ok" { return .json("{\"isHealthy\":true,\"fault\":null}") }
        let fault = isStranger ? "null" : GatewayResponse.quoted(sentence(answer) ?? answer)
        return .json("{\"isHealthy\":false,\"fault\":\(fault)}", .serviceUnavailable)
    }

    private static func sentence(_ answer: String) -> String? {
        answer.hasPrefix("error ") ? String(answer.dropFirst("error ".count)) : nil
    }

    /// Makes a response of the session's answer: JSON unchanged, an error with its sentence.
    private static func response(to answer: String, refused: HTTPResponseStatus = .notFound) -> GatewayResponse {
        guard let sentence = sentence(answer) else { return .json(answer) }
        if answer == SessionLine.away { return .error(sentence, .serviceUnavailable) }
        return .error(sentence, sentence == "too many requests" ? .tooManyRequests : refused)
    }
}
