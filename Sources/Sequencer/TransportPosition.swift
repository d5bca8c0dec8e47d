/// A song's position at one moment.
public struct TransportPosition: Hashable, Sendable {
    /// Frames of the timeline from its beginning.
    public var frame: Int64
    /// Seconds from the beginning of the timeline, at the song's own tempo.
    public var seconds: Double
    /// The last tick that has begun.
    public var tick: Int64
    /// Bar and beat; nil in a song that counts film frames.
    public var bar: BarPosition?
    /// Quarter notes a minute as they sound: the song's times the factor; nil in a song that counts film frames.
    public var tempo: Double?
    /// True while the song moves on.
    public var isRunning: Bool
}

/// A place in the music as musicians count it.
public struct BarPosition: Hashable, Sendable, CustomStringConvertible {
    /// The bar, counted from 1.
    public var bar: Int64
    /// The beat of the bar, counted from 1, in the meter's own beats: eighths in 6/8.
    public var beat: Int
    /// The time that has passed since the beat, from 0. Unit: ticks.
    public var tick: Int

    public init(bar: Int64, beat: Int, tick: Int) {
        (self.bar, self.beat, self.tick) = (bar, beat, tick)
    }

    /// "12:3:060": bar, beat, ticks.
    public var description: String {
        let ticks = String(tick)
        return "\(bar):\(beat):" + String(repeating: "0", count: max(3 - ticks.count, 0)) + ticks
    }
}
