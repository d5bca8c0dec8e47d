import Glibc
import Reports

/// A client of a control socket: it sends a line and waits for the answer. One thread.
public final class ControlClient {
    private let descriptor: Int32
    private let path: String
    private var input: [UInt8] = []
    private var isBroken = false

    /// Bytes that an answer may have.
    private static let longestAnswer = 16 << 20

    /// Connects to the session that listens at `path`; the prefix `unix:` is allowed.
    ///
    /// - Parameter patience: seconds that an answer may take, 1...; nil: as long as it takes.
    public init(_ path: String, patience: Int? = nil) throws(Fault) {
        guard let place = SocketPath(path) else { throw .path(path) }
        let descriptor = SocketPath.makeSocket(blocks: true)
        if descriptor < 0 { throw .cannotConnect(call: "socket", path: place.text, code: errno) }
        var code: Int32
        repeat { code = place.withPointer { connect(descriptor, $0, $1) == 0 ? 0 : errno } } while code == EINTR
        guard code == 0 else {
            close(descriptor)
            throw switch code {
            case ENOENT, ENOTDIR, ECONNREFUSED, ENOTSOCK: .nobodyListens(path: place.text)
            case EACCES, EPERM: .denied(path: place.text)
            default: .cannotConnect(call: "connect", path: place.text, code: code)
            }
        }
        (self.descriptor, self.path) = (descriptor, place.text)
        guard let patience else { return }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for its answer, a line without its end: `ok`, `ok saved PATH`, `error SENTENCE`, or JSON.
    public func ask(_ line: String) throws(Fault) -> String {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty, !isBroken {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { isBroken = true }
        }
        // A client that was turned away gets the reason as its answer.
        return try nextLine()
    }

    /// The next line, as `watch` sends them. - Throws: `brokenOff` when there will be none.
    public func nextLine() throws(Fault) -> String {
        var searched = 0
        while true {
            if let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: input[..<end], as: UTF8.self)
                input.removeFirst(end + 1)
                return line
            }
            searched = input.count
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0, input.count < Self.longestAnswer {
                input += bytes[..<count]
            } else if count >= 0 || errno != EINTR {
                throw .brokenOff(path: path)
            }
        }
    }
}
