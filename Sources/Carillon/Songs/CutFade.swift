import DSP

/// The end of a render that is cut while something sounds: a raised cosine of 20 ms whose last frame, the last before the
/// cut, is zero. Without it the wave would break off, which is heard as a click.
struct CutFade {
    /// Frames that it takes.
    let frames: Int64
    private let end: Int64

    /// A fade that ends at frame `end`; shorter where the whole sound is.
    init(end: Int64, sampleRate: Int) {
        self.end = end
        frames = min(Int64(sampleRate) / 50, end)
    }

    /// Fades what belongs to it of `frames` frames from frame `start` on. Each frame by itself, however they are cut.
    func apply(to channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, start: Int64, frames: Int) {
        for frame in max(start, end - self.frames)..<max(start + Int64(frames), end - self.frames) {
            let part = Double(end - 1 - frame) / Double(self.frames)
            let gain = Float(0.5 - 0.5 * DeterministicMath.cosine(turns: part / 2))
            for channel in 0..<count { channels[channel][Int(frame - start)] *= gain }
        }
    }
}
