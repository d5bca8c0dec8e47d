import Graphs
import MIDI
import RealtimeCore
import RemoteIO

/// The part of the songs' channels that has been handed over ahead to ports outside, and the changes to it when the music goes
/// another way: a seek, a halt, another tempo, another song.
///
/// It is given the same segments as the renderer, in the same order, and treats them as the renderer does; so the timing is as
/// exact as the sender's. No note hangs: a note that has begun and loses its planned end is ended. Pure.
struct SendSchedule {
    struct Change: Equatable {
        /// The moment from which on messages that were handed over are not to be sent; nil means all of them are.
        var withdrawn: Int64?
        var messages: [StampedMIDIMessage] = []
    }

    private struct Entry {
        let time: SampleTime
        let nanoseconds: Int64
        let message: MIDIMessage
        /// The key as the song has it.
        let key: UInt8
    }

    /// A stretch of a song, from its start to that of the next.
    private struct Piece {
        let stretch: ScoreStretch
        let events: [TimedMusicEvent]

        func time(of index: Int) -> SampleTime { stretch.time(of: events[index].time) }

        func first(at time: SampleTime) -> Int {
            var low = stretch.events.lowerBound, high = min(stretch.events.upperBound, events.count)
            while low < high {
                let middle = (low + high) / 2
                if self.time(of: middle) < time { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The time that messages are handed over ahead, in seconds, and the number of them that may lie there: a queue of the
    /// system has its bounds.
    static let foresight = 0.4
    static let most = 300
    /// A moment that has moved so far, in nanoseconds, is another one: the device has lost time.
    private static let leap: Int64 = 300_000

    private let sampleRate: Int
    private let outputs: [Int: UInt8]
    private var pieces: [Piece] = []
    /// Messages that were handed over and may still be withdrawn, in the order of time.
    private var entries: [Entry] = []
    /// Up to here all has been handed over.
    private var edge = SampleTime.zero
    /// The keys that sound after the messages before `entries`.
    private var held = SentKeys()

    /// - Parameter outputs: the number of the output for each part, port * 16 + channel.
    init(_ outputs: [Int: UInt8], sampleRate: Int) { (self.outputs, self.sampleRate) = (outputs, sampleRate) }

    /// Takes a segment of the renderer: from its start on it replaces all others.
    mutating func post(_ segment: ScoreSegment) {
        pieces.removeAll { $0.stretch.start >= segment.start }
        pieces.append(Piece(stretch: segment.stretch, events: segment.score.source))
        edge = min(edge, segment.start)
    }

    /// `now` is the sample time of the next slice, `nanoseconds` the moment, `moment` when a time is heard, in nanoseconds.
    mutating func update(now: SampleTime, at nanoseconds: Int64, moment: (SampleTime) -> Int64) -> Change? {
        var change = Change()
        settle(before: now + -sampleRate, at: nanoseconds)
        // Messages that are out stay out; of the rest, those whose time has changed are taken back.
        let out = entries.prefix { $0.nanoseconds <= nanoseconds }.count
        let changed = entries[out...].firstIndex { $0.time >= edge || abs(moment($0.time) - $0.nanoseconds) > Self.leap }
        if let changed {
            // Messages of one moment are withdrawn together.
            let first = entries[out...].firstIndex { $0.nanoseconds >= entries[changed].nanoseconds } ?? changed
            change.withdrawn = entries[first].nanoseconds
            edge = min(edge, entries[first].time)
            entries.removeLast(entries.count - first)
        }
        var keys = held
        for entry in entries { keys.take(entry.message, key: entry.key) }
        let horizon = now + Int(Self.foresight * Double(sampleRate))
        let free = Self.most - (entries.count - entries.prefix { $0.nanoseconds <= nanoseconds }.count)
        handOver(to: horizon, now: now, free: free, &keys, &change) { time in max(moment(time), nanoseconds) }
        let old = pieces.lastIndex { $0.stretch.start <= edge } ?? 0
        pieces.removeFirst(old)
        return change == Change() ? nil : change
    }

    mutating func end(at nanoseconds: Int64) -> Change {
        var keys = held
        for entry in entries where entry.nanoseconds <= nanoseconds { keys.take(entry.message, key: entry.key) }
        (pieces, entries, held) = ([], [], SentKeys())
        return Change(
            withdrawn: nanoseconds, messages: keys.releases().map { StampedMIDIMessage($0.message, at: nanoseconds) })
    }

    /// Forgets messages that were sent long ago, except for keys that they left sounding.
    private mutating func settle(before time: SampleTime, at nanoseconds: Int64) {
        let old = entries.prefix { $0.time < time && $0.nanoseconds <= nanoseconds }.count
        for entry in entries[..<old] { held.take(entry.message, key: entry.key) }
        entries.removeFirst(old)
    }

    private mutating func handOver(
        to horizon: SampleTime, now: SampleTime, free: Int, _ keys: inout SentKeys, _ change: inout Change,
        moment: (SampleTime) -> Int64
    ) {
        func send(_ message: MIDIMessage, key: UInt8, at time: SampleTime) {
            // Notes that are too late to be heard in time are left out.
            if time < now, message.kind == .noteOn, message.data2 > 0 { return }
            let moment = max(moment(time), entries.last?.nanoseconds ?? .min)
            keys.take(message, key: key)
            entries.append(Entry(time: time, nanoseconds: moment, message: message, key: key))
            change.messages.append(StampedMIDIMessage(message, at: moment))
        }
        for (place, piece) in pieces.enumerated() {
            let start = piece.stretch.start, end = place + 1 < pieces.count ? pieces[place + 1].stretch.start : horizon
            if start >= horizon || end < edge { continue }
            if start >= edge {
                // Pedals go up if the prologue says so.
                if piece.stretch.releases {
                    for (message, key) in keys.releases(pedals: false) { send(message, key: key, at: start) }
                }
                for event in piece.stretch.prologue {
                    for (message, key) in sent(event, piece, keys) { send(message, key: key, at: start) }
                }
            }
            var index = piece.first(at: edge)
            while index < min(piece.stretch.events.upperBound, piece.events.count) {
                let time = piece.time(of: index)
                if time >= end || time >= horizon { break }
                // The rest when there is room; all of one moment together.
                if change.messages.count >= free, entries.last.map({ $0.time < time }) ?? true {
                    edge = max(edge, time)
                    return
                }
                for (message, key) in sent(piece.events[index].event, piece, keys) { send(message, key: key, at: time) }
                index += 1
            }
        }
        edge = max(edge, horizon)
    }

    /// Returns the messages that go out for an event of a song.
    private func sent(_ event: MusicEvent, _ piece: Piece, _ keys: SentKeys) -> [(message: MIDIMessage, key: UInt8)] {
        switch event {
        case .message(var message):
            let part = message.part
            guard let output = outputs[part] else { return [] }
            message.port = MIDIOutput.firstPort + output
            let key = message.data1, before = keys.sounding(message, key: key)
            switch message.kind {
            case .noteOn where message.data2 > 0:
                let shifted = Int(key) + (PartMode.initial(part).isDrums ? 0 : piece.stretch.transpose)
                // A key that is struck again, and sounds elsewhere, is let go first.
                var off: [(message: MIDIMessage, key: UInt8)] = []
                if let before, Int(before) != shifted {
                    let end = MIDIMessage(status: 0x80 | message.channel, data1: before, data2: 64, port: message.port)
                    off = [(end, key)]
                }
                guard (0...127).contains(shifted) else { return off }
                message.data1 = UInt8(shifted)
                return off + [(message, key)]
            case .noteOn, .noteOff, .keyPressure:
                guard let before else { return [] }
                message.data1 = before
            default: break
            }
            return [(message, key)]
        case .reset(_, let port), .standard(_, let port):
            // As after power-on, as far as all devices understand it.
            return (0..<16).compactMap { channel in
                outputs[Int(port) * 16 + channel].map { output in
                    let controller = Controller.resetAllControllers.rawValue, port = MIDIOutput.firstPort + output
                    return (MIDIMessage(status: 0xB0 | UInt8(channel), data1: controller, port: port), controller)
                }
            }
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part, .insertion, .time:
            return []
        }
    }
}
