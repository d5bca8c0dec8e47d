import MIDI

/// An outlet of a session: MIDI ports of the system that get notes, and those that get MIDI clock. ALSA's sequencer is one,
/// simulated time another.
///
/// Outputs are numbered from 0 in the order in which `open` names them. A message for output n is one whose `port` is
/// `firstPort` + n: so it passes filters and their ledgers like any other. Any thread.
package protocol MIDIOutlet: AnyObject, Sendable {
    /// The outputs, and the ports that get MIDI clock, from now on. Outputs that were named before keep their number.
    func open(_ outputs: [MIDIOutput], clock: [String])

    /// Sends at once, in this order.
    func send(_ messages: [MIDIMessage])

    /// Schedules each of `messages` for its moment, times ascending; messages that were scheduled earlier for `withdrawn` or
    /// later are no longer sent. nil means all of them are.
    func schedule(_ messages: [StampedClockMessage], withdrawing withdrawn: Int64?)

    /// Schedules messages for outputs at their moments, each to that of its `port`; messages that were scheduled earlier for
    /// `withdrawn` or later are no longer sent.
    func schedule(_ messages: [StampedMIDIMessage], withdrawing withdrawn: Int64?)

    /// The moment, by the clock of those at which messages are sent.
    var nanoseconds: Int64 { get }

    /// The number of times that a port that gets MIDI clock was connected: a new one has not been sent the music's
    /// position.
    var clockConnections: Int { get }

    /// The state of each output, and of each port that gets MIDI clock, as things were a moment ago.
    var destinations: [MIDIDestination] { get }
}

/// A place to play to, and whether anything arrives there.
package struct MIDIDestination: Hashable, Sendable {
    /// The name by which the place was requested.
    package var name: String
    /// True if the place gets MIDI clock; else it gets notes.
    package var getsBeat: Bool
    /// The port that it is connected to; nil while it is not.
    package var port: String?
    /// A sentence on the output's state: where it goes, or why it goes nowhere.
    package var state: String

    package init(_ name: String, getsBeat: Bool, port: String?, state: String) {
        (self.name, self.getsBeat, self.port, self.state) = (name, getsBeat, port, state)
    }
}

/// A place to play to, outside.
package struct MIDIOutput: Hashable, Sendable {
    /// The port of the first output in a `MIDIMessage`: those below are the program's own.
    package static let firstPort: UInt8 = 16
    /// Outputs of one session.
    package static let most = 16

    /// A part of the name of a MIDI port, with `*` and `?` if need be, or an identity such as `usb:0499:1617`.
    package var name: String
    /// The messages that the output gets whenever it is connected: the sound to begin with. Ports of these messages have no
    /// meaning.
    package var greeting: [MIDIMessage] = []
    /// The input ports, 0...15, whose System Exclusive messages it gets unchanged.
    package var systemExclusiveInputs: Set<UInt8> = []

    package init(_ name: String) { self.name = name }
}

extension MIDIMessage {
    /// The output that it goes to; nil for one of the program's own parts.
    public var output: Int? { port >= MIDIOutput.firstPort ? Int(port - MIDIOutput.firstPort) : nil }
}

extension MusicEvent {
    /// True if the event goes out, and is no affair of the graph.
    public var isOutside: Bool { if case .message(let message) = self { message.output != nil } else { false } }
}

/// A channel message and the moment at which it is to be sent: CLOCK_MONOTONIC nanoseconds.
package struct StampedMIDIMessage: Hashable, Sendable {
    package var nanoseconds: Int64
    package var message: MIDIMessage

    package init(_ message: MIDIMessage, at nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
        self.message = message
    }
}

/// A message of MIDI's clock and the moment at which it is to be sent: CLOCK_MONOTONIC nanoseconds.
package struct StampedClockMessage: Hashable, Sendable {
    package var nanoseconds: Int64
    package var message: ClockMessage

    package init(_ message: ClockMessage, at nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
        self.message = message
    }
}
