/// The wait of a session's first song for its loudness: what would let it play is done once that is known. What else is asked of
/// the song is done at once, while it stands.
struct LoudnessWait {
    /// True while the song is to play as soon as its loudness is known.
    private(set) var isOn = false
    /// True once a song has played: no other is waited for.
    private var isOver = false

    /// Takes a request; true where it waits, or has ended the wait, and nothing is left of it.
    ///
    /// - Parameter measured: the share of the song that is measured; nil: its loudness is known.
    mutating func takes(_ request: SongRequest, measured: Double?) -> Bool {
        if isOver { return false }
        switch request {
        case .play, .togglePlay:
            isOver = measured == nil
            isOn = !isOver && (!isOn || request == .play)
            return !isOver
        case .pause, .stop: isOn = false
        default: break
        }
        return false
    }

    /// True when the wait is over and the song is to play.
    mutating func ends(measured: Double?) -> Bool {
        guard isOn, measured == nil else { return false }
        (isOn, isOver) = (false, true)
        return true
    }
}
