import DSP

/// The highest true peak of a sound that goes by, and of each stretch of it as far as that is near the highest: estimating is
/// dear, and where no estimate can reach that far the highest sample stands for it. Control side, one thread.
public final class TruePeakScan {
    /// Frames of a stretch.
    public static let stretch = 1_024
    private static let run = 64
    /// The part of the highest so far above which a peak is still estimated.
    private let window: Float
    private let channels: Int
    private let estimator = TruePeakEstimator()
    /// The last samples and a run of each channel, plane after plane.
    private let planes: UnsafeMutablePointer<Float>
    private let estimates: UnsafeMutablePointer<Float>
    private var filled = 0
    private var runs = 0
    /// The greatest magnitude of a sample, full scale 1.
    public private(set) var samplePeak: Float = 0
    /// The highest true peak so far, full scale 1.
    public private(set) var highest: Float = 0
    /// The highest of each stretch; below `highest` by more than the window it may be too low.
    public private(set) var stretches: [Float] = []

    private static let span = TruePeakEstimator.taps - 1
    private static let width = span + run

    /// A scan of so many channels.
    ///
    /// - Parameter window: decibels below the highest so far within which peaks are estimated.
    public init(channels: Int, window: Float) {
        self.channels = channels
        self.window = Decibels.amplitude(0 - window)
        planes = .allocate(capacity: channels * Self.width)
        planes.initialize(repeating: 0, count: channels * Self.width)
        estimates = .allocate(capacity: 2 * Self.run)
        estimates.initialize(repeating: 0, count: 2 * Self.run)
    }

    deinit {
        planes.deallocate()
        estimates.deallocate()
    }

    /// Takes the next frames, one pointer per channel.
    public func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        var done = 0
        while done < frames {
            let part = min(frames - done, Self.run - filled)
            for channel in 0..<channels {
                (planes + channel * Self.width + Self.span + filled).update(from: samples[channel] + done, count: part)
            }
            filled += part
            done += part
            if filled == Self.run { look() }
        }
    }

    /// Ends the sound: what lies between its last samples counts too.
    public func finish() {
        for _ in 0..<2 {
            for channel in 0..<channels {
                (planes + channel * Self.width + Self.span + filled).update(repeating: 0, count: Self.run - filled)
            }
            look()
        }
    }

    private func look() {
        var peak: Float = 0
        for channel in 0..<channels { peak = max(peak, TruePeakEstimator.samplePeak(planes + channel * Self.width, Self.width)) }
        samplePeak = max(samplePeak, peak)
        if peak * estimator.overshoot > highest * window { peak = estimate() }
        highest = max(highest, peak)
        if runs % (Self.stretch / Self.run) == 0 { stretches.append(0) }
        stretches[stretches.count - 1] = max(stretches[stretches.count - 1], peak)
        runs += 1
        for channel in 0..<channels {
            let plane = planes + channel * Self.width
            for k in 0..<Self.span { plane[k] = plane[Self.run + k] }
        }
        filled = 0
    }

    private func estimate() -> Float {
        estimates.update(repeating: 0, count: 2 * Self.run)
        for channel in 0..<channels { estimator.raiseToQuarters(estimates, planes + channel * Self.width, Self.run) }
        let quarters = TruePeakEstimator.samplePeak(estimates, Self.run)
        if quarters * TruePeakEstimator.refinement <= highest * window { return quarters }
        let finer = estimates + Self.run
        for channel in 0..<channels { estimator.raiseToEighths(finer, planes + channel * Self.width, Self.run) }
        return max(quarters, TruePeakEstimator.samplePeak(finer, Self.run))
    }
}
