/// A guard that decides whether the watchdog may be fed: only while sound is made.
///
/// It is not enough that the process lives: a restart also cures rendering that stands still, and notes that make no sound. A
/// pure machine: all input comes from the caller, the time too.
public struct SoundWatch: Sendable {
    /// Seconds of silence that notes may have: slow attacks, and samples that are still being loaded.
    public let patience: Double
    /// The fault, in a sentence; nil while the watchdog may be fed.
    public private(set) var reason: String?

    /// Decibels below which nothing is audible.
    static let silence = -90.0
    /// Seconds that rendering may stand still, as while a device is closed and another is opened; what a single look counts
    /// for at most, because a process that was held itself knows nothing of the time in between.
    static let longestStill = 0.5, longestLook = 0.2

    private var fedFrames: Int64 = 0
    private var seen: (frames: Int64, seconds: Double)?
    private var stillSeconds = 0.0
    private var silentSince: Double?

    /// Creates a watch over sound that has not begun.
    public init(patience: Double = 20) { self.patience = patience }

    /// Checks whether rendering goes on. Call it as often as possible: then the watchdog is not fed for frames that were
    /// rendered long ago, and the service manager's timeout begins when rendering ends.
    public mutating func look(renderedFrames: Int64, at seconds: Double) {
        if let seen, renderedFrames == seen.frames {
            stillSeconds += min(max(seconds - seen.seconds, 0), Self.longestLook)
        } else {
            stillSeconds = 0
        }
        seen = (renderedFrames, seconds)
    }

    /// Returns true if the watchdog may be fed now; then it counts as fed. Checks rendering, too.
    ///
    /// A count of frames below the last one means that rendering began anew: the watchdog is fed when the count grows from
    /// there.
    ///
    /// - Parameters:
    ///   - renderedFrames: frames since rendering began.
    ///   - notesSounding: whether notes sound by the score, at a volume that can be heard.
    ///   - levelDecibels: the loudest that the output was since the last question; an invalid number is silence.
    ///   - seconds: the time, of a clock that is never set.
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
                : "the rendering is stuck at frame \(renderedFrames)"
            return false
        }
        if let silentSince, seconds - silentSince > patience {
            let length = wholeSeconds(seconds - silentSince)
            reason = "the song has had notes for \(length) seconds, but the output is silent"
            return false
        }
        (fedFrames, reason) = (renderedFrames, nil)
        return true
    }

    /// A number beyond the range becomes the greatest.
    private func wholeSeconds(_ seconds: Double) -> Int { Int(exactly: seconds.rounded(.down)) ?? .max }
}
