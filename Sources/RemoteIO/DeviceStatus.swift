import RealtimeCore

/// All that an I/O unit shows about itself at one moment: a value that the audio thread publishes after every slice.
public struct DeviceStatus: BitwiseCopyable, Sendable, Equatable {
    /// The phase of the device, which of the list it is, why it was lost (an error number), and what happened so far.
    public var phase = DeviceState.Phase.idle
    public var device = 0
    public var lastCode: Int32 = 0
    public var counts = DeviceCounts()
    /// The device's clock.
    package var time: DeviceTime?
    /// The next slice's sample time.
    public var sampleTime = SampleTime.zero
    /// The time that the last slice took to render, nanoseconds, and its share of the time that it lasts, smoothed.
    public var renderNanoseconds: Int64 = 0
    public var load = 0.0
    /// Load shedding: 0 for none ... 3, and how often it rose.
    public var sheddingLevel = 0
    public var sheddingRises = 0
    /// Samples beyond full scale.
    public var clippedSamples = 0
    /// Frames captured, and xruns of the capture side.
    public var capturedFrames = 0
    public var captureXruns = 0
    /// The amount by which the capture device's clock is faster than that of the one that plays, parts per million, as
    /// measured; 0 if they have one clock. Then the number of times that the place in the captured sound had to be taken
    /// anew, because one of them lost time.
    public var captureDrift = 0.0
    public var captureSlips = 0
    /// Slices since the start, heard or not.
    public var slices = 0

    /// Nothing yet.
    public init() {}
}
