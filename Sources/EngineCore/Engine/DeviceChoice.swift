import ALSA
import DSP
import RemoteIO

/// The device that an engine is to run on: a sound card, simulated time, or nothing but the program that asks for the next
/// frames.
public struct DeviceChoice: Sendable {
    /// The port that pulls; nil for the program itself.
    package let port: (any DevicePort)?
    /// The settings that are wanted of the port. Their `sampleRate` is replaced by the engine's.
    let request: DeviceRequest

    /// Any port, with everything that can be wanted of one.
    package init(_ port: any DevicePort, _ request: DeviceRequest) {
        self.port = port
        self.request = request
    }

    private init(offline channels: Int, layout: SpeakerLayout? = nil) {
        port = nil
        request = DeviceRequest(devices: ["offline"], channels: channels, layout: layout)
    }

    /// Returns the first of `names` that is available: `default`, `null` for none, any name ALSA knows, `jack`, `jack:CLIENT`,
    /// `pipewire` or `pipewire:NODE`.
    ///
    /// - Parameters:
    ///   - rate: the rate that the device must have, frames per second, 1...768 000; nil for the engine's, or the nearest it has. Where
    ///     it is not the engine's, the sound is converted, and the grant says so.
    ///   - period: frames of a slice, 16...16384.
    ///   - periods: slices that the device's buffer holds, 2...64.
    ///   - channels: channels that are played, 1...64.
    ///   - input: the device to capture from if the graph has a `DeviceInput`; nil for the one that plays. Another card has a
    ///     clock of its own, and is resampled so that it keeps step.
    ///   - layout: the loudspeakers that the device is to have; sound for others is folded, and the grant names those of the
    ///     device. nil means `channels` without a meaning.
    ///   - playback: false: nothing is played; the device that captures keeps the time.
    public static func device(
        _ names: String..., rate: Int? = nil, period: Int = 256, periods: Int = 3, channels: Int = 2,
        layout: SpeakerLayout? = nil, input: String? = nil, playback: Bool = true
    ) -> DeviceChoice {
        DeviceChoice(
            ALSAPort.ofEverySystem(),
            DeviceRequest(
                devices: names.isEmpty ? ["default"] : names, deviceRate: rate, periodFrames: period, periods: periods,
                channels: channels, layout: layout, playback: playback, captureDevice: input, followsCapture: input != nil))
    }

    /// Simulated time: the sound is made when `port` is advanced.
    public static func simulated(
        _ port: SimulatedPort, rate: Int? = nil, period: Int = 256, periods: Int = 3, channels: Int = 2,
        layout: SpeakerLayout? = nil
    ) -> DeviceChoice {
        DeviceChoice(
            port,
            DeviceRequest(
                devices: ["simulated"], deviceRate: rate, periodFrames: period, periods: periods, channels: channels,
                layout: layout))
    }

    /// No device: `Engine.pull(_:)` and `Engine.render(frames:)` make the sound, as fast as they can.
    public static var offline: DeviceChoice { offline(channels: 2) }

    /// No device, and the loudspeakers of `layout`: sound for others is folded.
    public static func offline(layout: SpeakerLayout) -> DeviceChoice { DeviceChoice(offline: layout.channels, layout: layout) }

    /// No device, and `channels` channels, 1...64.
    public static func offline(channels: Int) -> DeviceChoice { DeviceChoice(offline: channels) }
}
