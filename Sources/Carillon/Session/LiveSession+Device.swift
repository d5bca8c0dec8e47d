import DSP
import RemoteIO
import Units

/// What a session does when the device that it plays on goes and comes.
extension LiveSession {
    /// What is wanted of the device: the loudspeakers that the graph makes sound for, and the input that it wants.
    static func request(_ options: LiveOptions, _ engine: Engine) throws(LiveError) -> (DeviceRequest, InputFeed?) {
        var request = options.stream
        let made = engine.outputLayout.heard
        (request.layout, request.channels) = (made, made.channels)
        request.deviceLayout = options.layout
        guard let input = options.inputDevice else { return (request, nil) }
        let feeds = engine.graph.nodes.compactMap { $0.instance.companion as? InputFeed }
        guard let feed = feeds.first, feeds.count == 1 else {
            throw .option(
                name: "input-device", value: input,
                remedy: feeds.isEmpty
                    ? "the patch has no unit input that would hear it; add one"
                    : "the patch has \(feeds.count) inputs; leave one")
        }
        request.capture = true
        if !options.devices.contains(input) { (request.captureDevice, request.followsCapture) = (input, true) }
        return (request, feed)
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
