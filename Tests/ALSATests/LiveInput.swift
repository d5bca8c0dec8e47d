import CRealtime
import Glibc
import MIDI
import RealtimeCore
import Synchronization

@testable import ALSA

/// A client under test, and what it has sent, with the moment at which it did.
final class LiveInput: Sendable {
    struct Arrival: Sendable {
        let event: TimedMusicEvent
        let moment: Int64
    }

    private final class Log: Sendable {
        let arrivals = Mutex<[Arrival]>([])
    }

    let client: MIDIClient
    private let log: Log

    /// Sample time is CLOCK_MONOTONIC in nanoseconds here, so that stamps can be read off.
    init(_ rules: [ConnectionRule], ports: Int = 1, isThru: Bool = false, name: String = "Carillon test") throws {
        let log = Log()
        self.log = log
        client = try MIDIClient(
            MIDIClientSetup(name: name, ports: ports, rules: rules, isThru: isThru), time: { SampleTime($0) },
            send: { command in
                guard case .music(let music) = command.event else { return false }
                let event = TimedMusicEvent(time: command.time, event: music)
                log.arrivals.withLock { $0.append(Arrival(event: event, moment: rt_monotonic_nanoseconds())) }
                return true
            })
        try client.start()
    }

    var arrivals: [Arrival] { log.arrivals.withLock { $0 } }
    func clear() { log.arrivals.withLock { $0 = [] } }

    /// Channel messages so far.
    var messages: [MIDIMessage] {
        arrivals.compactMap { if case .message(let message) = $0.event.event { message } else { nil } }
    }

    var source: [MIDISource] { client.sources }

    /// The source with that name.
    func source(_ name: String) -> MIDISource? { client.sources.first { $0.name.contains(name) } }

    /// Waits until `condition` holds; false after `seconds`. The kernel's time is real, so this one really waits.
    func wait(_ seconds: Double = 5, until condition: () -> Bool) -> Bool {
        let end = rt_monotonic_nanoseconds() + Int64(seconds * 1e9)
        while rt_monotonic_nanoseconds() < end {
            if condition() { return true }
            usleep(500)
        }
        return condition()
    }
}
