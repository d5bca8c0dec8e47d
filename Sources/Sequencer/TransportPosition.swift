import RealtimeCore

/// Where a song stands at one moment.
public struct TransportPosition: Hashable, Sendable {
    /// Frames of the timeline from its beginning.
    public var frame: Int64
    /// The same in seconds, at the song's own tempo.
    public var seconds: Double
    /// The last tick that has begun.
    public var tick: Int64
    /// Bar and beat; nil in a song that counts film frames.
    public var bar: BarPosition?
    /// Quarter notes a minute as they sound: the song's times the factor; nil in a song that counts film frames.
    public var tempo: Double?
    /// Whether the song moves on.
    public var isRunning: Bool
}
