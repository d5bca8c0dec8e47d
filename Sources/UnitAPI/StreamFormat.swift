/// The sound that flows through a bus: planar Float32 at one rate, with this many channels.
public struct StreamFormat: Hashable, Sendable, CustomStringConvertible {
    /// Frames per second, 8 000...384 000.
    public var sampleRate: Double
    /// 1 is mono, 2 is stereo (left, right).
    public var channels: Int

    /// Creates a canonical format.
    public init(sampleRate: Double, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The format as errors print it.
    public var description: String { "\(channels) channels at \(sampleRate) Hz, planar Float32" }
}
