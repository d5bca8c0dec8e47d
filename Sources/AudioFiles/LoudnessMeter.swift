import CEBUR128
import DSP

/// Measures the loudness of a programme as EBU R 128 / ITU-R BS.1770-4 define it, by libebur128, and its
/// peaks. Nothing else in the package imports the library.
///
/// A layout says what each channel counts as: low frequencies count as nothing, surrounds 1.5 dB more than the others (all that
/// are between 60 and 120 degrees, BS.1770-4, table 3: in 7.1 the sides, and not the rear). Without one they are left, right,
/// centre, unused (LFE), left surround, right surround, as libebur128 orders them.
/// Control side, one thread at a time.
package final class LoudnessMeter {
    private static let blockFrames = 4096

    /// The number of channels in every frame.
    package let channels: Int
    /// The greatest magnitude of a sample so far, full scale 1.
    package var samplePeak: Float {
        flush()
        return greatest
    }
    /// True if `truePeak` is measured.
    package let measuresTruePeak: Bool
    /// True if `shortTermLoudness` and `loudnessRange` are measured.
    package let measuresRange: Bool

    private let state: UnsafeMutablePointer<ebur128_state>
    /// Interleaved frames on their way to the library, which works in hops of 100 ms and is cheapest in large blocks.
    private let block: UnsafeMutablePointer<Float>
    private var framesInBlock = 0
    private var greatest: Float = 0
    private(set) var isComplete = true

    /// Creates a measurement; nil if libebur128 cannot measure this many channels (1 to 64) at this rate (16 Hz to 2.8 MHz).
    ///
    /// - Parameters:
    ///   - layout: which loudspeaker each channel is for; nil means as libebur128 orders them.
    ///   - measuresTruePeak: also look between the samples, by fourfold oversampling; several times the cost.
    ///   - measuresRange: also keep 3 s, for `shortTermLoudness`, and what `loudnessRange` is made of.
    ///   - boundsMemory: for measurements of days: a histogram of steps of 0.1 LU instead of a list that grows by 16 bytes for
    ///     each 100 ms that are not silent. If much is near the gate, integrated loudness may be 0.2 LU off.
    package init?(
        channels: Int, layout: SpeakerLayout? = nil, sampleRate: Int, measuresTruePeak: Bool = false,
        measuresRange: Bool = false, boundsMemory: Bool = false
    ) {
        guard let count = UInt32(exactly: channels), let rate = UInt(exactly: sampleRate) else { return nil }
        var mode = Int32(EBUR128_MODE_I.rawValue)
        if measuresTruePeak { mode |= Int32(EBUR128_MODE_TRUE_PEAK.rawValue) }
        if measuresRange { mode |= Int32(EBUR128_MODE_LRA.rawValue) }
        if boundsMemory { mode |= Int32(EBUR128_MODE_HISTOGRAM.rawValue) }
        guard let state = ebur128_init(count, rate, mode) else { return nil }
        if let layout, channels > 2, layout.channels != channels || !Self.setChannels(state, layout.speakers) {
            Self.destroy(state)
            return nil
        }
        (self.state, self.channels) = (state, channels)
        (self.measuresTruePeak, self.measuresRange) = (measuresTruePeak, measuresRange)
        block = .allocate(capacity: Self.blockFrames * channels)
    }

    deinit {
        Self.destroy(state)
        block.deallocate()
    }

    /// Sets the speaker of each channel. - Returns: whether libebur128 knows them all.
    private static func setChannels(_ state: UnsafeMutablePointer<ebur128_state>, _ speakers: [Speaker]) -> Bool {
        let hasSides = speakers.contains(.sideLeft)
        return speakers.enumerated().allSatisfy { index, speaker in
            let place: channel =
                switch speaker {
                case .frontLeft: EBUR128_LEFT
                case .frontRight: EBUR128_RIGHT
                case .centre: EBUR128_CENTER
                case .lowFrequency: EBUR128_UNUSED
                case .rearLeft: hasSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
                case .rearRight: hasSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
                case .sideLeft: EBUR128_Mp090
                case .sideRight: EBUR128_Mm090
                }
            return ebur128_set_channel(state, UInt32(index), Int32(place.rawValue)) == Int32(EBUR128_SUCCESS.rawValue)
        }
    }

    private static func destroy(_ state: UnsafeMutablePointer<ebur128_state>) {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Takes the next `frames` frames, one pointer per channel. The result does not depend on how many come at a time.
    ///
    /// Precondition: there is one pointer per channel, and `frames` is not negative.
    package func add(_ samples: UnsafeBufferPointer<UnsafePointer<Float>>, frames: Int) {
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
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) {
        samples.withUnsafeBufferPointer { add($0, frames: frames) }
    }

    /// Integrated loudness so far in LUFS: gated, over the whole programme. Minus infinity for silence and for less
    /// than 400 ms; nil if libebur128 ran out of memory on the way.
    package var integratedLoudness: Double? {
        let loudness = measured(ebur128_loudness_global)
        return isComplete ? loudness : nil
    }

    /// Loudness of the last 400 ms in LUFS, not gated; minus infinity for silence.
    package var momentaryLoudness: Double { measured(ebur128_loudness_momentary) }

    /// Loudness of the last 3 s in LUFS, not gated; minus infinity for silence, nil if it is not measured.
    package var shortTermLoudness: Double? { measuresRange ? measured(ebur128_loudness_shortterm) : nil }

    /// Loudness range so far in LU, as EBU Tech 3342 defines it; nil if it is not measured.
    package var loudnessRange: Double? { measuresRange ? measured(ebur128_loudness_range, nothing: 0) : nil }

    /// The greatest true peak of all channels so far, full scale 1; nil if it is not measured.
    package var truePeak: Double? {
        guard measuresTruePeak else { return nil }
        return (0..<channels).reduce(0) { greatest, channel in
            max(greatest, measured({ ebur128_true_peak($0, UInt32(channel), $1) }, nothing: 0))
        }
    }

    /// Returns what the library measures of everything so far; `nothing` if it measures nothing.
    private func measured(
        _ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32,
        nothing: Double = -.infinity
    ) -> Double {
        flush()
        var value = nothing
        _ = measure(state, &value)
        return value
    }

    private func flush() {
        guard framesInBlock > 0 else { return }
        let count = framesInBlock * channels
        greatest = max(greatest, TruePeakEstimator.samplePeak(block, count))
        let code = ebur128_add_frames_float(state, block, framesInBlock)
        if code != Int32(EBUR128_SUCCESS.rawValue) { isComplete = false }
        framesInBlock = 0
    }
}
