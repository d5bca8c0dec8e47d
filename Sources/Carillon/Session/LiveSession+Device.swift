import DSP
import Graph
import Patch
import RealtimeCore
import RemoteIO
import Units

/// The conduct of a session when the device that it plays on goes and comes.
extension LiveSession {
    /// Returns what is wanted of the device: the loudspeakers that the graph makes sound for, and the input that it wants.
    static func request(_ options: LiveOptions, _ engine: Engine) throws(LiveError) -> DeviceWish {
        var request = options.stream
        let made = engine.outputLayout.heard
        (request.layout, request.channels) = (made, made.channels)
        request.deviceLayout = options.layout
        let feeds: DeviceFeeds
        do { feeds = try DeviceFeeds(of: engine.graph) } catch {
            switch error {
            case .inputs(let count):
                throw .option(name: "patch", value: "\(count) inputs", remedy: "leave one unit input")
            case .voiceProcessors(let count):
                throw .option(
                    name: "patch", value: "\(count) voice processors that hear the device",
                    remedy: "leave one, or connect playback of the others")
            }
        }
        if feeds.playback != nil, options.capturePath != nil {
            throw .option(
                name: "capture", value: "a patch whose voice-processor hears the device",
                remedy: "record a session or cancel its echo, or connect what plays to the processor's playback")
        }
        if let input = options.inputDevice {
            if feeds.input == nil {
                throw .option(
                    name: "input-device", value: input, remedy: "the patch has no unit input that would hear it; add one")
            }
            if !options.devices.contains(input) { (request.captureDevice, request.followsCapture) = (input, true) }
        }
        request.capture = false
        if let input = feeds.input { request.capture(for: input) }
        return DeviceWish(request: request, feeds: feeds)
    }

    /// Starts the device, and the others that units of the graph name.
    func startDevices() throws(LiveError) {
        do { try port.start(willPull: {}) } catch { throw .unavailable(device: error, sequencer: nil) }
        engine.otherDevices.begin(beside: port, port.grant, sampleRate: engine.sampleRate, engine.graph)
    }

    /// Lets go of all of them.
    func stopDevices() {
        engine.otherDevices.end()
        port.stop()
    }

    /// Words on what patches of a set list, but the first, will not hear: a device captures for those of the first.
    static func unheardInputs(_ options: LiveOptions) -> [String] {
        options.patches.dropFirst().filter { listed in
            listed.patch.units.contains { $0.component == DeviceInput.descriptor.name }
        }.map { listed in
            "\(listed.name): its unit input is silent, since the first patch has the microphone; let it come first"
        }
    }

    /// Words on each patch of a set list that is made for more loudspeakers than two.
    static func folds(_ options: LiveOptions) -> [String] {
        options.patches.count > 1 ? options.patches.compactMap { fold($0.patch, of: $0.name) } : []
    }

    /// Puts into words that a patch of a set list is folded down to stereo; nil where it is not.
    static func fold(_ patch: Patch, of name: String) -> String? {
        let made = patch.outputLayout
        return made.channels > 2
            ? "\(name): plays on \(made.rawValue) and is folded down to stereo: set lists play stereo" : nil
    }

    /// Follows the device, and lets the song do what the options say. Returns the fault of the song.
    func followDevice() throws(LiveError) {
        feeds.follow(port)
        listen()
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

/// The request that a session makes to its device, and what of its graph hears the device.
struct DeviceWish {
    let request: DeviceRequest
    let feeds: DeviceFeeds

    /// Opens the device. Where the patch alone asks for a microphone and the device has none, it plays all the same.
    ///
    /// - Parameter capture: gets what was rendered; nil: the voice processor, if one listens.
    func open(
        _ port: any DevicePort, _ renderer: Renderer, capture: CaptureQueue?, mustCapture: Bool
    ) throws(DeviceError) -> (grant: DeviceGrant, remark: String?) {
        do throws(DeviceError) { return (try feeds.open(port, renderer, request, capture: capture), nil) } catch {
            if !request.capture || mustCapture { throw error }
            var deaf = request
            deaf.capture = false
            let grant = try feeds.open(port, renderer, deaf, capture: capture)
            return (grant, "the unit input of the patch is silent: \(error); choose a device that captures")
        }
    }
}
