/// Whether the watchdog may be fed: only while sound is made.
///
/// A process that lives is not enough: rendering that stands still, or notes that nobody hears, are what a new start cures.
/// A pure machine; whoever asks tells it everything, the time too.
public struct SoundWatch: Hashable, Sendable {
    /// Seconds of silence that notes may have: slow attacks, and samples that are still being loaded.
    public let patience: Double
    /// What is wrong, in a sentence; nil while the watchdog may be fed.
    public private(set) var reason: String?

    /// Level below which nobody hears anything, in decibels.
    static let silence = -90.0

    private var fedFrames: Int64 = 0
    private var silentSince: Double?

    /// A watch over sound that has not begun.
    public init(patience: Double = 20) { self.patience = patience }

    /// Whether the watchdog may be fed now; if so, it counts as fed.
    ///
    /// A count of frames below the former one is that of rendering that began anew: it is fed when it grows from there.
    ///
    /// - Parameters:
    ///   - renderedFrames: frames since rendering began.
    ///   - notesSounding: whether notes sound by the score, at a volume that can be heard.
    ///   - levelDecibels: the loudest that the output was since the last question; a number that is none is silence.
    ///   - seconds: the time, of a clock that nobody sets.
    public mutating func mayFeed(
        renderedFrames: Int64, notesSounding: Bool, levelDecibels: Double, at seconds: Double
    ) -> Bool {
        if notesSounding && !(levelDecibels >= Self.silence) {
            silentSince = min(silentSince ?? seconds, seconds)
        } else {
            silentSince = nil
        }
        if renderedFrames <= fedFrames {
            fedFrames = renderedFrames
            reason = renderedFrames <= 0 ? "no sound has been rendered yet"
                : "the rendering stands still at frame \(renderedFrames)"
            return false
        }
        if let silentSince, seconds - silentSince > patience {
            let length = wholeSeconds(seconds - silentSince)
            reason = "notes have sounded by the score for \(length) seconds, but the output is silent"
            return false
        }
        (fedFrames, reason) = (renderedFrames, nil)
        return true
    }

    /// Whole seconds; a number beyond all of them says the most there are.
    private func wholeSeconds(_ seconds: Double) -> Int { Int(exactly: seconds.rounded(.down)) ?? .max }
}
