import DSP

/// The properties of a device in simulated time. The default is a card whose pointer moves by whole periods, on time.
public struct SimulatedHardware: Sendable, Equatable {
    /// The amount by which the device plays faster than its nominal rate, parts per million, -10 000...10 000.
    public var drift: Double
    /// Frames by which its pointer moves; nil for a period.
    public var pointerStep: Int?
    /// The grid of the timer that it hangs on, seconds: it knows and reports nothing between two ticks. 0 for none.
    public var timer: Double
    /// The amount by which the capture side is faster than its nominal rate, parts per million, where that is a card with a
    /// clock of its own; nil means it is the one that plays.
    public var captureDrift: Double?
    /// The loudspeaker of each of the device's channels, nil for none; empty if the device does not report them.
    public var speakers: [Speaker?]

    /// Creates a device like that.
    public init(
        drift: Double = 0, pointerStep: Int? = nil, timer: Double = 0, captureDrift: Double? = nil, speakers: [Speaker?] = []
    ) {
        (self.drift, self.pointerStep, self.timer) = (drift, pointerStep, timer)
        (self.captureDrift, self.speakers) = (captureDrift, speakers)
    }
}
