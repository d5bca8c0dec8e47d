import RemoteIO

/// What a session does when the device that it plays on goes and comes.
extension LiveSession {
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
