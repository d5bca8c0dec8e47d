import MIDI
import RemoteIO

/// A port that can be played from, as the control side sees it: a copy of one moment.
public struct MIDISource: Hashable, Sendable {
    /// The device's identity, also after it was unplugged and plugged in again.
    public let identity: DeviceIdentity
    /// The name that a player knows the port by.
    public let name: String
    /// Where it is at the moment.
    public let address: MIDIPortAddress
    /// The reason why the port is connected, or why not.
    public let reason: ConnectionReason
    /// Our input ports that it is connected to, 0...15.
    public let inputs: [Int]
    /// The keys that it holds, in the order in which they were struck.
    package let heldNotes: [SourceLedger.HeldNote]
    /// Messages received since it came.
    public let eventCount: Int
    /// CLOCK_MONOTONIC nanoseconds of the last one; nil when there was none.
    public let lastActivity: Int64?

    /// True if the port's events reach us.
    public var isConnected: Bool { reason.isConnected || !inputs.isEmpty }
}

/// The counts of the MIDI thread since it started.
public struct MIDICounters: Hashable, Sendable {
    /// Events that came in on the input ports.
    public var received = 0
    /// Events given to the renderer.
    public var sent = 0
    /// Attempts to give an event to a renderer whose queue was full. Endings are kept and tried again.
    public var refused = 0
    /// Note-ons given up because the renderer took nothing for too long.
    public var dropped = 0
    /// Times that the kernel lost events on their way to us; everything held was released then.
    public var overruns = 0
    /// System Exclusive messages understood or passed, and those broken off, too long or never finished.
    public var systemExclusive = 0
    public var systemExclusiveLost = 0
    /// The messages that have no effect here, by the parameter that they write.
    package var unfollowed: [UnfollowedMusic.Entry] = []
    /// Sources that went silent in spite of active sensing.
    public var sensingTimeouts = 0
    /// Feedback loops broken.
    public var loops = 0
    /// Connections made, and sources that vanished.
    public var connections = 0
    public var disappearances = 0
    /// Ports that our output goes to, now.
    public var listeners = 0
    /// Events that could not be sent on the output port.
    public var thruFaults = 0
    /// Messages that could not be sent on the ports that zones and the clock play out on.
    public var outputFaults = 0
    /// Connections made to ports that get MIDI clock.
    public var clockConnections = 0
    /// The longest time from an event's stamp to the renderer's queue, in nanoseconds.
    public var longestDelivery: Int64 = 0

    public init() {}
}

/// A message of the MIDI thread to the user. One line each.
public enum MIDINotice: Hashable, Sendable, CustomStringConvertible {
    /// A port has come, or what is to be done with it has changed.
    case port(name: String, ConnectionReason)
    /// A source has gone; `released` notes and other things that it held were ended.
    case vanished(name: String, released: Int)
    /// A source sent active sensing and then nothing.
    case sensingLost(name: String, released: Int)
    /// A loop: what we send came back from a source. Either we no longer send to it, or we no longer listen to it.
    case loop(name: String, isInputKept: Bool)
    /// An output's state has changed.
    case output(name: String, OutputState)
    /// There can be no port for an output, and nothing is played to it.
    case noOutput(name: String, MIDIInletError)
    /// There can be no clock.
    case noClock(MIDIInletError)
    /// The port whose clock is followed has changed its state.
    case master(name: String, OutputState)
    /// The kernel lost events; everything held was released.
    case overrun(released: Int)

    public var description: String {
        switch self {
        case .port(let name, let reason): "\(name): \(reason)"
        case .vanished(let name, let released): "\(name): gone; \(released) held notes, pedals and bends released"
        case .sensingLost(let name, let released):
            "\(name): went silent without leaving; \(released) held notes, pedals and bends released"
        case .loop(let name, let isInputKept):
            "\(name): what we send came back from it; "
                + (isInputKept ? "nothing more is sent to it" : "it is disconnected until it is plugged in again")
        case .output(let name, let state): "output \(name): \(state)"
        case .noOutput(let name, let error): "output \(name): nothing is played to it: \(error)"
        case .noClock(let error): "no MIDI clock is sent: \(error)"
        case .master(let name, .connected(let port)): "clock of \(name): comes from \(port)"
        case .master(let name, .absent):
            "clock of \(name): no MIDI port of this name can be heard; it is connected when one comes"
        case .master(let name, let state): "clock of \(name): \(state)"
        case .overrun(let released):
            "MIDI came in faster than it could be read, and some was lost; \(released) held notes, pedals and bends released"
        }
    }
}
