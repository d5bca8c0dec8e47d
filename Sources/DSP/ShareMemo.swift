// [render]

/// The share of its way that something exponential makes in a frame, computed again only when its time has changed.
public struct ShareMemo: BitwiseCopyable {
    private var seconds: Float = -1
    /// The share: 0...1.
    public private(set) var share = 0.0

    /// Nothing moves yet.
    @_noLocks public init() {}

    /// Sets the time of two thirds of the way (exactly 1 - 1 / e) to `seconds`, which is above 0, from here on.
    @_noLocks public mutating func aim(_ seconds: Float, sampleRate: Double) {
        if seconds == self.seconds { return }
        self.seconds = seconds
        share = GainBallistics.share(seconds: Double(seconds), sampleRate: sampleRate)
    }
}
