import Foundation

/// A client of HTTP that sends whatever it is told to, and reads what comes.
final class HTTPClient {
    struct Response {
        var status = 0
        var headers: [String: String] = [:]
        var body = ""
    }

    private(set) var descriptor: Int32
    private(set) var input: [UInt8] = []
    private(set) var isCut = false
    private let port: Int

    /// Whether a response has come over this connection.
    private var isUsed = false

    init(_ port: Int) { (self.port, descriptor) = (port, Self.connection(to: port)) }

    private static func connection(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(code == 0, String(cString: strerror(errno)))
        return descriptor
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return isCut = true }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Waits for more; false at the end.
    @discardableResult
    func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count <= 0 {
            isCut = true
            return false
        }
        input += bytes[..<count]
        return true
    }

    /// Takes so many bytes, and waits for them; nil where the other side goes before.
    func take(_ count: Int) -> [UInt8]? {
        while input.count < count { if !read() { return nil } }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// The next response, whole; a status of 0 where the other side goes.
    func response(hasBody: Bool = true) -> Response {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = take(1) else { return Response() }
            head += byte
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        var response = Response(status: Int(lines[0].split(separator: " ")[1]) ?? 0)
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { response.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        if hasBody, let length = response.headers["content-length"].flatMap({ Int($0) }) {
            response.body = String(decoding: take(length) ?? [], as: UTF8.self)
        }
        return response
    }

    func get(_ path: String, _ headers: [String] = [], method: String = "GET", body: String? = nil) -> Response {
        var lines = ["\(method) \(path) HTTP/1.1"]
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        // All tests come from one address: who is told that it asks too often asks again.
        while true {
            send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
            let response = response(hasBody: method != "HEAD")
            // The gateway closes a connection that was idle for 20 seconds, which this machine may take between two requests.
            if response.status == 0, isUsed {
                close(descriptor)
                (descriptor, isCut, isUsed) = (Self.connection(to: port), false, false)
                continue
            }
            isUsed = true
            if response.status != 429 || !(response.body.contains("\"too many requests\"") || method == "HEAD") {
                return response
            }
            usleep(20_000)
        }
    }

    func post(_ path: String, _ body: String, _ headers: [String] = []) -> Response {
        get(path, headers, method: "POST", body: body)
    }
}
