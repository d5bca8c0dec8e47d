import CRealtime
import RealtimeCore

/// The times of what the MIDI thread reads: the queue's clock, when it is to be read again, and what has been read so far.
struct EventStamps {
    private var clock = QueueClock()
    /// When the clock is to be read again, CLOCK_MONOTONIC nanoseconds.
    private(set) var nextReading: Int64 = 0
    private var lastMusic: Int64 = 0
    /// When the thread last began to read and found an end.
    private var lastEmpty: Int64 = 0

    /// Once a tick within ten seconds of the last event, else every second.
    private static let readingTime = QueueClock.tick * 9 / 10, idleReadingTime: Int64 = 1_000_000_000
    private static let playingTime: Int64 = 10_000_000_000

    /// Up to three readings of the queue, until one is tight.
    mutating func readClock(_ calls: ALSASequencerCalls) {
        for _ in 0..<3 {
            let before = rt_monotonic_nanoseconds()
            guard let queue = calls.queueNanoseconds() else { break }
            let after = rt_monotonic_nanoseconds()
            clock.observe(before: before, queue: queue, after: after)
            if after - before < 20_000 { break }
        }
        let now = rt_monotonic_nanoseconds()
        nextReading = now + (now - lastMusic < Self.playingTime ? Self.readingTime : Self.idleReadingTime)
    }

    mutating func foundEnd(at began: Int64) { lastEmpty = began }

    mutating func heardMusic(at now: Int64) { lastMusic = now }

    /// The moment of an event, CLOCK_MONOTONIC nanoseconds.
    func moment(of event: MIDIPortEvent, now: Int64) -> Int64 { moment(ofStamp: event.stamp, now: now) }

    func moment(ofStamp stamp: Int64?, now: Int64) -> Int64 {
        // What had come before the last look would have been seen then.
        max(stamp.flatMap { clock.nanoseconds(ofStamp: $0, now: now) } ?? now, lastEmpty)
    }
}
