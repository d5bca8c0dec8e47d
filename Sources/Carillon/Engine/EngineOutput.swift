import RemoteIO
import Units

/// What pulls an engine's renderer at the moment; ends with the object.
final class EngineOutput {
    /// What was granted; of an offline output, what was wanted.
    let grant: DeviceGrant
    /// The device; nil offline.
    let port: (any DevicePort)?
    /// The buffer to pull into; nil on a device.
    let offline: OfflineOutput?
    /// What takes the device's sound; nil where the graph wants none.
    let input: InputFeed?
    /// Serves the units while a device plays in its own time.
    private let feeder: PeriodicThread?

    init(
        grant: DeviceGrant, port: (any DevicePort)? = nil, offline: OfflineOutput? = nil, input: InputFeed? = nil,
        feeder: PeriodicThread? = nil
    ) {
        self.grant = grant
        self.port = port
        self.offline = offline
        self.input = input
        self.feeder = feeder
        if let port, grant.captureChannels > 0 {
            input?.connect(latency: port.inputLatency, channels: grant.captureChannels)
        }
    }

    deinit {
        port?.stop()
        feeder?.stop()
        input?.disconnect()
    }
}
