import Graphs
import MIDI
import RealtimeCore

/// An inlet of a session: keyboards and all other live sources, and a master's clock. ALSA's sequencer is one, simulated time
/// another.
///
/// Between `start` and `stop` events go to the receiver of its setup, on a thread of its own. Any thread.
package protocol MIDIInlet: AnyObject, Sendable {
    /// Reads events from now on.
    func start() throws(MIDIInletError)

    /// Ends what is held and reads no more. Returns when no event will come.
    func stop()

    /// The ports that can be played from, connected or not, as things were a moment ago.
    var keyboards: [MIDIKeyboard] { get }

    /// Note-ons that were given up because the renderer took nothing for too long.
    var droppedEvents: Int { get }

    /// Returns the new messages for the user, oldest first, and clears them.
    func takeSentences() -> [String]

    /// The messages that were played and have no effect here, with their counts; new ones come last.
    var unfollowed: [UnfollowedMusic.Entry] { get }

    /// Returns the messages of the master's clock since the last call, with the moments at which they came.
    func takeClock() -> [StampedClockMessage]

    /// The name of the port whose clock is followed; nil while there is none.
    var master: String? { get }

    /// Ends what a keyboard holds, by its identity.
    func release(keyboard identity: String)

    /// Ends what every keyboard holds, and silences every part.
    func releaseAll()
}

extension MIDIInlet {
    /// An inlet that brings notes alone has none.
    package var unfollowed: [UnfollowedMusic.Entry] { [] }
}

/// A system of MIDI ports that a session can be played through.
package protocol MIDISystem: Sendable {
    /// Opens it; events are read from `MIDIInlet.start` on. - Throws: the reason why it is not available.
    func open(_ setup: MIDIInletSetup) throws(MIDIInletError) -> (inlet: any MIDIInlet, outlet: (any MIDIOutlet)?)
}

/// The wishes of a session to its inlet, and where events go.
package struct MIDIInletSetup: Sendable {
    /// Sources that are connected by themselves, and the input port that each plays.
    package struct Connection: Hashable, Sendable {
        /// `any`, a pattern of a name, or an identity, as the system reads it.
        package var rule: String
        /// 0...15; nil means by the rule.
        package var input: Int?

        package init(_ rule: String, input: Int? = nil) { (self.rule, self.input) = (rule, input) }
    }

    /// Input ports of sixteen channels each, 0...16; 0 for one that only plays out.
    package var ports: Int
    package var connections: [Connection]
    /// True if events take effect at the next slice, and not at their moment and a constant latency.
    package var isImmediate: Bool
    /// The port whose clock is followed: a part of its name, or an identity; nil means none.
    package var master: String?
    /// Commands that an event becomes at its sample time (`inTurn`: at once): music, parameters of units. Called once for each
    /// event, on the inlet's thread.
    package var filter: @Sendable (MusicEvent, SampleTime) -> [RenderCommand]
    /// The sample time at which an event of a moment (CLOCK_MONOTONIC nanoseconds) takes effect, latency included; nil if
    /// it is unknown. Called on the inlet's thread.
    package var time: @Sendable (Int64) -> SampleTime?
    /// Takes a command to the renderer; false when there is no room. Called on the inlet's thread.
    package var send: @Sendable (RenderCommand) -> Bool

    /// Creates a setup; nothing is connected.
    package init(
        ports: Int = 1, connections: [Connection] = [], isImmediate: Bool = false, master: String? = nil,
        filter: @escaping @Sendable (MusicEvent, SampleTime) -> [RenderCommand], time: @escaping @Sendable (Int64) -> SampleTime?,
        send: @escaping @Sendable (RenderCommand) -> Bool
    ) {
        (self.ports, self.connections, self.isImmediate, self.master) = (ports, connections, isImmediate, master)
        (self.filter, self.time, self.send) = (filter, time, send)
    }
}

/// The state of a MIDI port that can be played from, at one moment.
public struct MIDIKeyboard: Hashable, Sendable {
    /// The name that a player knows it by.
    public var name: String
    /// The identity, which stays the same in every socket.
    public var identity: String
    public var isConnected: Bool
    /// The reason why it is connected, or why not.
    public var reason: String
    /// Notes that it holds.
    public var heldNotes: Int
    /// Messages received.
    public var events: Int

    public init(name: String, identity: String, isConnected: Bool, reason: String, heldNotes: Int, events: Int) {
        (self.name, self.identity, self.isConnected, self.reason) = (name, identity, isConnected, reason)
        (self.heldNotes, self.events) = (heldNotes, events)
    }
}
