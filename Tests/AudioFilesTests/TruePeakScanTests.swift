import DSP
import Testing

@testable import AudioFiles

/// What a scan leaves out is never what is highest.
@Suite struct TruePeakScanTests {
    /// The highest of all estimates, none left out.
    private func highest(_ planes: [[Float]]) -> Float {
        let estimator = TruePeakEstimator(), span = TruePeakEstimator.taps - 1
        var peak: Float = 0
        for plane in planes {
            let padded = [Float](repeating: 0, count: span) + plane + [Float](repeating: 0, count: 192)
            var estimates = [Float](repeating: 0, count: padded.count - span)
            padded.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                estimator.raiseToQuarters(&estimates, base, estimates.count)
                estimator.raiseToEighths(&estimates, base, estimates.count)
            }
            peak = max(peak, estimates.max() ?? 0)
        }
        return peak
    }

    @Test(arguments: [Float(0), 1.5], [1, 2, 6])
    func `the highest is that of all estimates`(window: Float, channels: Int) {
        var noise: UInt32 = 7
        for length in [1, 63, 64, 960, 1_023, 1_024, 1_088, 5_000, 48_000] {
            let planes = (0..<channels).map { channel in
                (0..<length).map { frame in
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let hiss = Float(noise >> 8) / 8_388_608 - 1
                    // Low tones that grow and fade, and now and then what lies between two samples at its highest.
                    let tone = 0.5 * Float(DeterministicMath.sine(turns: Double(frame * (channel + 1)) / 480))
                    return frame % 7_001 < 40 ? 0.9 * hiss : tone * (1 - Float(frame % 9_000) / 9_000) + 0.01 * hiss
                }
            }
            let scans = [length, 1_000, 17].map { block in
                let scan = TruePeakScan(channels: channels, window: window)
                withPlanes(planes) { pointers in
                    for start in stride(from: 0, to: length, by: block) {
                        scan.add(pointers.map { $0 + start }, frames: min(block, length - start))
                    }
                }
                scan.finish()
                return scan
            }
            let top = highest(planes)
            for scan in scans {
                // The estimates of eighths are looked for where those of quarters come within a tenth of the highest.
                #expect(scan.highest == top)
                #expect(scan.samplePeak == planes.joined().reduce(0) { max($0, abs($1)) })
                #expect(scan.stretches == scans[0].stretches && scan.stretches.max() == top)
            }
        }
    }

    @Test func `the bound holds for what rises most between two samples`() {
        let estimator = TruePeakEstimator(), count = 64, width = TruePeakEstimator.taps - 1 + count
        var noise: UInt32 = 3
        for shape in 0..<200 {
            // Steps, alternations, slow curves: the signs and sizes that an interpolator can be fed with.
            let samples = (0..<width).map { frame -> Float in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let sign: Float = noise >> 31 == 0 ? 1 : -1
                switch shape % 4 {
                case 0: return sign
                case 1: return Float(DeterministicMath.sine(turns: Double(frame) / Double(2 + shape)))
                case 2: return frame < 12 + shape % 60 ? 1 : -1
                default: return Float(noise >> 8) / 8_388_608 - 1
                }
            }
            var estimates = [Float](repeating: 0, count: count)
            samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                estimator.raiseToQuarters(&estimates, base, count)
                estimator.raiseToEighths(&estimates, base, count)
                let peak = TruePeakEstimator.samplePeak(base, width)
                #expect(estimates.max() ?? 0 <= estimator.bound(base, width, peak: peak))
            }
        }
    }
}
