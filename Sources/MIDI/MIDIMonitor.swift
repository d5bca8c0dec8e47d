/// What comes from MIDI ports as lines to read: one for each message, and one a second for clock, active sensing and time code.
///
/// Times are nanoseconds of one steady clock and never go back. Control side, one thread at a time.
package struct MIDIMonitor: Sendable {
    /// A message, or what was summed up in a second.
    package struct Line: Sendable, Hashable {
        /// Nanoseconds since the monitor began.
        package let nanoseconds: Int64
        /// The name of the port.
        package let port: String
        /// The message; empty for a sum.
        package let bytes: [UInt8]
        package let meaning: String
        /// Who took the message; nil where that is not known.
        package let taker: String?
        /// The numbers of a sum; nil for a message.
        package let sum: Sum?
    }

    /// The messages of a second that have no lines of their own.
    package struct Sum: Sendable, Hashable {
        package internal(set) var clock = 0
        package internal(set) var sensing = 0
        package internal(set) var timeCode = 0
        /// Quarter notes a minute, by the clock; nil for fewer than two pulses.
        package internal(set) var tempo: Double?
    }

    private struct Source: Sendable {
        var words = MessageWords()
        var assembler = SystemExclusiveAssembler()
        var sum = Sum()
        /// The pulses of the clock in this second, and the last one of the second before.
        var firstPulse: Int64?
        var lastPulse: Int64?
        var formerPulse: Int64?

        /// Returns the sum of a second that is over, and begins the next one.
        mutating func takeSum() -> Sum? {
            var taken = sum
            if let first = formerPulse ?? firstPulse, let last = lastPulse, last > first {
                let pulses = sum.clock - (formerPulse == nil ? 1 : 0)
                taken.tempo = 60e9 * Double(pulses) / Double(ClockMessage.pulsesPerQuarter) / Double(last - first)
            }
            (sum, formerPulse, firstPulse, lastPulse) = (Sum(), lastPulse, nil, nil)
            return taken == Sum() ? nil : taken
        }
    }

    private static let second: Int64 = 1_000_000_000
    private let start: Int64
    private var secondEnd: Int64
    private var sources: [String: Source] = [:]

    /// Begins at a moment, in nanoseconds.
    package init(at start: Int64) { (self.start, secondEnd) = (start, start + Self.second) }

    /// The moment at which a line is due although nothing comes; nil while nothing is summed.
    package var deadline: Int64? { sources.values.contains { $0.sum != Sum() } ? secondEnd : nil }

    /// Takes what a port brought at a moment: whole messages, or a piece of a System Exclusive message. Returns the lines that
    /// are due, those of seconds that are over first.
    package mutating func take(_ bytes: [UInt8], from port: String, at moment: Int64, by taker: String? = nil) -> [Line] {
        var lines = pass(moment), source = sources[port] ?? Source()
        func line(_ bytes: [UInt8], _ meaning: String) -> Line {
            Line(nanoseconds: moment - start, port: port, bytes: bytes, meaning: meaning, taker: taker, sum: nil)
        }
        for message in Self.messages(in: bytes) {
            let lost = source.assembler.lost
            var whole: [UInt8]?
            switch message[0] {
            case 0xF8:
                source.sum.clock += 1
                source.firstPulse = source.firstPulse ?? moment
                source.lastPulse = moment
            case 0xFE: source.sum.sensing += 1
            case 0xF1: source.sum.timeCode += 1
            case 0xF0, 0xF7, 0..<0x80: whole = source.assembler.take(message, at: moment)
            default:
                // Only a message of real time may stand inside another.
                if message[0] < 0xF8 { source.assembler.interrupt() }
                whole = message
            }
            if source.assembler.lost > lost { lines.append(line([], "System Exclusive message without its end or beginning")) }
            if let whole { lines.append(line(whole, source.words.words(for: whole))) }
        }
        sources[port] = source
        return lines
    }

    /// Returns the sums of the seconds that are over, in the order of the ports' names.
    package mutating func pass(_ moment: Int64) -> [Line] {
        if moment < secondEnd { return [] }
        let lines = takeSums(at: secondEnd)
        secondEnd += ((moment - secondEnd) / Self.second + 1) * Self.second
        return lines
    }

    /// Returns the sums so far, at a moment: for the end.
    package mutating func takeSums(at moment: Int64) -> [Line] {
        var lines: [Line] = []
        for port in sources.keys.sorted() {
            guard let sum = sources[port]?.takeSum() else { continue }
            lines.append(
                Line(nanoseconds: moment - start, port: port, bytes: [], meaning: sum.words, taker: nil, sum: sum))
        }
        return lines
    }

    /// Bytes as messages. Those of a piece of a System Exclusive message stay together.
    private static func messages(in bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = [], rest = bytes[...]
        while let first = rest.first {
            var count = 1
            switch first {
            case 0x80...0xBF, 0xE0...0xEF, 0xF2: count = 3
            case 0xC0...0xDF, 0xF1, 0xF3: count = 2
            case 0..<0x80, 0xF0:
                count = (rest.dropFirst().firstIndex { $0 >= 0x80 } ?? rest.endIndex) - rest.startIndex
                if rest.dropFirst(count).first == 0xF7 { count += 1 }
            default: break
            }
            messages.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return messages
    }
}

extension MIDIMonitor.Sum {
    /// `clock: 48 pulses, 120.0 beats a minute; active sensing: 3`.
    fileprivate var words: String {
        var parts: [String] = []
        if clock > 0 {
            let tenths = tempo.map { Int(min($0 * 10, 1e9).rounded()) }
            let beats = tenths.map { ", \($0 / 10).\($0 % 10) beats a minute" } ?? ""
            parts.append("clock: \(clock) \(clock == 1 ? "pulse" : "pulses")" + beats)
        }
        if sensing > 0 { parts.append("active sensing: \(sensing)") }
        if timeCode > 0 { parts.append("time code: \(timeCode) quarter frames") }
        return parts.joined(separator: "; ")
    }
}
