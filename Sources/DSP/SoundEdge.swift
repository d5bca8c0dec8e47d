import CRealtime

/// The edge behind which nothing is heard any more.
public enum SoundEdge {
    /// Finds the last frame of `frames` at which any of the first `count` channels is at or above `level`; nil without one.
    public static func last(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, in frames: Range<Int>, atLeast level: Float
    ) -> Int? {
        var end = frames.upperBound
        while end > frames.lowerBound {
            let start = max(end - 64, frames.lowerBound)
            if (0..<count).contains(where: { rt_peak(channels[$0] + start, end - start) >= level }) {
                for frame in (start..<end).reversed() {
                    for channel in 0..<count where abs(channels[channel][frame]) >= level { return frame }
                }
            }
            end = start
        }
        return nil
    }
}
