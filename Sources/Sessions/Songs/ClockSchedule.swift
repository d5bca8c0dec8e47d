import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

/// The part of MIDI's clock that has been handed over ahead, and the changes to it when the music goes another way: a seek, a
/// halt, another tempo, another song. It needs no reason for a change: it compares the wanted messages with those on their way.
///
/// So the timing is as exact as the sender's, and does not depend on the control side, which may be late by half a second.
/// Pure.
struct ClockSchedule {
    struct Change: Equatable {
        /// The moment from which on messages that were handed over are not to be sent; nil means all of them are.
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
    /// A moment that has moved this far, in nanoseconds, counts as changed: the device has lost time. Messages that are due
    /// within the margin are left.
    private static let leap: Int64 = 300_000, margin: Int64 = 2_000_000

    private let sampleRate: Int
    private var entries: [Entry] = []
    /// The time up to which everything has been handed over.
    private var end: SampleTime?
    /// The time from which the followers get the position of the music anew.
    private var restart: SampleTime?

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Returns the change for `passages`; nil means none.
    /// `now` is the sample time of the next slice, `soon` when a command can take effect at the earliest, `nanoseconds` the
    /// moment. `hasNewcomer`: a follower is new and has received nothing yet. `moment` is when a sample time is heard, in
    /// nanoseconds.
    mutating func update(
        _ passages: [ClockPassage], now: SampleTime, soon: SampleTime, at nanoseconds: Int64, hasNewcomer: Bool,
        moment: (SampleTime) -> Int64
    ) -> Change? {
        // Changes from `soon` on are sent a little before.
        let frozen = now + -(sampleRate / 500)
        entries.removeAll { $0.timed.time < frozen }
        var change = Change()
        // Messages that are out stay out, and each is sent once, so the position of every follower stays right.
        let out = entries.prefix { $0.nanoseconds <= nanoseconds + Self.margin }.count
        if entries[out...].contains(where: { abs(moment($0.timed.time) - $0.nanoseconds) > Self.leap }) {
            change.withdrawn = entries[out].nanoseconds
            entries.removeLast(entries.count - out)
        }
        // Pulses were lost, or the music runs and a follower was not informed.
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
            // Messages of one moment are withdrawn together.
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
