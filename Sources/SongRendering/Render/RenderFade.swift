import DSP

/// A fade at one end of a render: a raised cosine whose outermost frame is zero. If the sound is cut while something sounds,
/// the wave would break off without it, which is heard as a click.
struct RenderFade {
    /// Frames that it takes.
    let frames: Int64
    private let end: Int64
    /// True for a fade in.
    private let rises: Bool

    /// Creates a fade out of 20 ms that ends at frame `end`; shorter if the whole sound is.
    init(end: Int64, sampleRate: Int) { self.init(out: max(end - Int64(sampleRate) / 50, 0)..<end) }

    init(out range: Range<Int64>) { (frames, end, rises) = (range.upperBound - range.lowerBound, range.upperBound, false) }

    init(in frames: Int64) { (self.frames, end, rises) = (frames, frames, true) }

    /// The frames that belong to it of `frames` frames from frame `start` on, counted from there.
    func part(start: Int64, frames: Int) -> Range<Int> {
        let first = max(start, end - self.frames), last = max(min(start + Int64(frames), end), first)
        return Int(first - start)..<Int(last - start)
    }

    /// Fades what belongs to it of `frames` frames from frame `start` on. Each frame by itself, however they are cut.
    func apply(to channels: [UnsafeMutablePointer<Float>], start: Int64, frames: Int) {
        for place in part(start: start, frames: frames) {
            let left = end - 1 - (start + Int64(place)),
                part = Double(rises ? self.frames - 1 - left : left) / Double(self.frames)
            let gain = Float(0.5 - 0.5 * DeterministicMath.cosine(turns: part / 2))
            for channel in channels { channel[place] *= gain }
        }
    }
}
