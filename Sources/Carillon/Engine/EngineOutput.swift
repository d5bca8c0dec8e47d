import RemoteIO
import Units
import VoiceProcessing

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
    /// What learns what the device plays; nil where the graph has none.
    let playback: PlaybackFeed?
    /// Serves the units while a device plays in its own time.
    private let feeder: PeriodicThread?

    init(
        grant: DeviceGrant, port: (any DevicePort)? = nil, offline: OfflineOutput? = nil, input: InputFeed? = nil,
        playback: PlaybackFeed? = nil, feeder: PeriodicThread? = nil
    ) {
        self.grant = grant
        self.port = port
        self.offline = offline
        self.input = input
        self.playback = playback
        self.feeder = feeder
        if let port, grant.captureChannels > 0 {
            input?.connect(latency: port.inputLatency, channels: grant.captureChannels)
            playback?.connect(latency: port.inputLatency)
        }
    }

    deinit {
        port?.stop()
        feeder?.stop()
        input?.disconnect()
        playback?.disconnect()
    }
}
