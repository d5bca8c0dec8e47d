/// A command to a transport.
package enum TransportCommand: Hashable, Sendable {
    /// Plays on from the song's position.
    case play
    /// Ends the song's notes and stays there.
    case pause
    /// `play` if it does not play, else `pause`.
    case togglePlay
    /// Ends the song's notes and goes to the beginning.
    case stop
    /// Goes elsewhere, playing on if it plays.
    case seek(TransportTarget)
    /// Tempo as a factor of the song's own, 0.1...10 (brought to the bound). Sounding notes go on.
    case tempo(Double)
    /// Semitones, -48...48 (brought to the bound). Sounding notes go on as they are.
    case transpose(Int)
    /// Plays a range of the song again and again, once it is reached; nil plays on to the end.
    case loop(TransportRange?)
    /// Plays a range `count` times, at least once, and goes on to the end of the song; with `fade`, in seconds up to an hour,
    /// it loops on for so long after the last round, which is when the song is to fade (`Transport.fading`), and ends.
    case rounds(TransportRange, count: Int, fade: Double?)
    /// Ends the song early, on this frame of the timeline, once it gets there; nil plays on to its own end.
    case end(Int64?)
}

/// A place to go to. One that is before the beginning is the beginning, one that is after the end the end.
public enum TransportTarget: Hashable, Sendable {
    /// Seconds after the beginning, at the song's own tempo.
    case seconds(Double)
    /// Seconds from here.
    case bySeconds(Double)
    /// The beginning of a bar, counted from 1.
    case bar(Int)
    /// Bars from here: 0 is the beginning of this one.
    case byBars(Int)
    /// Sections between markers from here: 0 is the beginning of this one.
    case byMarkers(Int)
    /// The next marker of this name after the present place; if there is none, the first.
    case marker(String)
}

/// A range to loop over.
public enum TransportRange: Hashable, Sendable {
    /// The whole song.
    case song
    /// The loop that the song itself asks for (`LoopPoints`), else the whole song.
    case written
    /// The music from the beginning of one bar to the beginning of another, counted from 1.
    case bars(Int, to: Int)
    /// Ticks, the second one excluded.
    case ticks(Int64, to: Int64)
}
