/// A sound system whose devices pull in threads of their own, and the names that its devices have.
///
/// Any call of it or of a device may never return, if the server has died or stands still: no thread that has other work
/// makes one.
package protocol PullSystem: Sendable {
    /// Returns true if a device of that name is one of this system's.
    func claims(_ name: String) -> Bool

    /// Opens a device. It is silent until the gate is opened, and calls it from its own threads until it is closed.
    ///
    /// - Throws: `missingLibrary`, `noServer`, and any other error of opening.
    func open(
        _ name: String, _ request: DeviceRequest, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> any PulledDevice

    /// Returns true if the device could be opened now as wanted, as far as can be known without opening it.
    func isThere(_ name: String, _ request: DeviceRequest) -> Bool
}

extension PulledDevice {
    package var captureError: DeviceError? { nil }
}

/// An open device that pulls.
package protocol PulledDevice: AnyObject {
    /// The terms that the device granted. Its buffer counts as two cycles.
    var grant: DeviceGrant { get }
    /// The scheduling of the device's thread; nil if it is not known.
    var threadPriority: ThreadPriority? { get }
    /// The reason why the device captures nothing, for good, though it plays, or not every channel; nil if it does, or may
    /// yet. While it plays this is asked for four times a second, never in its own thread.
    var captureError: DeviceError? { get }
    /// Ends it; afterwards nothing calls the gate.
    func close()
}
