import DSP

/// The terms that are wanted of a device.
package struct DeviceRequest: Sendable, Equatable {
    /// Devices in order of preference: `default`, `null`, any name ALSA knows, `jack`, `jack:CLIENT`, `pipewire`,
    /// `pipewire:NODE`. `null` is no device: the renderer is pulled by the system's clock, and nothing is heard.
    package var devices: [String]
    /// Frames per second that the renderer makes.
    package var sampleRate: Int
    /// The rate that the device must have, frames per second, for any rate of the renderer; nil for the renderer's, or the
    /// nearest that the device has, with conversion.
    package var deviceRate: Int?
    /// Frames of one slice.
    package var periodFrames: Int
    /// Slices that the device's buffer holds, at least 2.
    package var periods: Int
    /// Channels that the renderer makes.
    package var channels: Int
    /// The renderer's channel that each channel of the device plays, -1 for silence. Empty: one to one.
    package var channelMap: [Int]
    /// The loudspeakers that the renderer makes sound for, in channels of this order, which are `channels` then; nil means
    /// channels without a meaning, which go by `channelMap`.
    package var layout: SpeakerLayout?
    /// The loudspeakers that the device is to have; nil means those of `layout`. If it has others, the sound is folded, and the
    /// grant reports it.
    package var deviceLayout: SpeakerLayout?
    /// True to play, element 0; false: nothing is heard, and the device that captures keeps the time. That is `captureDevice`,
    /// or else the devices of the list.
    package var playback: Bool
    /// True to open the capture side too, element 1.
    package var capture: Bool
    /// The device to capture from; nil for the one that plays.
    package var captureDevice: String?
    /// True if the capture device has a clock of its own: what it captures is resampled then, so that it keeps step with the
    /// one that plays (`DeviceStatus.captureDrift`). Two cards need it, the two sides of one card do not.
    package var followsCapture: Bool
    /// Channels to capture.
    package var captureChannels: Int
    /// The real-time priority wanted for the audio thread, 1...99.
    package var priority: Int
    /// Frames that a live event is given beyond the buffer, to come from the MIDI thread to the renderer in time.
    package var eventMargin: Int
    /// True to fill up the device's buffer twice a period, by the clock, and not only at the device's interrupts: sound that
    /// is rendered sooner is safe from a machine that is held up, but events have to come sooner too.
    package var keepsFull: Bool
    /// Threads that render a slice together, the audio thread among them; more than there are processors gain nothing.
    package var threads: Int
    /// True to start on the substitute clock if no device can be opened yet, and to go on trying.
    package var startsWithoutDevice: Bool

    /// Asks for `devices` at `sampleRate`; the event margin is one millisecond by default.
    package init(
        devices: [String] = ["default"], sampleRate: Int = 48000, deviceRate: Int? = nil, periodFrames: Int = 256,
        periods: Int = 3, channels: Int = 2, channelMap: [Int] = [], layout: SpeakerLayout? = nil,
        deviceLayout: SpeakerLayout? = nil, playback: Bool = true, capture: Bool = false, captureDevice: String? = nil,
        followsCapture: Bool = false, captureChannels: Int = 2, priority: Int = 70, eventMargin: Int? = nil,
        keepsFull: Bool = false, threads: Int = 1, startsWithoutDevice: Bool = false
    ) {
        (self.devices, self.sampleRate, self.deviceRate) = (devices, sampleRate, deviceRate)
        (self.periodFrames, self.periods) = (periodFrames, periods)
        self.channels = layout?.channels ?? channels
        (self.layout, self.deviceLayout, self.channelMap, self.playback) = (layout, deviceLayout, channelMap, playback)
        (self.capture, self.captureDevice, self.followsCapture) = (capture, captureDevice, followsCapture)
        (self.captureChannels, self.priority) = (captureChannels, priority)
        self.eventMargin = eventMargin ?? sampleRate / 1000
        (self.keepsFull, self.threads, self.startsWithoutDevice) = (keepsFull, threads, startsWithoutDevice)
    }

    /// The threads that help, of the audio thread's priority or of none; nil if the audio thread renders alone. Never more
    /// than there are processors: in real time one that waits would block another. - Throws: `noThread`.
    package func makeThreads(inRealTime: Bool) throws(DeviceError) -> RenderThreads? {
        let count = min(threads, inRealTime ? RenderThreads.processors : RenderThreads.limit)
        return count > 1 ? try RenderThreads(count - 1, priority: inRealTime ? priority : nil) : nil
    }

    /// The request as a device is opened by it. If nothing is to be played, or nothing can since `null` alone plays, the
    /// capture device is the one to open. - Throws: `request` if neither element is left, and for a rate that no device has.
    package func resolved() throws(DeviceError) -> DeviceRequest {
        guard !devices.isEmpty else { throw .request(reason: "no audio device is named; default is one") }
        if let deviceRate, !(1...768_000).contains(deviceRate) {
            throw .request(reason: "no audio device has a rate of \(deviceRate) Hz; choose 1 to 768000 Hz, or leave it out")
        }
        let isNull = realDevices.isEmpty
        if !playback, !capture {
            throw .request(reason: "neither playback nor capture is enabled; enable one, or choose the device null")
        }
        guard !playback || isNull, capture, let input = captureDevice else { return self }
        if input == "null" {
            throw .request(reason: "null captures nothing; leave the capture device out, or choose one that captures")
        }
        var alone = self
        alone.devices = isNull || !devices.contains("null") ? [input] : [input, "null"]
        (alone.playback, alone.captureDevice, alone.followsCapture) = (false, nil, false)
        return alone
    }

    /// Channels to ask the device for.
    package var deviceChannels: Int {
        if !playback { return 0 }
        if let layout { return (deviceLayout ?? layout).channels }
        return channelMap.isEmpty ? channels : channelMap.count
    }

    /// Returns the loudspeakers of a device with `channels` channels that does not report them; nil if channels have no meaning.
    package func layout(ofChannels channels: Int) -> SpeakerLayout? { ChannelPlacing(self, channels: channels).layout }

    /// The devices that exist: those before `null`, which is always available.
    package var realDevices: [String] { Array(devices.prefix { $0 != "null" }) }

    /// Checks whether a device that runs at `rate` will do: at the rate it must have, and without a conversion where sound is
    /// captured, since that has none. - Throws: `rate`, `inputRate`.
    package func check(device: String, rate: Int) throws(DeviceError) {
        if let deviceRate, rate != deviceRate { throw .rate(device: device, granted: rate, wanted: deviceRate) }
        if capture, rate != sampleRate { throw .inputRate(device: device, rate: rate, renderer: sampleRate) }
    }
}
