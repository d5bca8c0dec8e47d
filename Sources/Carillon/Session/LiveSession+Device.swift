import DSP
import RemoteIO
import Units
import VoiceProcessing

/// What a session does when the device that it plays on goes and comes.
extension LiveSession {
    /// What is wanted of the device: the loudspeakers that the graph makes sound for, and the input that it wants.
    static func request(_ options: LiveOptions, _ engine: Engine) throws(LiveError) -> DeviceWish {
        var request = options.stream
        let made = engine.outputLayout.heard
        (request.layout, request.channels) = (made, made.channels)
        request.deviceLayout = options.layout
        let feeds = engine.graph.nodes.compactMap { $0.instance.companion as? InputFeed }
        let voices = engine.graph.nodes.compactMap { $0.instance.companion as? PlaybackFeed }
        if feeds.count > 1 { throw .option(name: "patch", value: "\(feeds.count) inputs", remedy: "leave one unit input") }
        if voices.count > 1 {
            throw .option(
                name: "patch", value: "\(voices.count) voice processors that hear the device",
                remedy: "leave one, or connect playback of the others")
        }
        if !voices.isEmpty, options.capturePath != nil {
            throw .option(
                name: "capture", value: "a patch whose voice-processor hears the device",
                remedy: "record a session or cancel its echo, or connect what plays to the processor's playback")
        }
        if let input = options.inputDevice {
            if feeds.isEmpty {
                throw .option(
                    name: "input-device", value: input, remedy: "the patch has no unit input that would hear it; add one")
            }
            if !options.devices.contains(input) { (request.captureDevice, request.followsCapture) = (input, true) }
        }
        request.capture = !feeds.isEmpty
        return DeviceWish(request: request, input: feeds.first, playback: voices.first)
    }

    /// Words on what patches of a set list, but the first, will not hear: a device captures for those of the first.
    static func unheardInputs(_ options: LiveOptions) -> [String] {
        options.patches.dropFirst().filter { listed in
            listed.patch.units.contains { $0.component == DeviceInput.descriptor.name }
        }.map { listed in
                "\(listed.name): its unit input is silent, since the first patch has the microphone; let it come first"
        }
    }

    /// Follows the device, and lets the song do what the options say. Returns the fault of the song.
    func followDevice() throws(LiveError) {
        let events = audioSession.events(port.status, port.grant)
        let snapshot = playlist?.snapshot(at: now, muted: [], soloed: [])
        defer {
            // Where the song was while it was heard last.
            if !isInterrupted, let snapshot { lastHeard = snapshot.isPlaying ? snapshot.seconds : nil }
        }
        for event in events {
            onAudioSession(event)
            switch event {
            case .interruptionBegan:
                isInterrupted = true
                guard let heard = lastHeard, playlist != nil, options.interruption != .goOn else { break }
                if options.interruption == .stop {
                    lastHeard = nil
                    try perform(.stop)
                    notices.append("\(event): the song has stopped")
                } else {
                    try perform(.pause)
                    try perform(.seek(.seconds(heard)))
                    notices.append("\(event): the song waits")
                }
            case .interruptionEnded:
                isInterrupted = false
                guard options.interruption == .pause, lastHeard != nil, snapshot?.isPlaying == false else { break }
                try perform(.play)
            case .routeChanged: break
            }
        }
    }
}

/// What a session asks of its device, and which units hear its microphone and its loudspeakers.
struct DeviceWish {
    let request: DeviceRequest
    /// nil where the patch has no unit `input`.
    let input: InputFeed?
    /// nil where no voice processor listens to the device.
    let playback: PlaybackFeed?

    /// Opens the device. Where the patch alone asks for a microphone and the device has none, it plays all the same.
    ///
    /// - Parameter capture: gets what was rendered; nil: the voice processor, if one listens.
    func open(
        _ port: any DevicePort, _ renderer: Renderer, capture: CaptureQueue?, mustCapture: Bool
    ) throws(DeviceError) -> (grant: DeviceGrant, remark: String?) {
        let capture = capture ?? playback?.queue
        do throws(DeviceError) {
            let grant = try port.open(renderer, request, capture: capture, input: input?.queue)
            if grant.captureChannels > 0 {
                input?.connect(latency: port.inputLatency, channels: grant.captureChannels)
                playback?.connect(latency: port.inputLatency)
            }
            return (grant, nil)
        } catch {
            if !request.capture || mustCapture { throw error }
            var deaf = request
            deaf.capture = false
            let grant = try port.open(renderer, deaf, capture: capture, input: nil)
            return (grant, "the unit input of the patch is silent: \(error); choose a device that captures")
        }
    }
}
