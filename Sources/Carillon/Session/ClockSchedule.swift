import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

/// The part of MIDI's clock that has been handed over ahead, and what is to be withdrawn and handed over when the music goes
/// another way: a seek, a halt, another tempo, another song. It needs no reason: what is wanted is compared with what is on its
/// way.
///
/// So the exactness is that of whoever sends, and not of the control side, which may be late by half a second. Pure.
struct ClockSchedule {
    /// A change to what was handed over.
    struct Change: Equatable {
        /// The moment from which on messages that were handed over are not to be sent; nil: all of them are.
        var withdrawn: Int64?
        var messages: [StampedClockMessage] = []
    }

    private struct Entry {
        let timed: TimedClockMessage
        let nanoseconds: Int64
    }

    /// The time that messages are handed over ahead, in seconds, and how many at most: a queue of the system has its bounds.
    static let foresight = 0.5
    static let most = 256
    /// A moment that has moved so far, in nanoseconds, is another one: the device has lost time. What is due so soon is left.
    private static let leap: Int64 = 300_000, margin: Int64 = 2_000_000

    private let sampleRate: Int
    private var entries: [Entry] = []
    /// Up to here all has been handed over.
    private var end: SampleTime?
    /// The time from which those who follow were told anew where the music stands.
    private var restart: SampleTime?

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Works out what is to be done for `passages`; nil: nothing.
    ///
    /// - Parameters:
    ///   - now: the sample time of the next slice.
    ///   - soon: when a command can take effect at the earliest.
    ///   - nanoseconds: the moment.
    ///   - hasNewcomer: whether somebody follows from now on who has heard nothing yet.
    ///   - moment: when a sample time is heard, in nanoseconds.
    mutating func update(
        _ passages: [ClockPassage], now: SampleTime, soon: SampleTime, at nanoseconds: Int64, hasNewcomer: Bool,
        moment: (SampleTime) -> Int64
    ) -> Change? {
        // What changes from `soon` on is told a little before.
        let frozen = now + -(sampleRate / 500)
        entries.removeAll { $0.timed.time < frozen }
        var change = Change()
        // What is out is out, and each message is sent once: so whoever follows still stands right.
        let out = entries.prefix { $0.nanoseconds <= nanoseconds + Self.margin }.count
        if entries[out...].contains(where: { abs(moment($0.timed.time) - $0.nanoseconds) > Self.leap }) {
            change.withdrawn = entries[out].nanoseconds
            entries.removeLast(entries.count - out)
        }
        // Pulses were lost; or the music runs, and somebody was not told.
        let isRunning = passages.last { $0.start + -(sampleRate / 500) <= frozen }?.isCounted ?? false
        if hasNewcomer || end.map({ $0 < frozen }) ?? isRunning { restart = soon }
        if let first = passages.first, let time = restart, time < first.start { restart = nil }
        let track = ClockTrack(restart.map { passages.restarted(at: $0) } ?? passages, sampleRate: sampleRate)
        var horizon = now + Int(Self.foresight * Double(sampleRate))
        var wanted = track.messages(from: frozen, to: horizon)
        if wanted.count > Self.most {
            horizon = wanted[Self.most].time
            wanted = wanted.filter { $0.time < horizon }
        }
        var same = zip(entries, wanted).prefix { $0.timed == $1 }.count
        if same < entries.count {
            // What is sent at one moment is withdrawn together.
            while same > 0, entries[same - 1].nanoseconds >= entries[same].nanoseconds { same -= 1 }
            change.withdrawn = min(entries[same].nanoseconds, change.withdrawn ?? .max)
            entries.removeLast(entries.count - same)
        }
        for message in wanted.dropFirst(same) {
            let nanoseconds = max(moment(message.time), entries.last?.nanoseconds ?? .min)
            entries.append(Entry(timed: message, nanoseconds: nanoseconds))
            change.messages.append(StampedClockMessage(message.message, at: nanoseconds))
        }
        end = horizon
        return change == Change() ? nil : change
    }
}
