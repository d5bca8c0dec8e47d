/// A guard that decides whether the watchdog may be fed: only while sound is made.
///
/// A process that lives is not enough: rendering that stands still, or notes that nobody hears, are what a new start cures.
/// A pure machine; whoever asks tells it everything, the time too.
public struct SoundWatch: Sendable {
    /// Seconds of silence that notes may have: slow attacks, and samples that are still being loaded.
    public let patience: Double
    /// The fault, in a sentence; nil while the watchdog may be fed.
    public private(set) var reason: String?

    /// Level below which nobody hears anything, in decibels.
    static let silence = -90.0
    /// Seconds that rendering may stand still, as while a device is closed and another is opened; what a single look counts
    /// for at most, because a process that was held itself knows nothing of the time in between.
    static let longestStill = 0.5, longestLook = 0.2

    private var fedFrames: Int64 = 0
    private var seen: (frames: Int64, seconds: Double)?
    private var stillSeconds = 0.0
    private var silentSince: Double?

    /// A watch over sound that has not begun.
    public init(patience: Double = 20) { self.patience = patience }

    /// Looks whether rendering goes on, as often as somebody can: so the watchdog is not fed for what was rendered long
    /// ago, and the service manager's patience begins when rendering ends.
    public mutating func look(renderedFrames: Int64, at seconds: Double) {
        if let seen, renderedFrames == seen.frames {
            stillSeconds += min(max(seconds - seen.seconds, 0), Self.longestLook)
        } else {
            stillSeconds = 0
        }
        seen = (renderedFrames, seconds)
    }

    /// Tells whether the watchdog may be fed now; if so, it counts as fed. Looks, too.
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
        look(renderedFrames: renderedFrames, at: seconds)
        if renderedFrames <= fedFrames || stillSeconds > Self.longestStill {
            fedFrames = min(fedFrames, renderedFrames)
            reason =
                renderedFrames <= 0
                ? "no sound has been rendered yet"
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
