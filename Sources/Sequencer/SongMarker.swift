import RealtimeCore

/// A named place in a song: "Verse 1", "Coda".
public struct SongMarker: Hashable, Sendable {
    /// From the start of the song. Unit: ticks.
    public var tick: Int64
    /// The tick's frame.
    public var time: SampleTime
    public var text: String

    public init(tick: Int64, time: SampleTime, text: String) {
        self.tick = tick
        self.time = time
        self.text = text
    }
}
