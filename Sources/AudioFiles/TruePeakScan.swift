import DSP

/// The highest true peak of a sound that goes by, and of each stretch of it as far as that is near the highest: the estimate
/// is expensive, and if no estimate can reach that far the highest sample is used instead.
///
/// Nothing higher is missed: `TruePeakEstimator.bound` is the most that an interpolator can give for the samples that it
/// sees. It is computed for a whole stretch first, and if that may reach the highest, for each run of 64 frames.
/// Control side, one thread.
package final class TruePeakScan {
    /// Frames of a stretch.
    package static let stretch = 1_024
    private static let run = 64
    /// The part of the highest so far above which a peak is still estimated.
    private let window: Float
    private let channels: Int
    private let estimator = TruePeakEstimator()
    private let planes: UnsafeMutablePointer<Float>
    private let estimates: UnsafeMutablePointer<Float>
    private var filled = 0
    /// The greatest magnitude of a sample, full scale 1.
    package private(set) var samplePeak: Float = 0
    /// The highest true peak so far, full scale 1.
    package private(set) var highest: Float = 0
    /// The highest of each stretch; below `highest` by more than the window it may be too low.
    package private(set) var stretches: [Float] = []

    private static let span = TruePeakEstimator.taps - 1
    private static let width = span + stretch

    /// Creates a scan of `channels` channels.
    ///
    /// - Parameter window: decibels below the highest so far within which peaks are estimated.
    package init(channels: Int, window: Float) {
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
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        var done = 0
        while done < frames {
            let part = min(frames - done, Self.stretch - filled)
            for channel in 0..<channels {
                (planes + channel * Self.width + Self.span + filled).update(from: samples[channel] + done, count: part)
            }
            filled += part
            done += part
            if filled == Self.stretch { look(runs: Self.stretch / Self.run) }
        }
    }

    /// Ends the sound: what lies between its last samples counts too.
    package func finish() {
        // The run that has begun, and one more.
        var runs = filled / Self.run + 2
        while runs > 0 {
            for channel in 0..<channels {
                (planes + channel * Self.width + Self.span + filled).update(repeating: 0, count: Self.stretch - filled)
            }
            let part = min(runs, Self.stretch / Self.run)
            look(runs: part)
            runs -= part
        }
    }

    private func look(runs: Int) {
        var peak: Float = 0
        if let whole = bounded(0, Self.span + runs * Self.run, samplePeak: &peak) {
            peak = whole
        } else {
            for run in 0..<runs { peak = max(peak, look(run: run)) }
        }
        stretches.append(peak)
        for channel in 0..<channels {
            let plane = planes + channel * Self.width
            plane.update(from: plane + runs * Self.run, count: Self.span)
        }
        filled = 0
    }

    private func look(run: Int) -> Float {
        var peak: Float = 0
        let start = run * Self.run
        let height = bounded(start, Self.span + Self.run, samplePeak: &peak) ?? estimate(start)
        highest = max(highest, height)
        return height
    }

    /// The highest sample if no estimate can come near the highest so far, else nil. `samplePeak` is raised to it.
    private func bounded(_ start: Int, _ count: Int, samplePeak peak: inout Float) -> Float? {
        var isNear = false
        for channel in 0..<channels {
            let plane = planes + channel * Self.width + start, high = TruePeakEstimator.samplePeak(plane, count)
            peak = max(peak, high)
            isNear =
                isNear
                || high * estimator.overshoot > highest * window
                    && estimator.bound(plane, count, peak: high) > highest * window
        }
        samplePeak = max(samplePeak, peak)
        return isNear ? nil : peak
    }

    private func estimate(_ start: Int) -> Float {
        estimates.update(repeating: 0, count: 2 * Self.run)
        for channel in 0..<channels { estimator.raiseToQuarters(estimates, planes + channel * Self.width + start, Self.run) }
        let quarters = TruePeakEstimator.samplePeak(estimates, Self.run)
        if quarters * TruePeakEstimator.refinement <= highest * window { return quarters }
        let finer = estimates + Self.run
        for channel in 0..<channels { estimator.raiseToEighths(finer, planes + channel * Self.width + start, Self.run) }
        return max(quarters, TruePeakEstimator.samplePeak(finer, Self.run))
    }
}
