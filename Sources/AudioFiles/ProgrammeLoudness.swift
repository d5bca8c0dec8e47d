import DSP
import Glibc

/// The loudness of a whole programme as EBU R 128 defines it, with any gain: libebur128 measures 400 ms every 100 ms and 3 s every
/// second, and the gates are applied to what it has measured when the gain is known. A meter has one gain, and where single notes
/// die away the gate at -70 LUFS lies elsewhere in a programme that is 20 dB louder.
///
/// Keeps 8 bytes for each 100 ms. Sources: ITU-R BS.1770-4 (gates), EBU Tech 3342 (range). Control side, one thread at a time.
public final class ProgrammeLoudness {
    private static let absoluteGate = -70.0
    private let meter: LoudnessMeter
    /// Frames from one measurement to the next, and until it.
    private let hop: Int
    private var untilHop: Int
    private var hops = 0
    /// LUFS of each 400 ms, and of each 3 s.
    private var momentary: [Double] = [], shortTerm: [Double] = []
    private var highestShortTerm = -Double.infinity

    /// A new measurement, nil if libebur128 cannot measure so many channels at this rate (see `LoudnessMeter`).
    ///
    /// - Parameters:
    ///   - layout: which loudspeaker each channel is for.
    ///   - sampleRate: hertz.
    ///   - measuresRange: also measure 3 s, for `range` and `shortTermMaximum`.
    public init?(layout: SpeakerLayout, sampleRate: Int, measuresRange: Bool = false) {
        guard
            let meter = LoudnessMeter(
                channels: layout.channels, layout: layout, sampleRate: sampleRate, measuresIntegrated: false,
                measuresRange: measuresRange)
        else { return nil }
        self.meter = meter
        hop = max((sampleRate + 5) / 10, 1)
        untilHop = hop
    }

    /// The greatest magnitude of a sample so far, full scale 1.
    public var samplePeak: Float { meter.samplePeak }

    /// Takes the next `frames` frames, one pointer per channel. The result does not depend on how many come at a time.
    public func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        var done = 0
        while done < frames {
            let part = min(frames - done, untilHop)
            meter.add(done == 0 ? samples : samples.map { $0 + done }, frames: part)
            done += part
            untilHop -= part
            if untilHop == 0 { look() }
        }
    }

    private func look() {
        untilHop = hop
        hops += 1
        if hops >= 4 { momentary.append(meter.momentaryLoudness) }
        guard hops % 10 == 0, let loudness = meter.shortTermLoudness else { return }
        highestShortTerm = max(highestShortTerm, loudness)
        if hops >= 30 { shortTerm.append(loudness) }
    }

    /// Integrated loudness in LUFS with a gain of so many decibels; nil for silence, for less than 400 ms, and where libebur128
    /// ran out of memory on the way.
    public func integrated(gain: Double = 0) -> Double? { Self.integrated([self], gain: gain) }

    /// Integrated loudness of several programmes as of one, each with the gain, in LUFS; nil where one alone has none.
    public static func integrated(_ programmes: [ProgrammeLoudness], gain: Double = 0) -> Double? {
        guard programmes.allSatisfy(\.meter.isComplete) else { return nil }
        let gate = absoluteGate - gain
        guard let mean = mean(programmes.map(\.momentary), above: gate),
            let loudness = self.mean(programmes.map(\.momentary), above: max(gate, mean - 10))
        else { return nil }
        return loudness + gain
    }

    /// Loudness range in LU with a gain of so many decibels; nil if it is not measured, or there is none.
    public func range(gain: Double = 0) -> Double? {
        let gate = Self.absoluteGate - gain
        guard meter.isComplete, let mean = Self.mean([shortTerm], above: gate) else { return nil }
        let heard = shortTerm.filter { $0 >= max(gate, mean - 20) }.sorted()
        guard let last = heard.indices.last else { return nil }
        func percentile(_ part: Double) -> Double { heard[Int(Double(last) * part + 0.5)] }
        return percentile(0.95) - percentile(0.10)
    }

    /// The highest loudness of 3 s in LUFS; nil if it is not measured, or there is none.
    public var shortTermMaximum: Double? { highestShortTerm.isFinite ? highestShortTerm : nil }

    /// The mean energy, in LUFS, of all that is not below a gate; nil where nothing is.
    private static func mean(_ lists: [[Double]], above gate: Double) -> Double? {
        var sum = 0.0, count = 0
        for list in lists {
            for loudness in list where loudness >= gate {
                sum += pow(10, loudness / 10)
                count += 1
            }
        }
        return count > 0 ? 10 * log10(sum / Double(count)) : nil
    }
}
