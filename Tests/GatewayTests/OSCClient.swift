import Foundation

@testable import Gateway

/// A socket that sends OSC to a port of this machine, and hears what is answered.
final class OSCClient {
    let descriptor: Int32

    init(_ port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(code == 0)
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, 0) }

    func send(_ address: String, _ arguments: OSCMessage.Argument...) {
        send(OSCPacket.bytes(OSCMessage(address: "/carillon/" + address, arguments: arguments)))
    }

    /// The next message; nil where none comes in ten seconds, which is long on a machine that does much else.
    func next() -> OSCMessage? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 10_000) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        do { return try OSCPacket.messages(Array(bytes[..<count])).first } catch { return nil }
    }

    /// The next message with this address, whatever else comes before.
    func next(_ address: String) -> OSCMessage? {
        while let message = next() { if message.address == "/carillon/" + address { return message } }
        return nil
    }

    /// What stands in the next error.
    var error: String {
        if case .text(let text)? = next("error")?.arguments.first { text } else { "" }
    }
}
