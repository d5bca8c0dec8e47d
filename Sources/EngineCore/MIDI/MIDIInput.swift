import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Synchronization
import Units

/// The keyboard of an engine: events that are sent here, and those of MIDI ports that it is connected to, go through a filter
/// to the units that their part is routed to.
///
///     try engine.midi.connect("Keystation*")
///
/// No note ever hangs: a note-off, a pedal that goes up, all notes off reach what their beginning became, even if the filter
/// was changed meanwhile or left them out. Control side, as the engine. A live session's keyboards have a filter of their own,
/// `Session.filter`.
public final class MIDIInput {
    /// The filter with what is held: of keyboards, and of events that were sent. Neither ends keys that the other holds.
    private struct Keys {
        var filter: (any MIDIFilter)?
        var keyboards = FilterLedger(), sent = FilterLedger()

        mutating func filtered(_ event: MusicEvent) -> [MusicEvent] { filter?.events(for: event) ?? [event] }
    }

    /// What the thread of the MIDI ports shares with the control side.
    private final class Gate: Sendable {
        let keys = Mutex(Keys())
        let clock = PortClock()
    }

    private let gate = Gate()
    private let renderer: Renderer
    /// Commands that the renderer's queue had no room for.
    var waiting: [RenderCommand] = []
    /// The MIDI ports that it is connected to: who plays, what was lost; nil means none.
    package private(set) var inlet: (any MIDIInlet)?

    /// The engine that it plays.
    weak var engine: Engine?
    /// The tuning of all instruments, drums apart; nil: equal temperament at 440 Hz. Units that come get it.
    public package(set) var tuning: Tuning?

    init(_ renderer: Renderer) { self.renderer = renderer }

    deinit { inlet?.stop() }

    /// The filter for events from now on; nil means they pass as they are. Sounding notes go on until their own note-off.
    public var filter: (any MIDIFilter)? {
        get { gate.keys.withLock { $0.filter } }
        set {
            var filter = newValue
            gate.keys.withLock { swap(&$0.filter, &filter) }
        }
    }

    /// Sends an event through the filter, to take effect at `time` (nil means with the next slice).
    ///
    /// The filter sees events in the order in which they are sent: the end of a note is sent after its beginning, and for
    /// no earlier time.
    ///
    /// - Throws: `queueFull`; nothing is lost then: events without room go first with the next call, or with
    ///   `Engine.maintain()`.
    public func send(_ event: MusicEvent, at time: SampleTime? = nil) throws(Fault) {
        let events = gate.keys.withLock { keys in
            let filtered = keys.filtered(event)
            return keys.sent.events(for: event, filtered: filtered)
        }
        try post(Self.commands(events, at: time ?? .immediately))
    }

    /// Ends all held keys and pedals of events that were sent, for a source that is gone. - Throws: as `send`.
    public func releaseAll(at time: SampleTime? = nil) throws(Fault) {
        try post(Self.commands(gate.keys.withLock { $0.sent.releaseAll() }, at: time ?? .immediately))
    }

    /// The output of a filter as commands. An engine alone plays nothing out.
    private static func commands(_ events: [MusicEvent], at time: SampleTime, to node: NodeID? = nil) -> [RenderCommand] {
        events.filter { !$0.isOutside }.map { RenderCommand(time: time, node: node, event: .music($0)) }
    }

    /// Sends commands as they are. - Throws: as `send`.
    package func post(_ commands: [RenderCommand]) throws(Fault) {
        waiting += commands
        if !flush() { throw .queueFull }
    }

    /// Sends what waits; false when the queue is full again.
    @discardableResult
    func flush() -> Bool {
        let sent = waiting.firstIndex { !renderer.send($0) } ?? waiting.count
        waiting.removeFirst(sent)
        return waiting.isEmpty
    }

    /// The names of the keyboards that can be played, connected or not; empty before `connect`.
    public var keyboards: [String] { inlet?.keyboards.map(\.name) ?? [] }

    /// Connects keyboards and other sources, as they come and go: what is played there goes through the filter, and takes
    /// effect at its moment and a constant latency while the engine runs on a device or in simulated time, else with the next
    /// slice. Sources that were connected before are disconnected.
    ///
    /// - Parameters:
    ///   - sources: names with `*` and `?`, identities such as `usb:0499:1617`; `any`, or none: every keyboard. `@2` after
    ///     one leads it to the second input port.
    ///   - node: the unit that gets all of it; nil means the units that its part is routed to.
    ///   - ports: input ports, 1...16, of sixteen channels each.
    ///   - isImmediate: true: events take effect with the next slice, and not at a constant latency.
    /// - Throws: `MIDIInletError` if there are no MIDI ports, or for a source that cannot be read; `Fault` for a unit of
    ///   another engine.
    public func connect(_ sources: String..., to node: NodeID? = nil, ports: Int = 1, isImmediate: Bool = false) throws(Fault) {
        try connect(sources, to: node, ports: ports, isImmediate: isImmediate, through: SoundSystems.midi)
    }

    package func connect(
        _ sources: [String] = [], to node: NodeID? = nil, ports: Int = 1, isImmediate: Bool = false,
        through system: any MIDISystem
    ) throws(Fault) {
        if let node, let engine, !engine.graph.hasNamed(node) { throw Fault.unknownNode(node) }
        disconnect()
        let connections = (sources.isEmpty ? ["any"] : sources).map { MIDIInletSetup.Connection($0) }
        let setup = MIDIInletSetup(
            ports: ports, connections: connections, isImmediate: isImmediate, renderer, gate.clock
        ) { [gate] event, _ in
            let events = gate.keys.withLock { keys in
                let filtered = keys.filtered(event)
                return keys.keyboards.events(for: event, filtered: filtered)
            }
            return Self.commands(events, at: .inTurn, to: node)
        }
        do throws(MIDIInletError) {
            if !(1...16).contains(ports) { throw MIDIInletError.portCount(ports) }
            let opened = try system.open(setup).inlet
            try opened.start()
            inlet = opened
        } catch { throw Fault(error) }
    }

    /// Ends what connected sources hold, and connects no others.
    public func disconnect() {
        inlet?.stop()
        inlet = nil
    }

    /// Takes the time of events from this device from now on; nil means from none.
    func follow(_ port: (any DevicePort)?) { gate.clock.port = port }
}
