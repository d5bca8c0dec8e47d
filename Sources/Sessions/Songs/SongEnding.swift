import RealtimeCore

/// The rule by which a session that only plays songs ends: when everything has died away, or when nothing was audible for a
/// second, even if voices are still dying away.
struct SongEnding {
    private let sampleRate: Int
    /// The time since which all that can still be heard is next to nothing.
    private var quietSince: SampleTime?

    init(sampleRate: Int) { self.sampleRate = sampleRate }

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

    /// Returns whether no voice sounds and what rings on has faded.
    static func hasDiedAway(voices: Int, levels: [SessionSnapshot.Level]) -> Bool {
        voices == 0 && levels.allSatisfy { $0.average < -60 }
    }
}
