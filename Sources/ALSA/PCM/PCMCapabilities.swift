import RemoteIO

/// The abilities of one direction of a device, as its driver reports them.
public struct PCMCapabilities: Sendable, Equatable {
    static let askedRates = [22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000]

    /// Frames per second, from lowest to highest.
    public let rates: ClosedRange<Int>
    /// Channels.
    public let channels: ClosedRange<Int>
    /// Frames of a period.
    public let periodFrames: ClosedRange<Int>
    /// Sample formats that this program can write.
    package let formats: [SampleFormat]
    /// The usual rates that the device has.
    public let commonRates: [Int]
}
