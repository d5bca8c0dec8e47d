import DSP

/// Measures the loudness of a programme as EBU R 128 / ITU-R BS.1770-4 define it, by libebur128, and its peaks.
///
/// A layout says what each channel counts as: low frequencies count as nothing, surrounds 1.5 dB more than the others (all that
/// are between 60 and 120 degrees, BS.1770-4, table 3: in 7.1 the sides, and not the rear). Without one they are left, right,
/// centre, unused (LFE), left surround, right surround, as libebur128 orders them.
/// Control side, one thread at a time.
public final class LoudnessMeter {
    private static let blockFrames = 4096

    /// The number of channels in every frame.
    public let channels: Int
    /// The greatest magnitude of a sample so far, full scale 1.
    public var samplePeak: Float {
        flush()
        return greatest
    }
    /// True if `truePeak` is measured.
    public let measuresTruePeak: Bool
    /// True if `shortTermLoudness` and `loudnessRange` are measured.
    public let measuresRange: Bool

    private let state: LoudnessCalls.State
    /// Interleaved frames on their way to the library, which works in hops of 100 ms and is cheapest in large blocks.
    private let block: UnsafeMutablePointer<Float>
    private var framesInBlock = 0
    private var greatest: Float = 0
    private(set) var isComplete = true

    /// A new measurement, nil if libebur128 cannot measure so many channels (1 to 64) at this rate (16 Hz to 2.8 MHz).
    ///
    /// - Parameters:
    ///   - layout: which loudspeaker each channel is for; nil: as libebur128 orders them.
    ///   - measuresTruePeak: also look between the samples, by fourfold oversampling; several times the cost.
    ///   - measuresRange: also keep 3 s, for `shortTermLoudness`, and what `loudnessRange` is made of.
    ///   - boundsMemory: for measurements of days: a histogram of steps of 0.1 LU instead of a list that grows by 16 bytes for
    ///     each 100 ms that are not silent. If much is near the gate, integrated loudness may be 0.2 LU off.
    public init?(
        channels: Int, layout: SpeakerLayout? = nil, sampleRate: Int, measuresTruePeak: Bool = false,
        measuresRange: Bool = false, boundsMemory: Bool = false
    ) {
        guard
            let state = LoudnessCalls.create(
                channels: channels, sampleRate: sampleRate, truePeak: measuresTruePeak, range: measuresRange,
                boundedMemory: boundsMemory)
        else { return nil }
        if let layout, channels > 2, layout.channels != channels || !LoudnessCalls.setChannels(state, layout.speakers) {
            LoudnessCalls.destroy(state)
            return nil
        }
        self.state = state
        self.channels = channels
        self.measuresTruePeak = measuresTruePeak
        self.measuresRange = measuresRange
        block = .allocate(capacity: Self.blockFrames * channels)
    }

    deinit {
        LoudnessCalls.destroy(state)
        block.deallocate()
    }

    /// Takes the next `frames` frames, one pointer per channel. The result does not depend on how many come at a time.
    public func add(_ samples: UnsafeBufferPointer<UnsafePointer<Float>>, frames: Int) {
        precondition(samples.count == channels && frames >= 0, "one pointer per channel")
        var done = 0
        while done < frames {
            let part = min(frames - done, Self.blockFrames - framesInBlock)
            SampleQuantizer.interleave(samples, from: done, frames: part, to: block + framesInBlock * channels)
            framesInBlock += part
            done += part
            if framesInBlock == Self.blockFrames { flush() }
        }
    }

    /// Takes the next `frames` frames, one pointer per channel.
    public func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        samples.withUnsafeBufferPointer { add($0, frames: frames) }
    }

    /// Integrated loudness so far in LUFS: gated, over the whole programme. Minus infinity for silence and for less
    /// than 400 ms; nil if libebur128 ran out of memory on the way.
    public var integratedLoudness: Double? {
        flush()
        return isComplete ? LoudnessCalls.integrated(state) : nil
    }

    /// Loudness of the last 400 ms in LUFS, not gated; minus infinity for silence.
    public var momentaryLoudness: Double {
        flush()
        return LoudnessCalls.momentary(state)
    }

    /// Loudness of the last 3 s in LUFS, not gated; minus infinity for silence, nil if it is not measured.
    public var shortTermLoudness: Double? {
        flush()
        return measuresRange ? LoudnessCalls.shortTerm(state) : nil
    }

    /// Loudness range so far in LU, as EBU Tech 3342 defines it; nil if it is not measured.
    public var loudnessRange: Double? {
        flush()
        return measuresRange ? LoudnessCalls.range(state) : nil
    }

    /// The greatest true peak of all channels so far, full scale 1; nil if it is not measured.
    public var truePeak: Double? {
        guard measuresTruePeak else { return nil }
        flush()
        return (0..<channels).reduce(0) { max($0, LoudnessCalls.truePeak(state, channel: $1)) }
    }

    private func flush() {
        guard framesInBlock > 0 else { return }
        let count = framesInBlock * channels
        greatest = max(greatest, TruePeakEstimator.samplePeak(block, count))
        if !LoudnessCalls.add(state, block, frames: framesInBlock) { isComplete = false }
        framesInBlock = 0
    }
}
