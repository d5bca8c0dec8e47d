/// Counts of what a device did to us so far.
public struct DeviceCounts: BitwiseCopyable, Sendable, Equatable {
    /// Xruns by cause.
    public var renderLate = 0
    public var wokeLate = 0
    public var driver = 0
    /// Times that the system put the device to sleep, that the device was lost, that one was opened again.
    public var suspends = 0
    public var losses = 0
    public var returns = 0
    /// Times that a playing device was left for one further up the list.
    public var switches = 0
    /// Attempts to open a device that failed, and slices that were not audible.
    public var failedOpens = 0
    public var substituteSlices = 0
    /// Events that made no sense where they came; each is a fault of this program.
    public var unexpected = 0

    /// Nothing yet.
    @_noLocks public init() {}

    /// All xruns.
    public var xruns: Int { renderLate + wokeLate + driver }

    @_noLocks mutating func count(_ cause: XrunCause) {
        switch cause {
        case .renderLate: renderLate &+= 1
        case .wokeLate: wokeLate &+= 1
        case .driver: driver &+= 1
        }
    }
}
