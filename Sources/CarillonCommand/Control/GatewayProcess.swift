import ArgumentParser
import Glibc
import Reports

/// `carillon-gateway` beside a session: a process of its own, which is begun again when it ends, and ends with the session.
///
/// The process that makes sound has no network connection: requests reach it through its socket only. The gateway ends when
/// its standard input is closed, so it also ends if the session is killed.
final class GatewayProcess {
    private let arguments: [String]
    private var process: pid_t = 0
    /// The pipes to and from the gateway: closing the first ends it, the second carries its messages.
    private var input: Int32 = -1, output: Int32 = -1
    private var untold: [UInt8] = []
    /// When it was begun, how often of late, and when it is to be begun again.
    private var start = 0.0, tries = 0, next: Double?

    /// Seconds in which it has to begin to listen, and after which one that ends was well.
    private static let patience = 10.0, well = 60.0
    private static let farewell = 1.0
    private static let name = GatewayProgram.name

    private var faults: [String] = []
    private(set) var addresses: [String] = []
    var announcements: [String] { addresses.map(Self.announcement) }
    private let option: String

    var trouble: String? { process > 0 && next == nil ? nil : "\(Self.name) does not run; it is begun again" }

    /// Waits until it listens at `count` addresses.
    /// `option` has asked for it. `isPatient`: an address that is not available yet, or a program that is missing, is reported
    /// and tried again later instead of thrown, for a session that has to play even if the network fails.
    init(_ arguments: [String], addresses count: Int, option: String, isPatient: Bool) throws {
        self.option = option
        self.arguments = arguments
        var last = "\(Self.name) has not begun to listen within \(Int(Self.patience)) s", code: Int32 = 69
        if let fault = spawn() {
            try fail(fault, 69, isPatient)
            return
        }
        let begin = SteadyClock.seconds
        while addresses.count < count, SteadyClock.seconds - begin < Self.patience {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, 100)
            for line in lines() {
                if Self.isAddress(line) { addresses.append(line) } else { last = line }
            }
            if let status = reaped() {
                if GatewayProgram.isExit(status) { code = status >> 8 & 255 }
                break
            }
        }
        if addresses.count < count {
            end()
            try fail(last, code, isPatient)
        }
    }

    /// Wrong arguments and files that cannot be read stay wrong; an address may be there in a minute.
    private func fail(_ sentence: String, _ code: Int32, _ isPatient: Bool) throws {
        if !isPatient || code == 64 || code == 66 { throw Failure.report("\(option): \(sentence)", exitCode: code) }
        faults.append("\(Self.name): \(sentence); tried again")
        next = SteadyClock.seconds + 2
    }

    deinit { end() }

    func follow() -> [String] {
        var news = faults + lines().map { Self.isAddress($0) && next == nil ? Self.announcement($0) : "\(Self.name): \($0)" }
        faults = []
        let now = SteadyClock.seconds
        if process > 0, let status = reaped() {
            tries = now - start > Self.well ? 0 : tries + 1
            let pause = min(Double(1 << min(tries, 6)), 60)
            next = now + pause
            news.append("\(Self.name) has ended (\(GatewayProgram.end(of: status))); it begins again in \(Int(pause)) s")
        }
        if let next, now >= next {
            self.next = nil
            if let fault = spawn() {
                news.append("\(Self.name): \(fault)")
                self.next = now + 60
            }
        }
        return news
    }

    func end() {
        next = nil
        if input >= 0 { close(input) }
        if process > 0 {
            // It has nothing to finish, and is not waited for if it does not end.
            kill(process, SIGTERM)
            let begin = SteadyClock.seconds
            while reaped() == nil, SteadyClock.seconds - begin < Self.farewell { usleep(5_000) }
            if process > 0 {
                kill(process, SIGKILL)
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
        }
        if output >= 0 { close(output) }
        (process, input, output) = (0, -1, -1)
    }

    private static func announcement(_ address: String) -> String {
        (address.hasPrefix("http://") ? "page: " : "OSC: ") + named(address)
    }

    /// An address that works from another machine: the address of all interfaces becomes this machine's name.
    private static func named(_ address: String) -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return address }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for all in ["//0.0.0.0:", "//[::]:"] {
            guard let place = address.firstRange(of: all) else { continue }
            return address[..<place.lowerBound] + "//" + name + ":" + address[place.upperBound...]
        }
        return address
    }

    private static func isAddress(_ line: String) -> Bool { line.hasPrefix("http://") || line.hasPrefix("osc.udp://") }

    /// Begins it; a sentence if that cannot be.
    private func spawn() -> String? {
        do throws(Fault) {
            let program = try GatewayProgram(arguments)
            if output >= 0 { close(output) }
            (process, input, output, start) = (program.id, program.input, program.output, SteadyClock.seconds)
            _ = fcntl(output, F_SETFL, O_NONBLOCK)
            return nil
        } catch { return error.sentence }
    }

    private func reaped() -> Int32? {
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, WNOHANG) == process else { return nil }
        process = 0
        if input >= 0 { close(input) }
        input = -1
        return status
    }

    /// The lines that it has written, without its name.
    private func lines() -> [String] {
        guard output >= 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        if count > 0 { untold += bytes[..<count] }
        var lines: [String] = []
        while let end = untold.firstIndex(of: 10) {
            lines.append(GatewayProgram.sentence(untold[..<end]))
            untold.removeFirst(end + 1)
        }
        // This program writes no line of such a length.
        if untold.count > 65_536 { untold = [] }
        return lines
    }
}
