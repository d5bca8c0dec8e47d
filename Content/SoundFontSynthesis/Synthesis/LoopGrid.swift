/// The loop of a sample: a whole number of periods in a whole number of frames, and the rate that makes both true.
///
/// A SoundFont's sample rate is any whole number, so the pitch is exact to 0.04 cent without a pitch correction.
public struct LoopGrid {
    /// Periods of the fundamental.
    public let periods: Int
    /// Frames.
    public let count: Int
    /// Frames per second, a whole number.
    public let rate: Double

    /// `seconds` and `rate` are wishes; 0 seconds = no loop, the rate as wished.
    public init(frequency: Double, seconds: Double, rate wish: Double) {
        guard seconds > 0 else {
            periods = 0
            count = 0
            rate = wish.rounded()
            return
        }
        periods = max(1, Int((seconds * frequency).rounded()))
        count = max(32, Int((Double(periods) * wish / frequency).rounded()))
        rate = (frequency * Double(count) / Double(periods)).rounded()
    }

    /// A loop of exactly `count` frames, for synthesis by Fourier transform.
    public init(frequency: Double, count: Int, rate wish: Double) {
        self.count = count
        periods = max(1, Int((frequency * Double(count) / wish).rounded()))
        rate = (frequency * Double(count) / Double(periods)).rounded()
    }
}
