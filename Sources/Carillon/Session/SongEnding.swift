import RealtimeCore

/// The rule by which a session that only plays songs comes to its end: when what rings on has died away, or when nobody has
/// heard anything for a second, whatever voices still die away.
struct SongEnding {
    private let sampleRate: Int
    /// The time since which all that can still be heard is next to nothing.
    private var quietSince: SampleTime?

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Finds out whether the session is over, by what is heard at `now`.
    ///
    /// - Parameter isAtEnd: whether the last song has come to its end.
    mutating func isOver(isAtEnd: Bool, voices: Int, levels: [SessionSnapshot.Level], now: SampleTime) -> Bool {
        guard isAtEnd else {
            quietSince = nil
            return false
        }
        if Self.hasDiedAway(voices: voices, levels: levels) { return true }
        guard levels.allSatisfy({ $0.average < -70 }) else {
            quietSince = nil
            return false
        }
        let since = quietSince ?? now
        quietSince = since
        return now - since > sampleRate
    }

    /// Tells whether no voice sounds and what rings on has faded.
    static func hasDiedAway(voices: Int, levels: [SessionSnapshot.Level]) -> Bool {
        voices == 0 && levels.allSatisfy { $0.average < -60 }
    }
}
