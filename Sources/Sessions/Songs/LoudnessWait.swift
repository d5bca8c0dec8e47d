import RealtimeCore

/// The wait of a session's first song for its loudness: a request that would start it is carried out once the loudness is
/// known. Any other request is carried out at once, on the current song.
struct LoudnessWait {
    enum Step { case setLevel, play }

    /// True while the song is to play as soon as its loudness is known.
    private(set) var isOn = false
    /// True once a song has played: no other is waited for.
    private var isOver = false
    /// The frame on which the fader reaches the song's level.
    private var due: SampleTime?

    /// Returns true where it waits, or has ended the wait. `measured` returns the share of the song; nil: its loudness is known.
    mutating func takes(_ request: SongRequest, measured: () -> Double?) -> Bool {
        if isOver { return false }
        switch request {
        case .play, .togglePlay:
            isOver = !isOn && measured() == nil
            isOn = !isOver && (!isOn || request == .play)
            return !isOver
        case .pause, .stop, .song(_, plays: false): isOn = false
        default: break
        }
        return false
    }

    /// Returns the step that is due: the level when it is known, and from a tenth of a second later on the song, until `end`.
    /// Once a song has played, `measured` is not asked any more.
    mutating func step(now: SampleTime, soon: SampleTime, sampleRate: Int, measured: () -> Double?) -> Step? {
        if isOver { return nil }
        guard measured() == nil else {
            due = nil
            return nil
        }
        guard let due else {
            self.due = soon + sampleRate / 10
            return .setLevel
        }
        return isOn && now >= due ? .play : nil
    }

    /// The song plays.
    mutating func end() { (isOn, isOver) = (false, true) }
}
