/// A wave of a DLS file: its frames, and how it is played unless a region overrides it.
///
/// Source: DLS Level 2.2, sections 2.7 and 2.14.
struct DLSWave: Sendable {
    /// The place of its frames; nil means no PCM of 8 or 16 bits, or too short to be played.
    var stored: StoredSample?
    var tuning: DLSTuning?

    /// Reads a `wave` list's format and data. Of several channels the first is played.
    init(_ format: DLSWaveFormat, data: Range<Int>, tuning: DLSTuning?) {
        self.tuning = tuning
        guard format.isPlayable else { return }
        let stride = format.channels * format.bits / 8, frames = data.count / stride
        guard frames >= 8 else { return }
        stored = StoredSample(
            format.bits == 8 ? .pcm8 : .pcm16, data.lowerBound..<data.lowerBound + frames * stride, stride: stride,
            loop: tuning?.loop.map { (min($0.lowerBound, frames), min($0.upperBound, frames)) } ?? (0, frames),
            rate: format.rate)
    }
}

struct DLSWaveFormat: Sendable {
    /// 1 is PCM.
    var tag: Int
    var channels: Int
    /// Frames per second.
    var rate: Int
    var bits: Int

    var isPlayable: Bool { tag == 1 && (1...8).contains(channels) && (bits == 8 || bits == 16) }
}

/// The tuning, level and loop of a wave: a `wsmp` chunk.
struct DLSTuning: Sendable {
    /// The key at which the wave sounds as recorded, 0...127.
    var rootKey = 60
    /// Added to the pitch. Unit: cents.
    var fineTune = 0
    /// The attenuation. Unit: centibels; below 0 louder.
    var attenuation: Float = 0
    /// Frames; nil means it plays to its end.
    var loop: Range<Int>?
    var endsLoopOnRelease = false

    init() {}

    /// Reads at least twenty `bytes`. A gain is in 1/655360 dB, of which a centibel is 65 536, and the opposite of attenuation.
    init(_ bytes: RecordTable) {
        let head = bytes.long(0, 0), size = bytes.recordSize
        rootKey = min(bytes.word(0, 4), 127)
        fineTune = bytes.short(0, 6)
        attenuation = Float(-DLSConnection.scale(bytes.long(0, 8)))
        guard bytes.long(0, 16) > 0, head >= 20, head + 16 <= size else { return }
        let start = bytes.long(0, head + 8), length = bytes.long(0, head + 12)
        loop = start..<start + length
        endsLoopOnRelease = bytes.long(0, head + 4) == 1
    }
}
