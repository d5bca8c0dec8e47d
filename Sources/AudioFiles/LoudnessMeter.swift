/// Measures the loudness of a programme as EBU R 128 / ITU-R BS.1770-4 define it, and its peaks.
///
/// One and two channels are measured by `GatedLoudness`; libebur128 measures more channels and true peaks.
/// Channels count as left, right, centre, unused (LFE), left surround, right surround, as libebur128 orders them.
/// Control side, one thread at a time.
public final class LoudnessMeter {
    private static let blockFrames = 4096

    /// How many channels every frame has.
    public let channels: Int
    /// The greatest magnitude of a sample so far, full scale 1.
    public var samplePeak: Float {
        flush()
        return greatest
    }
    /// Whether `truePeak` is measured.
    public let measuresTruePeak: Bool

    /// libebur128's measurement; nil where `gated` measures.
    private let state: LoudnessCalls.State?
    private var gated: GatedLoudness?
    /// Interleaved frames on their way to the library, which works in hops of 100 ms and is cheapest in large blocks.
    private let block: UnsafeMutablePointer<Float>
    private var framesInBlock = 0
    private var greatest: Float = 0
    private var isComplete = true

    /// A new measurement, nil if libebur128 cannot measure so many channels (1 to 64) at this rate (16 Hz to 2.8 MHz).
    ///
    /// - Parameters:
    ///   - sampleRate: hertz.
    ///   - measuresTruePeak: also look between the samples, by fourfold oversampling; several times the cost.
    ///   - boundsMemory: keep a histogram of steps of 0.1 LU instead of a list that grows by 16 bytes for each 100 ms
    ///     that are not silent; for measurements of days.
    public init?(channels: Int, sampleRate: Int, measuresTruePeak: Bool = false, boundsMemory: Bool = false) {
        if (1...2).contains(channels), (16...2_822_400).contains(sampleRate), !measuresTruePeak {
            gated = GatedLoudness(sampleRate: sampleRate, isBounded: boundsMemory)
            state = nil
        } else {
            guard
                let state = LoudnessCalls.create(
                    channels: channels, sampleRate: sampleRate, truePeak: measuresTruePeak, boundedMemory: boundsMemory)
            else { return nil }
            self.state = state
        }
        self.channels = channels
        self.measuresTruePeak = measuresTruePeak
        block = .allocate(capacity: Self.blockFrames * channels)
    }

    deinit {
        if let state { LoudnessCalls.destroy(state) }
        block.deallocate()
    }

    /// Takes the next `frames` frames, one pointer per channel. The result does not depend on how many come at a time.
    public func add(_ samples: UnsafeBufferPointer<UnsafePointer<Float>>, frames: Int) {
        precondition(samples.count == channels && frames >= 0, "one pointer per channel")
        if gated != nil {
            for channel in samples { greatest = max(greatest, Self.peak(channel, frames)) }
            gated?.add(samples[0], channels == 2 ? samples[1] : nil, frames: frames)
            return
        }
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
        if let gated { return gated.integrated }
        flush()
        guard let state, isComplete else { return nil }
        return LoudnessCalls.integrated(state)
    }

    /// The greatest true peak of all channels so far, full scale 1; nil if it is not measured.
    public var truePeak: Double? {
        guard measuresTruePeak, let state else { return nil }
        flush()
        return (0..<channels).reduce(0) { max($0, LoudnessCalls.truePeak(state, channel: $1)) }
    }

    private func flush() {
        guard let state, framesInBlock > 0 else { return }
        greatest = max(greatest, Self.peak(block, framesInBlock * channels))
        if !LoudnessCalls.add(state, block, frames: framesInBlock) { isComplete = false }
        framesInBlock = 0
    }

    /// The greatest magnitude; no number counts as none.
    private static func peak(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        var lanes = SIMD8<Float>.zero
        var i = 0
        while i + 8 <= count {
            let x = UnsafeRawPointer(samples + i).loadUnaligned(as: SIMD8<Float>.self)
            let magnitude = x.replacing(with: -x, where: x .< 0)
            lanes.replace(with: magnitude, where: magnitude .> lanes)
            i += 8
        }
        var peak = lanes.max()
        while i < count {
            peak = samples[i].magnitude > peak ? samples[i].magnitude : peak
            i += 1
        }
        return peak
    }
}
