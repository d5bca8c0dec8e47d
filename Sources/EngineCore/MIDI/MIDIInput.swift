import Graph
import MIDI
import RealtimeCore
import RemoteIO

/// The keyboard of an engine: events sent here go through a filter to the units that its part is routed to.
///
/// No note ever hangs: a note-off, a pedal that goes up, all notes off reach what their beginning became, even if the filter
/// was changed meanwhile or left them out. Control side, as the engine. A live session's keyboards have a filter of their own,
/// `Session.filter`.
public final class MIDIInput {
    /// The filter for events from now on; nil: they pass as they are. Sounding notes go on until their own note-off.
    public var filter: (any MIDIFilter)?
    private let renderer: Renderer
    private var ledger = FilterLedger()
    /// Commands that the renderer's queue had no room for.
    private var waiting: [RenderCommand] = []

    init(_ renderer: Renderer) { self.renderer = renderer }

    /// Sends an event through the filter, to take effect at `time` (nil: with the next slice).
    ///
    /// The filter sees events in the order in which they are sent: the end of a note is sent after its beginning, and for
    /// no earlier time.
    ///
    /// - Throws: `queueFull`; nothing is lost then: events without room go first with the next call, or with
    ///   `Engine.maintain()`.
    public func send(_ event: MusicEvent, at time: SampleTime? = nil) throws(EngineError) {
        try send(ledger.events(for: event, filtered: filter?.events(for: event) ?? [event]), at: time)
    }

    /// Ends all held keys and pedals, for a source that is gone. - Throws: as `send`.
    public func releaseAll(at time: SampleTime? = nil) throws(EngineError) { try send(ledger.releaseAll(), at: time) }

    /// Sends the output of a filter. An engine alone plays nothing out.
    private func send(_ events: [MusicEvent], at time: SampleTime?) throws(EngineError) {
        let time = time ?? .immediately
        try post(events.filter { !$0.isOutside }.map { RenderCommand(time: time, node: nil, event: .music($0)) })
    }

    /// Sends commands as they are. - Throws: as `send`.
    package func post(_ commands: [RenderCommand]) throws(EngineError) {
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
}
