import CRealtime
import DSP
import RealtimeCore

/// The way from the loudspeakers that sound is made for to those of a device, with room for what the device plays. Made and
/// freed where nothing is rendered.
package final class ChannelFold {
    /// The loudspeakers that the sound is made for, and those that play it.
    package let source: SpeakerLayout, target: SpeakerLayout
    private let planes: AudioBuffer
    private let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    private let fold: SpeakerFold

    /// Creates a fold for up to `frames` frames at a time.
    package init(from source: SpeakerLayout, to target: SpeakerLayout, frames: Int) {
        (self.source, self.target) = (source, target)
        fold = SpeakerFold(from: source, to: target)
        planes = AudioBuffer(channels: target.channels, capacity: frames)
        channels = planes.channels
    }

    // [render]

    /// Folds `frames` frames, and shows them.
    @_noLocks func fold(
        _ source: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        fold.fold(source, to: channels, frames: frames)
        return channels
    }

    @_noLocks func fold(
        _ source: UnsafePointer<UnsafeMutablePointer<Float>>, to target: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        fold.fold(source, to: target, frames: frames)
    }
}
