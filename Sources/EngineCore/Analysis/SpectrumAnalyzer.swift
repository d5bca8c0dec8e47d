import DSP
import RealtimeCore
import UnitAPI
import Units

/// The level of every frequency, some times a second: a Fourier transform under Hann's window, of both channels together.
///
/// Source: F. J. Harris, "On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform" (1978).
public struct SpectrumAnalyzer: BlockAnalyzer {
    /// One spectrum.
    public struct Reading: Sendable, Equatable {
        /// The sample time of the first frame that was analysed.
        public let time: SampleTime
        /// Decibels of each line, from 0 Hz to half the sample rate: a sine at full scale has 0 on its line, silence -180.
        public let levels: [Float]
        /// Hertz from one line to the next.
        public let resolution: Double

        /// Returns the line that is nearest to a frequency in hertz; the first for a number that is not finite.
        public func line(at frequency: Double) -> Int {
            min(max(Int(nearest: frequency / resolution), 0), levels.count - 1)
        }
    }

    /// Frames that one spectrum is made of.
    public let size: Int
    private let sampleRate: Double
    private var window: MonoWindow
    private let weights: [Double]
    private let scale: Double
    private let work: Work

    /// Memory that every copy of an analyzer may use in turn.
    private final class Work {
        let transform: RealTransform
        init(_ size: Int) { transform = RealTransform(size: size) }
    }

    /// Spectra of `size` frames, `rate` times a second.
    ///
    /// - Parameters:
    ///   - sampleRate: that of the engine whose tap it reads, brought into `UnitSetup.sampleRates`.
    ///   - size: a power of two, 512...16384; brought there where it is another number.
    ///   - rate: 0.1...1000 a second, rounded to whole frames.
    public init(sampleRate: Double, size: Int = 4096, rate: Double = 30) {
        var frames = 512
        while frames < min(size, 16_384) { frames *= 2 }
        self.size = frames
        self.sampleRate = UnitSetup.possible(sampleRate)
        window = MonoWindow(size: frames, hop: max(Int(nearest: self.sampleRate / min(max(rate.finite, 0.1), 1000)), 1))
        weights = (0..<frames).map { 0.5 - 0.5 * DeterministicMath.cosine(turns: Double($0) / Double(frames)) }
        // Hann's weights are a half on average, and a sine has half its amplitude on either side of 0 Hz.
        scale = 4 / Double(frames)
        work = Work(frames)
    }

    /// Takes in the next block, and returns the spectra that are due.
    public mutating func take(_ block: TapBlock) -> [Reading] {
        var readings: [Reading] = []
        let (weights, scale, work, size) = (weights, scale, work, size), resolution = sampleRate / Double(size)
        window.take(block) { samples, time in
            let weighted = (0..<size).map { samples[$0] * weights[$0] }
            var magnitudes = [Double](repeating: 0, count: size / 2 + 1)
            weighted.withUnsafeBufferPointer { from in
                magnitudes.withUnsafeMutableBufferPointer { to in
                    if let from = from.baseAddress, let to = to.baseAddress { work.transform.magnitudes(from, to) }
                }
            }
            // The ends have no mirror image that shares their sound.
            magnitudes[0] *= 0.5
            magnitudes[size / 2] *= 0.5
            let levels = magnitudes.map { Float(6.020599913279624 * DeterministicMath.log2(max($0 * scale, 1e-9))) }
            readings.append(Reading(time: time, levels: levels, resolution: resolution))
        }
        return readings
    }
}
