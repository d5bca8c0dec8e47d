import DSP
import Glibc

/// The loudness of a whole programme as EBU R 128 defines it, with any gain: the energy of each 100 ms is weighed once
/// (`KWeighting`), the blocks of 400 ms and of 3 s are made of these, and the gates are applied when the gain is known. (A meter has
/// one gain, and where single notes die away the gate at -70 LUFS lies elsewhere in a programme that is 20 dB louder.)
///
/// Keeps 8 bytes for each 100 ms. Sources: ITU-R BS.1770-4 (weighting, blocks and gates), EBU Tech 3342 (range). Control side, one
/// thread at a time.
package final class ProgrammeLoudness {
    private struct Blocks {
        let length: Int, step: Int
        static let momentary = Blocks(length: 4, step: 1), shortTerm = Blocks(length: 30, step: 10)
    }

    private static let absoluteGate = -70.0
    private var weighting: KWeighting
    private let step: Int
    private var filled = 0
    private let waiting: UnsafeMutablePointer<Float>
    private let planes: [UnsafePointer<Float>]
    /// The mean energy of each step: 1 is 0 LUFS.
    private var energies: [Double] = []
    private var greatest: Float = 0

    /// Creates a new measurement of such a layout, nil for a rate outside 16 Hz to 2.8 MHz.
    package init?(layout: SpeakerLayout, sampleRate: Int) {
        guard (16...2_822_400).contains(sampleRate) else { return nil }
        weighting = KWeighting(layout.speakers, sampleRate: sampleRate)
        let step = max(sampleRate / 10, 1), waiting = UnsafeMutablePointer<Float>.allocate(capacity: layout.channels * step)
        waiting.initialize(repeating: 0, count: layout.channels * step)
        planes = (0..<layout.channels).map { UnsafePointer(waiting + $0 * step) }
        (self.step, self.waiting) = (step, waiting)
    }

    deinit { waiting.deallocate() }

    /// The greatest magnitude of a sample so far, full scale 1.
    package var samplePeak: Float { planes.reduce(greatest) { max($0, TruePeakEstimator.samplePeak($1, filled)) } }

    /// Takes the next `frames` frames, one pointer per channel. The result does not depend on how many come at a time.
    ///
    /// Precondition: there is one pointer per channel, and `frames` is not negative.
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        precondition(samples.count == planes.count && frames >= 0, "one pointer per channel")
        var done = 0
        while done < frames {
            let part = min(frames - done, step - filled)
            for channel in planes.indices {
                (waiting + channel * step + filled).update(from: samples[channel] + done, count: part)
            }
            done += part
            filled += part
            if filled == step { weigh() }
        }
    }

    private func weigh() {
        greatest = samplePeak
        energies.append(weighting.energy(planes, frames: step))
        filled = 0
    }

    /// Integrated loudness in LUFS with a gain of `gain` decibels; nil for silence and for less than 400 ms.
    package func integrated(gain: Double = 0) -> Double? { Self.integrated([self], gain: gain) }

    /// Integrated loudness of several programmes as of one, each with the gain, in LUFS; nil if one alone has none.
    package static func integrated(_ programmes: [ProgrammeLoudness], gain: Double = 0) -> Double? {
        let blocks = programmes.flatMap { $0.blocks(.momentary) }, gate = energy(absoluteGate - gain)
        guard let first = mean(blocks, above: gate), let mean = mean(blocks, above: max(gate, first / 10)) else { return nil }
        return loudness(mean) + gain
    }

    /// Loudness range in LU with a gain of `gain` decibels; nil for silence and for less than 3 s.
    package func range(gain: Double = 0) -> Double? {
        let blocks = blocks(.shortTerm), gate = Self.energy(Self.absoluteGate - gain)
        guard let mean = Self.mean(blocks, above: gate) else { return nil }
        let heard = blocks.filter { $0 >= max(gate, mean / 100) }.sorted()
        func percentile(_ part: Double) -> Double { Self.loudness(heard[Int(Double(heard.count - 1) * part + 0.5)]) }
        return percentile(0.95) - percentile(0.10)
    }

    /// The highest loudness of 3 s in LUFS; nil for silence and for less than 3 s.
    package var shortTermMaximum: Double? { blocks(.shortTerm).max().flatMap { $0 > 0 ? Self.loudness($0) : nil } }

    private func blocks(_ kind: Blocks) -> [Double] {
        stride(from: kind.length, through: energies.count, by: kind.step).map { end in
            energies[end - kind.length..<end].reduce(0, +) / Double(kind.length)
        }
    }

    /// The mean of all that is not below a gate; nil if nothing is.
    private static func mean(_ blocks: [Double], above gate: Double) -> Double? {
        var sum = 0.0, count = 0
        for energy in blocks where energy >= gate {
            sum += energy
            count += 1
        }
        return count > 0 ? sum / Double(count) : nil
    }

    private static func energy(_ loudness: Double) -> Double { pow(10, loudness / 10) }
    private static func loudness(_ energy: Double) -> Double { 10 * log10(energy) }
}
