import CRealtime
import RealtimeCore

/// The law of stems, kept where a mix and its stems are changed alike: what the stems add up to, in their order, is the mix.
///
/// A gain on a sum is not the sum of the gains on its parts, in the last bit. So the mix is made anew of the changed stems, and of
/// what there was in it beside their sum, changed as they are: nothing, where nothing but a limiter at rest stands behind the mixer.
/// Control side, one thread.
public final class StemSum {
    /// Frames that it has room for at a time.
    public let capacity: Int
    /// Left and right of what stands in the mix beside its stems; in `raise` the sums before and after.
    private let rest: AudioBuffer

    /// Room for `frames` frames at a time.
    public init(frames: Int) {
        capacity = frames
        rest = AudioBuffer(channels: 2, capacity: max(frames, 1))
    }

    /// Changes a stereo mix and its stems alike.
    ///
    /// - Parameters:
    ///   - stems: left and right of each.
    ///   - change: gets channels of each of them and of the rest, and does the same to every one of them.
    public func change(
        _ mix: [UnsafeMutablePointer<Float>], _ stems: [UnsafeMutablePointer<Float>], frames: Int,
        _ change: ([UnsafeMutablePointer<Float>]) -> Void
    ) {
        precondition(mix.count == 2 && stems.count % 2 == 0 && frames <= capacity, "stems are stereo")
        let rest = [self.rest.channels[0], self.rest.channels[1]]
        for side in 0..<2 {
            rt_copy(rest[side], mix[side], frames)
            rt_zero(mix[side], frames)
            for place in stride(from: side, to: stems.count, by: 2) { rt_add(mix[side], stems[place], frames) }
            rt_add_scaled(rest[side], mix[side], -1, frames)
        }
        change(stems + rest)
        for side in 0..<2 {
            rt_zero(mix[side], frames)
            for place in stride(from: side, to: stems.count, by: 2) { rt_add(mix[side], stems[place], frames) }
            rt_add(mix[side], rest[side], frames)
        }
    }

    /// Multiplies a stereo mix and the stems that follow it by a factor, into other memory: as `change` does, in one go.
    public func raise(
        _ samples: [UnsafePointer<Float>], by gain: Float, to raised: [UnsafeMutablePointer<Float>], frames: Int
    ) {
        precondition(samples.count == raised.count && samples.count >= 2 && frames <= capacity, "stems are stereo")
        let before = rest.channels[0], after = rest.channels[1]
        for side in 0..<2 {
            rt_zero(before, frames)
            rt_zero(after, frames)
            for place in stride(from: 2 + side, to: samples.count, by: 2) {
                rt_scale(raised[place], samples[place], gain, frames)
                rt_add(before, samples[place], frames)
                rt_add(after, raised[place], frames)
            }
            // The mix beside its stems, raised, and what they add up to then.
            rt_copy(raised[side], samples[side], frames)
            rt_add_scaled(raised[side], before, -1, frames)
            rt_scale(raised[side], raised[side], gain, frames)
            rt_add(raised[side], after, frames)
        }
    }
}
