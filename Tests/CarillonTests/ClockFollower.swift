import MIDI
import RemoteIO

/// Somebody who follows MIDI's clock, and what it heard and when.
struct ClockFollower {
    private(set) var isRunning = false
    private(set) var next: Int64 = 0
    /// Pulses that counted, with their moments in nanoseconds.
    private(set) var heard: [(nanoseconds: Int64, pulse: Int64)] = []
    /// All pulses.
    private(set) var pulses: [Int64] = []
    private(set) var orders: [ClockMessage] = []
    /// Places that were told while it ran: many devices do not listen then.
    private(set) var toldWhileRunning = 0

    init(_ messages: [StampedClockMessage]) { for message in messages { take(message) } }

    private mutating func take(_ message: StampedClockMessage) {
        if message.message != .pulse { orders.append(message.message) }
        switch message.message {
        case .start: (isRunning, next) = (true, 0)
        case .continue: isRunning = true
        case .stop: isRunning = false
        case .position(let sixteenths):
            if isRunning { toldWhileRunning += 1 }
            next = Int64(sixteenths) * 6
        case .pulse:
            pulses.append(message.nanoseconds)
            guard isRunning else { return }
            heard.append((message.nanoseconds, next))
            next += 1
        }
    }
}
