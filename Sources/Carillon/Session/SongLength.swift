import Sequencer

extension SessionSong {
    /// Returns the time that the song lasts as a list plays it, in seconds, without the silence before it. Control side.
    ///
    /// - Parameter sampleRate: frames per second of the session that would play it.
    /// - Throws: `song`, `sound` where it cannot be read or laid out.
    public func length(sampleRate: Int) throws(LiveError) -> Double {
        manner.length(of: try timeline(sampleRate: sampleRate))
    }

    /// Seconds of silence behind it at least, where it fades.
    public var rest: Double { manner.fade == nil ? 0 : SongLevels.rest }
}

extension Playlist {
    /// Seconds that the song that plays lasts as the list plays it, whatever tempo somebody else has asked for.
    public var currentLength: Double { current.manner.length(of: current.transport.timeline) }
}

extension SongManner {
    /// Seconds that a song lasts in this manner.
    func length(of timeline: Timeline) -> Double {
        var frames = timeline.summary.end.rawValue
        if countsLoops { frames = SongPlan(timeline, rounds: loops, fade: fade.map { _ in 0 }).end }
        let rate = PlaybackRate(nearest: min(max(tempo, 0.1), 10))
        // The fade is counted by the clock, all else by the song.
        return Double(rate.clockFrames(ofScore: frames)) / Double(timeline.sampleRate) + (fade ?? 0)
    }
}
