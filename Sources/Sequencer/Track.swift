import MIDI

/// One track of a song: events in the order of the file, at ticks that never go back.
public struct Track: Hashable, Sendable {
    /// The track's name (FF 03); empty where the file gives none.
    public var name: String
    /// The port its messages go to until a `.port` event changes it, 0...15.
    public var port: UInt8
    /// In file order. `tick` never decreases.
    public var events: [SongEvent]
    /// Where the track ends (FF 2F), not before its last event. Unit: ticks.
    public var endTick: Int64

    /// - Parameter endTick: nil means the last event's tick.
    public init(name: String = "", port: UInt8 = 0, events: [SongEvent] = [], endTick: Int64? = nil) {
        self.name = name
        self.port = port
        self.events = events
        self.endTick = max(endTick ?? 0, events.last?.tick ?? 0)
    }
}
