import RemoteIO

/// The output that pulls an engine's renderer at the moment; ends with the object.
package final class EngineOutput {
    /// The settings that were granted; of an offline output, those that were wanted.
    let grant: DeviceGrant
    package let port: (any DevicePort)?
    let offline: OfflineOutput?
    let feeds: DeviceFeeds?
    /// Serves the units while a device plays in its own time.
    private let feeder: PeriodicThread?

    init(
        grant: DeviceGrant, port: (any DevicePort)? = nil, offline: OfflineOutput? = nil, feeds: DeviceFeeds? = nil,
        feeder: PeriodicThread? = nil
    ) {
        self.grant = grant
        self.port = port
        self.offline = offline
        self.feeds = feeds
        self.feeder = feeder
    }

    deinit {
        port?.stop()
        feeder?.stop()
        feeds?.disconnect()
    }
}
