import Sequencer

extension SessionSong {
    /// How long the song lasts as a list plays it, in seconds, without the silence before it. Control side.
    ///
    /// - Parameter sampleRate: frames per second of the session that would play it.
    /// - Throws: `song`, `sound` where it cannot be read or laid out.
    public func length(sampleRate: Int) throws(LiveError) -> Double {
        let timeline = try timeline(sampleRate: sampleRate).0
        var frames = timeline.summary.end.rawValue
        // The fade is counted by the clock, all else by the song.
        let fade = manner.fade ?? 0
        if manner.countsLoops { frames = LoopPlan(timeline, rounds: manner.loops, fade: manner.fade.map { _ in 0 }).end }
        let rate = PlaybackRate(nearest: min(max(manner.tempo, 0.1), 10))
        return Double(rate.clockFrames(ofScore: frames)) / Double(sampleRate) + fade
    }

    /// Seconds of silence behind it at least, where it fades.
    public var rest: Double { manner.fade == nil ? 0 : SongLevels.rest }
}
