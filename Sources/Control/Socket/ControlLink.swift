import Carillon
import Glibc
import Reports

/// One client of a control socket: bytes in, requests in order, answers in the same order, bytes out.
struct ControlLink {
    let descriptor: Int32
    /// The number of the client, unique within the socket: a late answer never reaches another client.
    let number: Int
    /// Nothing more is read from it.
    private(set) var hasEnded = false
    private(set) var isCut = false

    private var line: [UInt8] = []
    /// The line is too long, and the rest of it is dropped.
    private var isSkipping = false
    private var output: [UInt8] = []
    /// Answers in the order of requests; nil while the session has not answered.
    private var answers: [(request: Int, text: String?)] = []
    private var requests = 0
    private var allowance: RequestAllowance
    private var role: ControlRole
    /// True once the client has taken the role `remote`: each of its requests names the network client that made it.
    private var isRemote = false
    private var keys = PressedKeys()
    /// When the client has fetched something, or there was nothing to fetch.
    private var fetched: Double
    private var watch: (every: Double, due: Double)?

    /// Requests that may wait for the session; beyond these, the link reads nothing until some are answered.
    static let mostWaiting = 64

    init(_ descriptor: Int32, number: Int, role: ControlRole, now: Double) {
        (self.descriptor, self.number, self.role) = (descriptor, number, role)
        allowance = RequestAllowance(now: now)
        fetched = now
    }

    var wantsInput: Bool { !hasEnded && !isCut && answers.count < Self.mostWaiting }
    var wantsOutput: Bool { !output.isEmpty && !isCut }
    /// True once nothing is left to send to a client that has ended.
    var isDone: Bool { isCut || (hasEnded && answers.isEmpty && output.isEmpty && watch == nil) }

    /// Reads the bytes that are there, a bounded piece at a time.
    mutating func read(_ exchange: ControlExchange, now: Double) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            for byte in bytes[..<count] { take(byte, exchange, now) }
        } else if count == 0 {
            // Text without a line end may be the beginning of another request, so it is not carried out.
            hasEnded = true
        } else if errno != EAGAIN && errno != EINTR {
            isCut = true
        }
    }

    private mutating func take(_ byte: UInt8, _ exchange: ControlExchange, _ now: Double) {
        if byte == UInt8(ascii: "\n") {
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let bytes = line, isTooLong = isSkipping
            (line, isSkipping) = ([], false)
            obey(bytes, isTooLong: isTooLong, exchange, now)
        } else if isSkipping || line.count > ControlGrammar.longestLine {
            (line, isSkipping) = ([], true)
        } else {
            line.append(byte)
        }
    }

    private mutating func obey(_ bytes: [UInt8], isTooLong: Bool, _ exchange: ControlExchange, _ now: Double) {
        requests += 1
        guard allowance.take(now: now) else { return say("error too many requests") }
        if isTooLong { return say("error \(Fault.longLine)") }
        guard var text = String(validating: bytes, as: UTF8.self) else { return say("error \(Fault.notText)") }
        var asker = Asker(surface: "socket")
        if isRemote, let sent = RemoteRequest(text) { (asker, text) = (sent.asker, sent.request) }
        do throws(Fault) {
            let (verb, request) = try exchange.grammar.parse(text)
            if let refusal = role.refusal(of: verb, request) { return say("error \(refusal)") }
            obey(request, by: asker, exchange, now)
        } catch { say("error \(OneLine.text("\(error)"))") }
    }

    private mutating func obey(_ request: ControlRequest, by asker: Asker, _ exchange: ControlExchange, _ now: Double) {
        switch request {
        case .status: say(exchange.status)
        case .metrics: say(exchange.metrics)
        case .help: say(exchange.grammar.json)
        case .role(let name):
            role = role.limited(to: name)
            isRemote = isRemote || name == .remote
            say("ok")
        case .tell(let question): say(exchange.answer(question))
        case .watch(let interval):
            watch = (interval, now + interval)
            say(exchange.status)
        case .command(let command):
            // First the place in the row: the answer may come at once.
            answers.append((requests, nil))
            if exchange.post(command, by: asker, client: number, request: requests) {
                keys.take(command)
            } else {
                answers.removeLast()
                say("error the session takes no more commands now; try again")
            }
        }
    }

    private mutating func say(_ text: String) {
        answers.append((requests, text))
        flush()
    }

    mutating func take(_ answer: ControlExchange.Answer) {
        guard let index = answers.firstIndex(where: { $0.request == answer.request && $0.text == nil }) else { return }
        answers[index].text = answer.text
        flush()
    }

    /// When it is due. The client's own requests come first: it waits for their answers.
    mutating func show(_ text: () -> String, now: Double) {
        guard let watch, now >= watch.due, answers.isEmpty else { return }
        self.watch = (watch.every, max(watch.due + watch.every, now))
        put(text())
    }

    private mutating func flush() {
        // Answers that the client does not fetch yet wait here, where their number is bounded.
        while output.count < ControlSocket.mostUnsent / 2, let text = answers.first?.text {
            answers.removeFirst()
            put(text)
        }
    }

    private mutating func put(_ text: String) {
        output += Array(text.utf8)
        output.append(UInt8(ascii: "\n"))
        // Bytes that the system takes at once do not count.
        if output.count > ControlSocket.mostUnsent { send() }
        if output.count > ControlSocket.mostUnsent { isCut = true }
    }

    /// Sends what the client fetches; a client that has fetched nothing for long is cut off, which frees its place.
    mutating func write(now: Double) {
        let unsent = output.count
        send()
        if output.isEmpty || output.count != unsent { fetched = now }
        if now - fetched > ControlSocket.mostPatience { isCut = true }
    }

    private mutating func send() {
        while !output.isEmpty {
            let count = Glibc.send(descriptor, output, output.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            if count > 0 {
                output.removeFirst(count)
                if output.isEmpty { flush() }
            } else {
                if errno != EAGAIN && errno != EINTR { isCut = true }
                return
            }
        }
    }

    mutating func cut() { isCut = true }

    /// Commands that lift the keys that the client has pressed and can no longer lift.
    var lifts: [ControlCommand] { keys.lifts }
}

struct RequestAllowance {
    private var left = Double(ControlSocket.mostRequests)
    private var last: Double

    init(now: Double) { last = now }

    /// Takes one; false if there is none.
    mutating func take(now: Double) -> Bool {
        let most = Double(ControlSocket.mostRequests)
        left = min(left + max(now - last, 0) * most, most)
        last = now
        if left < 1 { return false }
        left -= 1
        return true
    }
}
