/// The state of a device other than the first, that a bus of the graph is played on. A value.
public struct DeviceOutputState: Sendable, Hashable {
    /// The unit `device-output` that it plays.
    public var unit: String
    /// The devices that were requested, in order of preference.
    public var wanted: [String]
    /// The device in use; nil while none is open.
    public var name: String?
    /// `running`, `lost`, `opening`, ...: the state of the device as its machine names it.
    public var state: String
    /// Milliseconds by which it is heard later than the same frame on the first device, by calculation.
    public var delayMilliseconds: Double?
    /// The amount by which its clock is faster than the first device's, parts per million, as measured; 0 before both are
    /// known.
    public var drift = 0.0
    /// Times that it ran out of sound.
    public var xruns = 0
    /// Times that its place in the sound was taken anew, because one of the devices lost time.
    public var slips = 0
    /// Frames that were not there in time, because the first device was held up.
    public var missingFrames = 0
    /// The reason for its silence, while it is silent.
    public var fault: String?
}
