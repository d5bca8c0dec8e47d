import DSP

/// The end of a render that is over while something sounds: a raised cosine whose last frame is zero. Without it the wave
/// would break off, which is heard as a click.
struct CutFade {
    /// Frames that it takes.
    let frames: Int64
    private let end: Int64

    /// A fade of 20 ms that ends at frame `end`; shorter where the whole sound is.
    init(end: Int64, sampleRate: Int) { self.init(max(end - Int64(sampleRate) / 50, 0)..<end) }

    /// A fade over these frames.
    init(_ range: Range<Int64>) { (frames, end) = (range.upperBound - range.lowerBound, range.upperBound) }

    /// The frames that belong to it of `frames` frames from frame `start` on, counted from there.
    func part(start: Int64, frames: Int) -> Range<Int> {
        let first = max(start, end - self.frames), last = max(min(start + Int64(frames), end), first)
        return Int(first - start)..<Int(last - start)
    }

    /// Fades what belongs to it of `frames` frames from frame `start` on. Each frame by itself, however they are cut.
    func apply(to channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, start: Int64, frames: Int) {
        for frame in max(start, end - self.frames)..<max(min(start + Int64(frames), end), end - self.frames, start) {
            let part = Double(end - 1 - frame) / Double(self.frames)
            let gain = Float(0.5 - 0.5 * DeterministicMath.cosine(turns: part / 2))
            for channel in 0..<count { channels[channel][Int(frame - start)] *= gain }
        }
    }
}
