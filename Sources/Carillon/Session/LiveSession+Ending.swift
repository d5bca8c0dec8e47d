import RealtimeCore
import RemoteIO

/// The end of a session.
extension LiveSession {
    /// Seconds that a device may take to close, another one second more, and a disk to take the next piece of a file.
    public static let devicePatience = 1.5, filePatience = 6.0

    /// Seconds that what sounds is given at most to die away: half of one, and the slices till the song's stop.
    public var longestFade: Double {
        let slice = max(port.grant?.sliceFrames ?? 0, options.period)
        return 0.5 + Double(6 * slice) / Double(max(options.sampleRate, 1))
    }

    /// Ends it: keys and pedals go up and what sounds dies away, for half a second at most after the song's stop; threads
    /// end, the device is closed, a capture gets its end. Nothing may be called after it but `snapshot`.
    public func finish() throws(LiveError) {
        onEnd(longestFade)
        outputs.end()
        sequencer?.stop()
        for item in inbox.close() { item.answer?(.failure(.interrupted)) }
        // The song's own stop takes effect then.
        let stop = soon, releases = notes.releaseAll(), port = port
        let wait = { port.pass(milliseconds: 5) }
        var faults = Attempts()
        faults.attempt(passing: wait) { () throws(LiveError) in if playlist != nil { try perform(.stop) } }
        faults.attempt(passing: wait) { () throws(LiveError) in try play(releases) }
        faults.attempt(passing: wait) { () throws(LiveError) in try metronome.run(false, tempo: nil, at: stop) }
        faults.attempt(passing: wait) { () throws(LiveError) in
            try desk.releaseAll()
            for former in patches?.stage.formers ?? [] { try desk.release(former) }
        }
        var left = 500 + 1000 * max(stop - now, 0) / options.sampleRate
        // On a busy machine a pass takes longer than it should.
        let clock = ContinuousClock(), limit = clock.now + .milliseconds(left)
        repeat {
            port.pass(milliseconds: 5)
            left -= 5
            faults.attempt { () throws(LiveError) in try maintain() }
        } while left > 0 && !(port.hasOwnThread && clock.now > limit)
            && !(now >= stop && SongEnding.hasDiedAway(voices: meters.voices, levels: meters.levels))
        faults.attempt(passing: wait) { () throws(LiveError) in try panic(.all) }
        port.pass(milliseconds: 1 + 2_000 * max(port.grant?.sliceFrames ?? 1, 1) / options.sampleRate)
        onEnd(Self.filePatience)
        faults.attempt { () throws(LiveError) in try maintain() }
        // Whatever the device does from here on.
        faults.attempt { () throws(LiveError) in try capture?.makeWhole() }
        onEnd(Self.devicePatience + Double(engine.deviceOutputs.count))
        stopDevices()
        patches?.list.stop()
        onEnd(Self.filePatience)
        faults.attempt { () throws(LiveError) in try maintain() }
        faults.attempt { () throws(LiveError) in try capture?.finish(end: now, unrecorded: unrecorded) }
        isOver = true
        try faults.finish()
    }
}
