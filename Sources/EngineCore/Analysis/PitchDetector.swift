import RealtimeCore
import UnitAPI
import Units

/// The pitch of a single voice, and how sure that is, from 30 Hz to a tenth of the sample rate: YIN.
///
/// It looks for the shortest time after which the sound repeats itself, by the difference between the sound and a later copy.
/// The place of its least value between the frames is found again at twice that time, at four times and so on, as far as the
/// window reaches, so that high tones are as exact as low ones. Chords and noise have no pitch: then the reading has none.
/// Source: A. de Cheveigne, H. Kawahara, "YIN, a fundamental frequency estimator for speech and music", JASA 111 (2002).
public struct PitchDetector: BlockAnalyzer {
    /// One look.
    public struct Reading: Sendable, Equatable {
        /// The sample time of the first frame that was looked at.
        public let time: SampleTime
        /// Hertz; nil where the sound has no pitch, or is silent.
        public let frequency: Double?
        /// The degree to which the sound repeats itself: 1 for a perfect tone, near 0 for noise, 0 for silence.
        public let confidence: Double
    }

    /// The lowest pitch in hertz, and the highest.
    public let range: ClosedRange<Double>
    private let sampleRate: Double
    /// Frames that are compared, and the longest time between them.
    private let length: Int, longest: Int
    private var window: MonoWindow
    /// The share of its power by which a tone may differ from itself one period later, and what counts as silence.
    private static let threshold = 0.1, silence = 1e-10

    /// Looks `rate` times a second.
    ///
    /// - Parameters:
    ///   - sampleRate: that of the engine whose tap it reads, brought into `UnitSetup.sampleRates`.
    ///   - range: hertz, within 20 and a tenth of the sample rate; brought there where it is not.
    ///   - rate: 0.1...1000 a second, rounded to whole frames.
    public init(sampleRate: Double, range: ClosedRange<Double> = 30...4000, rate: Double = 30) {
        let sampleRate = UnitSetup.possible(sampleRate)
        let low = min(max(range.lowerBound, 20), sampleRate / 20), high = min(max(range.upperBound, low), sampleRate / 10)
        self.range = low...high
        self.sampleRate = sampleRate
        longest = Int((sampleRate / low).rounded(.up)) + 2
        length = longest
        window = MonoWindow(
            size: length + longest + 1, hop: max(Int(nearest: sampleRate / min(max(rate.finite, 0.1), 1000)), 1))
    }

    /// Takes in the next block, and returns the pitches that are due.
    public mutating func take(_ block: TapBlock) -> [Reading] {
        var readings: [Reading] = []
        let detector = self
        window.take(block) { samples, time in readings.append(detector.look(samples, time)) }
        return readings
    }

    private func look(_ samples: UnsafePointer<Double>, _ time: SampleTime) -> Reading {
        var power = 0.0
        for i in 0..<length { power += samples[i] * samples[i] }
        guard power / Double(length) > Self.silence else { return Reading(time: time, frequency: nil, confidence: 0) }
        // The cumulative mean normalised difference: 1 at first, and 0 at a period of the sound.
        var differences = [Double](repeating: 1, count: longest + 1), sum = 0.0
        for lag in 1...longest {
            let difference = difference(samples, lag)
            sum += difference
            differences[lag] = sum > 0 ? difference * Double(lag) / sum : 1
        }
        let shortest = max(Int(sampleRate / range.upperBound) - 1, 2)
        var best = shortest
        for lag in shortest..<longest where differences[lag] < differences[best] { best = lag }
        // The first that is good enough, and there the lowest point of its valley: not a period of two or three.
        if let first = (shortest..<longest).first(where: { differences[$0] < Self.threshold }) {
            best = first
            while best + 1 < longest, differences[best + 1] < differences[best] { best += 1 }
        }
        let confidence = min(max(1 - differences[best], 0), 1)
        guard differences[best] < 0.2 else { return Reading(time: time, frequency: nil, confidence: confidence) }
        let frequency = sampleRate / period(samples, best)
        // Half a semitone beyond the range is rounding; more is none of ours.
        let isOurs = frequency > range.lowerBound * 0.97 && frequency < range.upperBound * 1.03
        return Reading(time: time, frequency: isOurs ? frequency : nil, confidence: confidence)
    }

    private func difference(_ samples: UnsafePointer<Double>, _ lag: Int) -> Double {
        var lanes = SIMD4<Double>(), i = 0
        let now = UnsafeRawPointer(samples), later = UnsafeRawPointer(samples + lag)
        while i + 4 <= length {
            let step =
                now.loadUnaligned(fromByteOffset: 8 * i, as: SIMD4<Double>.self)
                - later.loadUnaligned(fromByteOffset: 8 * i, as: SIMD4<Double>.self)
            lanes += step * step
            i += 4
        }
        var sum = lanes.sum()
        while i < length {
            sum += (samples[i] - samples[i + lag]) * (samples[i] - samples[i + lag])
            i += 1
        }
        return sum
    }

    /// The period near `lag`: an error of a part of a frame is halved with each doubling of the time that it is looked for in.
    private func period(_ samples: UnsafePointer<Double>, _ lag: Int) -> Double {
        var period = refine(samples, lag), count = 2.0
        while period * count + 3 < Double(longest) {
            let guess = Int((period * count).rounded())
            let places = (guess - 1)...(guess + 1), differences = places.map { difference(samples, $0) }
            let least = differences.indices.min { differences[$0] < differences[$1] } ?? 1
            let next = refine(samples, guess - 1 + least) / count
            // A voice that glides has no such period: the last estimate is kept.
            if abs(next - period) * count > 1.5 { return period }
            (period, count) = (next, 2 * count)
        }
        return period
    }

    /// The lag with the least difference near `lag`, between the frames: the vertex of a parabola, of the difference before it
    /// is normalised, which is a straight parabola near a whole period.
    private func refine(_ samples: UnsafePointer<Double>, _ lag: Int) -> Double {
        let before = difference(samples, lag - 1), here = difference(samples, lag), after = difference(samples, lag + 1)
        let bend = before - 2 * here + after
        guard bend > 0 else { return Double(lag) }
        return Double(lag) + min(max(0.5 * (before - after) / bend, -1), 1)
    }
}
