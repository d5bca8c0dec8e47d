import RealtimeCore

/// The tempo that is tapped: the mean of the last four beats. Two taps give one; after two seconds without a tap it begins anew.
/// Pure.
struct TapTempo {
    private var taps: [SampleTime] = []

    /// Beats of the mean, and the seconds after which a tap is forgotten.
    private static let most = 4, patience = 2.0

    /// Takes a tap; returns quarter notes a minute, nil for the first.
    mutating func tap(at time: SampleTime, sampleRate: Int) -> Double? {
        if let last = taps.last {
            let passed = Double(time - last) / Double(sampleRate)
            if passed > Self.patience || passed < 0 { taps = [] }
        }
        taps.append(time)
        if taps.count > Self.most + 1 { taps.removeFirst() }
        guard taps.count > 1 else { return nil }
        return 60 * Double(sampleRate) * Double(taps.count - 1) / Double(taps[taps.count - 1] - taps[0])
    }

    mutating func forget() { taps = [] }
}
