import ALSA
import ArgumentParser
import Carillon
import Glibc
import MIDI
import Reports

/// One run of `carillon monitor`, until Ctrl-C, the last line that was asked for, or the end of its reader.
struct MonitorRun {
    private let listener: MIDIListener
    private let json: Bool
    private let most: Int
    private let taker: MessageTaker?
    private var monitor: MIDIMonitor
    private var lines = 0

    /// Milliseconds after which ports are looked for again: a card may be listed after its ports were announced.
    private static let patience: Int32 = 1_000

    init(_ listener: MIDIListener, _ taker: MessageTaker?, json: Bool, most: Int?) {
        self.taker = taker
        (self.listener, self.json, self.most) = (listener, json, most ?? .max)
        monitor = MIDIMonitor(at: Self.now)
    }

    /// Returns the exit code.
    consuming func run() throws -> Int32 {
        defer { listener.close() }
        Interruption.reportClosedPipes()
        let signals: Int32
        do throws(Fault) { signals = try SignalPipe.install(endingWithin: 1) } catch { throw Failure.report(error) }
        tell(listener.look())
        if !listener.isConnected {
            tell(["there is no such MIDI port yet; it is heard as soon as it comes (carillon devices lists all)"])
        }
        while true {
            var waiting = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
                // A reader that has gone is an error here, whether anything is written or not.
                pollfd(fd: 1, events: 0, revents: 0),
            ]
            let due = monitor.deadline.map { Int32(clamping: max(($0 - Self.now + 999_999) / 1_000_000, 0)) }
            poll(&waiting, nfds_t(waiting.count), min(due ?? Self.patience, Self.patience))
            if waiting[2].revents & Int16(POLLERR) != 0 { return 0 }
            tell(listener.look())
            let news = listener.take()
            for heard in news.heard {
                let name = takerName(of: heard.bytes, from: heard.port)
                if try write(monitor.take(heard.bytes, from: heard.port, at: heard.nanoseconds, by: name)) { return 0 }
            }
            if news.lost > 0 { tell(["\(news.lost) messages were lost: the output took lines too slowly"]) }
            var ending: Int32?
            while let number = SignalPipe.next(from: signals) {
                if [SIGINT, SIGTERM, SIGHUP].contains(number) { ending = ending ?? number }
                if number == SIGTSTP { SignalPipe.suspend() }
            }
            let sums = ending == nil ? monitor.pass(Self.now) : monitor.takeSums(at: Self.now)
            if try write(sums) { return 0 }
            if let ending { return 128 + ending }
        }
    }

    /// Returns true if there is no more to write: enough lines, or no reader.
    private mutating func write(_ lines: [MIDIMonitor.Line]) throws -> Bool {
        for line in lines {
            let shown = MonitorLine(line: line), code = StandardOutput.write(json ? shown.json : shown.text)
            if code == EPIPE { return true }
            if code != 0 {
                throw Failure.report("standard output: writing failed (\(String(cString: strerror(code))))", exitCode: 74)
            }
            self.lines += 1
            if self.lines >= most { return true }
        }
        return false
    }

    /// Returns what takes a channel message; nil for others, and where nothing is asked about a session.
    private func takerName(of bytes: [UInt8], from port: String) -> String? {
        guard let taker, let status = bytes.first, MIDIMessage.Kind(rawValue: status & 0xF0) != nil, bytes.count > 1 else {
            return nil
        }
        let message = MIDIMessage(status: status, data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0)
        return taker.taker(of: message, from: port) ?? "nothing"
    }

    private func tell(_ sentences: [String]) { for sentence in sentences { StandardError.print(OneLine.text(sentence)) } }

    /// CLOCK_MONOTONIC.
    private static var now: Int64 { Int64(SteadyClock.seconds * 1e9) }
}
