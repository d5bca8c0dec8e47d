import MIDI
import RealtimeCore
import Reports
import Sequencer
import SongRendering

extension SessionSong {
    /// Returns the time that the song lasts as a list plays it, in seconds, without the silence before it. Control side.
    ///
    /// - Parameter sampleRate: frames per second of the session that would play it.
    /// - Throws: `SongError`, `sound` where it cannot be read or laid out.
    public func length(sampleRate: Int) throws(Fault) -> Double { manner.length(of: try timeline(sampleRate: sampleRate)) }

    /// The least silence after the song, in seconds, if it fades.
    public var rest: Double { manner.fade == nil ? 0 : SongLevels.rest }
}

extension Playlist {
    /// Seconds that the current song lasts as the list plays it, without regard to a tempo that was requested.
    public var currentLength: Double { current.manner.length(of: current.transport.timeline) }
}

extension SongsPart {
    /// Seconds of the longest time, at its own tempo, in which no key of the song that plays is down by the score. Parts that
    /// play out to other devices do not count; infinite if all parts do.
    package var longestRest: Double { playlist.current.transport.timeline.longestRest(without: playlist.silent) }

    /// The tempo of the song that plays, as a factor of its own.
    package var rate: Double { playlist.current.transport.rate.factor }

    /// True if the song that played has come to its end by itself and none follows yet.
    package var hasNothingToPlay: Bool { playlist.current.transport.hasEnded && playlist.following == nil }
}

extension Timeline {
    /// Seconds of the longest time in which no key is down, but for those of `silent` parts; infinite if there are no others.
    fileprivate func longestRest(without silent: Set<Int>) -> Double {
        var down: Set<Int> = [], since = SampleTime.zero, longest = 0, hasNotes = false
        for event in events {
            guard case .message(let message) = event.event, message.kind == .noteOn || message.kind == .noteOff else { continue }
            if silent.contains(message.part) { continue }
            let key = message.part * 128 + Int(message.data1)
            if message.kind == .noteOn, message.data2 > 0 {
                if down.isEmpty { longest = max(longest, event.time - since) }
                down.insert(key)
                hasNotes = true
            } else if down.remove(key) != nil, down.isEmpty {
                since = event.time
            }
        }
        if down.isEmpty { longest = max(longest, summary.end - since) }
        return hasNotes ? Double(longest) / Double(sampleRate) : .infinity
    }
}

extension SongManner {
    func length(of timeline: Timeline) -> Double {
        var frames = timeline.summary.end.rawValue
        if countsLoops { frames = SongPlan(timeline, rounds: loops, fade: fade.map { _ in 0 }).end }
        let rate = PlaybackRate(nearest: min(max(tempo, 0.1), 10))
        // The fade is counted by the clock, all else by the song.
        return Double(rate.clockFrames(ofScore: frames)) / Double(timeline.sampleRate) + (fade ?? 0)
    }
}
