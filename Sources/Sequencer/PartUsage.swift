/// What one channel of one port plays.
public struct PartUsage: Hashable, Sendable {
    /// 0...15.
    public var port: UInt8
    /// 0...15; channel 10 of the textbooks is 9.
    public var channel: UInt8
    public var noteCount = 0
    /// The most keys down at once.
    public var peakPolyphony = 0
    /// Presets asked for, in the order of their first use. A channel that plays without asking has program 0 of bank 0.
    public var presets: [PresetUse] = []

    public init(port: UInt8, channel: UInt8) {
        self.port = port
        self.channel = channel
    }
}
