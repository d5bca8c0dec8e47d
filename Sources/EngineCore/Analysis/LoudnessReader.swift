import AudioFiles
import DSP
import RealtimeCore
import Units

/// The loudness of the sound to a listener, ten times a second: EBU R 128, as broadcasters measure it.
///
/// Source: EBU Tech 3341 and 3342, ITU-R BS.1770-4; by libebur128.
public struct LoudnessReader: BlockAnalyzer {
    /// The values that the meters show.
    public struct Reading: Sendable, Equatable {
        /// The sample time after the last frame that was measured.
        public let time: SampleTime
        /// LUFS of the last 400 ms and of the last 3 s; minus infinity for silence.
        public let momentary: Double, shortTerm: Double
        /// LUFS of everything so far, gated; minus infinity for silence and for less than 400 ms.
        public let integrated: Double
        /// The distance between quiet and loud parts, in LU.
        public let range: Double
        /// The highest point of the curve through all samples so far, in decibels of full scale; -120 for silence.
        public let truePeak: Double
    }

    private let meter: LoudnessMeter
    private let planes: AudioBuffer
    /// Frames from one reading to the next, and to the next one.
    private let hop: Int
    private var left: Int

    /// Creates a measurement that begins with the first block. Gaps do not count as silence: they are not measured.
    /// The result is nil for a `sampleRate`, that of the tap's engine, which libebur128 does not take. `layout` is for the
    /// channels of the tap: surrounds count for more, low frequencies for nothing. One channel counts as both sides.
    public init?(sampleRate: Double, layout: SpeakerLayout = .stereo) {
        let rate = Int(nearest: sampleRate)
        // A museum measures for months.
        guard
            let meter = LoudnessMeter(
                channels: layout.heard.channels, layout: layout.heard, sampleRate: rate, measuresTruePeak: true,
                measuresRange: true, boundsMemory: true)
        else { return nil }
        self.meter = meter
        planes = AudioBuffer(channels: meter.channels, capacity: 256)
        hop = max(rate / 10, 1)
        left = hop
    }

    /// Takes in the next block, and returns the readings that are due.
    public mutating func take(_ block: TapBlock) -> [Reading] {
        var readings: [Reading] = [], done = 0
        while done < block.frames {
            let count = min(left, block.frames - done, planes.capacity)
            for channel in 0..<meter.channels {
                let source = block.channels.count == 1 ? 0 : channel, to = planes.channels[channel]
                for i in 0..<count {
                    to[i] = source < block.channels.count ? block.channels[source][done + i] : 0
                }
            }
            meter.add((0..<meter.channels).map { UnsafePointer(planes.channels[$0]) }, frames: count)
            done += count
            left -= count
            guard left == 0 else { continue }
            left = hop
            let peak = Decibels.level(ofAmplitude: Float(meter.truePeak ?? 0))
            readings.append(
                Reading(
                    time: block.time + done, momentary: meter.momentaryLoudness,
                    shortTerm: meter.shortTermLoudness ?? -.infinity, integrated: meter.integratedLoudness ?? -.infinity,
                    range: meter.loudnessRange ?? 0, truePeak: Double(peak)))
        }
        return readings
    }
}
