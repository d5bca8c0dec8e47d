import Foundation

@testable import Gateway

/// A client of a WebSocket that sends whatever frames it is told to.
final class WebSocketClient {
    /// What was answered to the handshake.
    let status: Int
    let http: HTTPClient
    /// The status with all that has changed since it was told.
    private var told: StatusValue?

    init(_ port: Int, headers: [String] = []) {
        http = HTTPClient(port)
        status =
            http.get(
                "/ws",
                headers + [
                    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ]
            ).status
    }

    /// A frame: its first byte, its payload, masked as a browser does it.
    static func frame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true, length: [UInt8]? = nil) -> [UInt8] {
        let size = payload.count, mask: [UInt8] = [7, 77, 177, 17], bit: UInt8 = isMasked ? 0x80 : 0
        var frame = [first]
        if let length {
            frame += length
        } else if size < 126 {
            frame.append(bit | UInt8(size))
        } else {
            frame += [bit | 126, UInt8(size >> 8), UInt8(size & 255)]
        }
        if isMasked { frame += mask }
        return frame + payload.enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 }
    }

    func send(_ text: String) { http.send(Self.frame(0x81, Array(text.utf8))) }

    /// The next frame of the other side; nil at the end.
    func next() -> (opcode: UInt8, payload: [UInt8])? {
        guard let head = http.take(2) else { return nil }
        var count = Int(head[1] & 127)
        if count == 126 {
            guard let bytes = http.take(2) else { return nil }
            count = Int(bytes[0]) << 8 | Int(bytes[1])
        } else if count == 127 {
            guard let bytes = http.take(8) else { return nil }
            count = bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = http.take(count) else { return nil }
        return (head[0] & 15, payload)
    }

    /// The next text that is (or is not) a status, as a whole; nil at the end.
    func text(isStatus: Bool) -> String? {
        while let (opcode, payload) = next() {
            let text = String(decoding: payload, as: UTF8.self)
            if opcode == 8 { return nil }
            if opcode != 1 { continue }
            if text.hasPrefix("{\"") {
                told = StatusValue(line: text).map { $0["changes"].flatMap { told?.applying($0) } ?? $0 }
                if isStatus { return told?.json }
            } else if !isStatus {
                return text
            }
        }
        return nil
    }

    /// Why the other side has ended it; nil where it has not said.
    func closing() -> Int? {
        while let (opcode, payload) = next() {
            if opcode == 8 { return payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 0 }
        }
        return nil
    }
}
