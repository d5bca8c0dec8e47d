import Glibc
import Synchronization

/// The end of sd_notify(3) that systemd has: a socket, who wrote to it, and when by a clock that nobody sets.
final class NotifySocket: Sendable {
    /// One datagram.
    struct Message {
        let text: String
        /// As the kernel says it, which is what systemd goes by.
        let process: pid_t
        let seconds: Double

        var lines: [Substring] { text.split(separator: "\n") }
    }

    private let descriptor: Int32
    private let heard = Mutex<[Message]>([])

    /// Listens at `path` for as long as the test's process lives.
    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isWanted: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &isWanted, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw CallFailure(call: "bind \(path)", code: errno) }
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<NotifySocket>.fromOpaque(context).takeRetainedValue().listen()
            }, Unmanaged.passRetained(self).toOpaque())
        guard started == 0 else { throw CallFailure(call: "pthread_create", code: started) }
        pthread_detach(thread)
    }

    /// All that was said up to now.
    var messages: [Message] { heard.withLock { $0 } }

    /// How often the line was said.
    func count(of line: String) -> Int { messages.count { $0.lines.contains { $0 == line } } }

    /// When the watchdog was fed.
    var feeds: [Double] { messages.filter { $0.lines.contains("WATCHDOG=1") }.map(\.seconds) }

    /// What a person would read now.
    var status: String? {
        messages.reversed().lazy.compactMap { $0.lines.last { $0.hasPrefix("STATUS=") } }.first.map { String($0.dropFirst(7)) }
    }

    private func listen() -> Never {
        var text = [UInt8](repeating: 0, count: 4096)
        // A header of 16 bytes and struct ucred, whose first word is the process.
        var control = [UInt32](repeating: 0, count: 16)
        while true {
            var process: pid_t = 0
            let count = text.withUnsafeMutableBytes { text in
                control.withUnsafeMutableBytes { control in
                    var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
                    return withUnsafeMutablePointer(to: &part) { part in
                        var message = msghdr()
                        (message.msg_iov, message.msg_iovlen) = (part, 1)
                        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                        let count = recvmsg(descriptor, &message, 0)
                        if message.msg_controllen >= 28 { process = control.load(fromByteOffset: 16, as: pid_t.self) }
                        return count
                    }
                }
            }
            guard count >= 0 else { continue }
            let message = Message(text: String(decoding: text[..<count], as: UTF8.self), process: process, seconds: monotonic())
            heard.withLock { $0.append(message) }
        }
    }
}

/// A call of the system that failed.
struct CallFailure: Error, CustomStringConvertible {
    let call: String
    let code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Seconds of a clock that nobody sets.
func monotonic() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Looks every few milliseconds, so that a processor that is alone has other things to do.
func eventually(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = monotonic() + seconds
    while try !condition() {
        if monotonic() > end { return false }
        usleep(5_000)
    }
    return true
}
