/// One mono recording of the SoundFont: 16-bit frames, rate, root key and loop. A reference: zones that share it store
/// it once.
public final class Sample: Sendable {
    /// Frames of the loop's repetition after its end, for the interpolation of players.
    static let guardFrames = 10
    /// Weighted RMS of the loudest fifth of a second after `init`, full scale = 1: -10 dB.
    static let loudness = 0.316

    /// The name that editors show; at most 20 ASCII characters are stored.
    public let name: String
    public let frames: [Int16]
    /// Frames per second.
    public let rate: Int
    /// The MIDI key at which it plays at `rate`.
    public let key: Int
    public let loop: Range<Int>?

    /// Scales `frames` to the common loudness, or to a peak of 0.98 where that comes first, and rounds them to 16 bits.
    init(_ name: String, _ frames: [Double], rate: Double, key: Int, loop: Range<Int>? = nil) {
        self.name = name
        self.rate = Int(rate)
        self.key = key
        self.loop = loop
        let peak = frames.reduce(0) { max($0, abs($1)) }
        let loud = Sample.weightedLevel(of: frames, rate: rate)
        let gain = peak > 0 ? min(0.98 / peak, Sample.loudness / max(loud, 1e-9)) : 0
        self.frames = frames.map { Int16(($0 * gain * 32767).rounded()) }
    }

    /// One turn of a loop from its first frame, preceded by the few frames that players ask for.
    static func turning(_ name: String, _ turn: [Double], rate: Double, key: Int) -> Sample {
        let lead = guardFrames
        let frames = Array(turn.suffix(lead)) + turn + Array(turn.prefix(guardFrames))
        return Sample(name, frames, rate: rate, key: key, loop: lead..<lead + turn.count)
    }

    /// The loudest 200 ms, weighted like ITU-R BS.1770: high-pass at 60 Hz, shelf of +4 dB above 1.5 kHz.
    private static func weightedLevel(of frames: [Double], rate: Double) -> Double {
        let low = 1 - ExactMath.exponential(-6.283185307179586 * 60 / rate)
        let high = 1 - ExactMath.exponential(-6.283185307179586 * 1500 / rate)
        let window = Int(0.2 * rate)
        var slow = 0.0
        var fast = 0.0
        var sum = 0.0
        var best = 0.0
        var squares = [Double](repeating: 0, count: frames.count)
        for i in 0..<frames.count {
            slow += low * (frames[i] - slow)
            let x = frames[i] - slow
            fast += high * (x - fast)
            let y = x + 0.585 * (x - fast)
            squares[i] = y * y
            sum += squares[i]
            if i >= window { sum -= squares[i - window] }
            best = max(best, sum)
        }
        return (best / Double(min(window, max(1, frames.count)))).squareRoot()
    }

    /// Fades the last hundredth of a second to silence.
    static func fadeOut(_ frames: inout [Double], rate: Double) {
        let count = min(frames.count, Int(0.01 * rate))
        for i in 0..<count { frames[frames.count - 1 - i] *= Double(i) / Double(count) }
    }
}

extension Sample {
    /// A sound given as a function of the time in seconds and a noise source; with `loops` its end must meet its start.
    static func scene(
        _ name: String, seconds: Double, rate: Double, loops: Bool = false,
        _ value: (Double, inout NoiseSource) -> Double
    ) -> Sample {
        var noise = NoiseSource(seed: name.utf8.count * 31)
        var frames = (0..<Int((seconds * rate).rounded())).map { value(Double($0) / rate, &noise) }
        if loops { return turning(name, frames, rate: rate, key: 60) }
        fadeOut(&frames, rate: rate)
        return Sample(name, frames, rate: rate, key: 60)
    }
}
