import DSP

/// The terms that a device granted, beside what was wanted.
public struct DeviceGrant: Sendable, Equatable, CustomStringConvertible {
    /// The request as it was made.
    package var request: DeviceRequest
    /// The device's name; `null` for the system's clock.
    public var device: String
    /// Frames per second of the device.
    public var sampleRate: Int
    /// Frames of the device between two wake-ups.
    public var periodFrames: Int
    /// Frames of the device's buffer.
    public var bufferFrames: Int
    /// The format in which the device stores samples.
    package var format: SampleFormat
    /// Channels of the device.
    public var channels: Int
    /// The loudspeakers of the device; nil if the request names none, or the device has channels that no layout has.
    public var layout: SpeakerLayout?
    /// Channels of the capture side; 0 if it is not open.
    public var captureChannels: Int

    /// Creates a grant.
    package init(
        request: DeviceRequest, device: String, sampleRate: Int, periodFrames: Int, bufferFrames: Int,
        format: SampleFormat, channels: Int, layout: SpeakerLayout? = nil, captureChannels: Int = 0
    ) {
        (self.request, self.device, self.sampleRate, self.periodFrames) = (request, device, sampleRate, periodFrames)
        (self.bufferFrames, self.format, self.channels) = (bufferFrames, format, channels)
        (self.layout, self.captureChannels) = (layout, captureChannels)
    }

    /// True if the renderer's rate is converted to the device's.
    public var hasRateConversion: Bool { sampleRate != request.sampleRate }
    /// The layout that sound is folded from, because the device has other loudspeakers; nil if nothing is folded.
    public var foldedLayout: SpeakerLayout? {
        guard let layout, let made = request.layout, made != layout, made != .mono else { return nil }
        return made.speakers.contains { !layout.speakers.contains($0) } ? made : nil
    }
    /// True if this is the system's clock instead of a device.
    public var isNull: Bool { device == "null" }
    /// Frames that the renderer makes per slice.
    public var sliceFrames: Int { hasRateConversion ? request.periodFrames : periodFrames }
    /// Periods of the device's buffer, rounded down.
    public var periods: Int { bufferFrames / max(periodFrames, 1) }
    /// True if rate, period, buffer and channels are what was wanted.
    public var isAsWanted: Bool {
        !hasRateConversion && periodFrames == request.periodFrames && channels == request.deviceChannels
            && bufferFrames == request.periodFrames * request.periods
    }

    /// One line: what was granted, and what was wanted if that differs.
    public var description: String {
        func item(_ granted: Int, _ wanted: Int, _ unit: String) -> String {
            granted == wanted ? "\(granted) \(unit)" : "\(granted) \(unit) (wanted \(wanted))"
        }
        let rate = item(sampleRate, request.sampleRate, "Hz") + (hasRateConversion ? ", rate converted" : "")
        // The wanted period lasts as long at another rate.
        let period =
            hasRateConversion
            ? request.periodFrames * sampleRate / max(request.sampleRate, 1) : request.periodFrames
        let buffer = "\(item(periodFrames, period, "frames")) x \(item(periods, request.periods, "periods"))"
        let input = captureChannels > 0 ? ", capture " + item(captureChannels, request.captureChannels, "channels") : ""
        let speakers = layout.map { $0.channels > 2 ? " (\($0.rawValue))" : "" } ?? ""
        let folding = foldedLayout.map { ", folded down from \($0.rawValue)" } ?? ""
        let output =
            request.playback
            ? item(channels, request.deviceChannels, "channels") + speakers + folding : "nothing played"
        return "\(device): \(rate), \(buffer), \(isNull ? "no sound" : format.description), " + output + input
    }
}
