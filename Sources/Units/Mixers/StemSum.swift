import CRealtime
import RealtimeCore

/// The rule that stems add up to the mix, in their order, kept where mix and stems are changed alike.
///
/// A gain on a sum is not the sum of the gains on its parts, in the last bit. So the mix is made anew of the changed stems,
/// and of its part beside their sum, changed alike: that part is nothing if only a limiter at rest follows the mixer.
/// Control side, one thread.
package final class StemSum {
    /// Channels of the mix and of each stem.
    package let channels: Int
    /// Frames that it has room for at a time.
    package let capacity: Int
    /// The rest of the mix beside its stems; in `raise` the sums before and after.
    private let rest: AudioBuffer

    /// Room for `frames` frames at a time of a mix of `channels` channels, which each stem has too.
    ///
    /// Precondition: `channels` is at least 1.
    package init(channels: Int, frames: Int) {
        precondition(channels > 0, "a mix has channels")
        (self.channels, capacity) = (channels, frames)
        rest = AudioBuffer(channels: max(channels, 2), capacity: max(frames, 1))
    }

    /// Changes a mix and its stems alike.
    ///
    /// Precondition: stems have the channels of their mix, and `frames` find room.
    ///
    /// - Parameters:
    ///   - mix: one pointer per channel.
    ///   - stems: the channels of each, stem after stem.
    ///   - change: gets channels of each of them and of the rest, and does the same to every one of them.
    package func change(
        _ mix: [UnsafeMutablePointer<Float>], _ stems: [UnsafeMutablePointer<Float>], frames: Int,
        _ change: ([UnsafeMutablePointer<Float>]) -> Void
    ) {
        precondition(
            mix.count == channels && stems.count % channels == 0 && frames <= capacity, "stems have the channels of their mix")
        let rest = (0..<channels).map { self.rest.channels[$0] }
        for channel in 0..<channels {
            rt_copy(rest[channel], mix[channel], frames)
            rt_zero(mix[channel], frames)
            for place in stride(from: channel, to: stems.count, by: channels) { rt_add(mix[channel], stems[place], frames) }
            rt_add_scaled(rest[channel], mix[channel], -1, frames)
        }
        change(stems + rest)
        for channel in 0..<channels {
            rt_zero(mix[channel], frames)
            for place in stride(from: channel, to: stems.count, by: channels) { rt_add(mix[channel], stems[place], frames) }
            rt_add(mix[channel], rest[channel], frames)
        }
    }

    /// Multiplies a mix and the stems that follow it by a factor, into other memory: as `change` does, in one go.
    ///
    /// Precondition: stems have the channels of their mix, which come first, and `frames` find room.
    package func raise(
        _ samples: [UnsafePointer<Float>], by gain: Float, to raised: [UnsafeMutablePointer<Float>], frames: Int
    ) {
        precondition(
            samples.count == raised.count && samples.count >= channels && samples.count % channels == 0 && frames <= capacity,
            "stems have the channels of their mix")
        let before = rest.channels[0], after = rest.channels[1]
        for channel in 0..<channels {
            rt_zero(before, frames)
            rt_zero(after, frames)
            for place in stride(from: channels + channel, to: samples.count, by: channels) {
                rt_scale(raised[place], samples[place], gain, frames)
                rt_add(before, samples[place], frames)
                rt_add(after, raised[place], frames)
            }
            // The mix beside its stems, raised, and what they add up to then.
            rt_copy(raised[channel], samples[channel], frames)
            rt_add_scaled(raised[channel], before, -1, frames)
            rt_scale(raised[channel], raised[channel], gain, frames)
            rt_add(raised[channel], after, frames)
        }
    }
}
