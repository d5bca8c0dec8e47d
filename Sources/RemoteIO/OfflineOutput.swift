import DSP
import Graphs
import RealtimeCore
import UnitAPI

/// Generic Output: an I/O unit without a device. Its owner pulls the renderer, as fast as possible.
///
/// Control side; one thread at a time.
public final class OfflineOutput {
    /// The callback it pulls.
    package let renderer: Renderer
    /// The sound that the last pull gave: channels x frames.
    public let buffer: AudioBuffer
    /// The block that is rendered into, and the way from there to `buffer`; nil if that is the same.
    private let folding: (block: AudioBuffer, fold: ChannelFold)?
    private let claim: PullClaim
    private let threads: RenderThreads?
    /// Frames of the shortest pull for which helpers are called: with fewer it takes longer to meet than to do it.
    private static let shared = 256

    /// Creates an output of `channels` channels, with room for `maximumFrames` frames a pull, that has the renderer to itself
    /// for as long as it lives. - Throws: `alreadyPulled`. `threads` help; nil means none.
    package init(
        renderer: Renderer, channels: Int = 2, maximumFrames: Int, threads: RenderThreads? = nil
    ) throws(PullError) {
        claim = try PullClaim(renderer)
        self.renderer = renderer
        self.threads = threads
        buffer = AudioBuffer(channels: channels, capacity: maximumFrames)
        folding = nil
    }

    /// Creates an output for the loudspeakers of `target`, of a graph that makes sound for those of `source`: where they are
    /// not the same, the sound is folded (`SpeakerFold`). - Throws: `alreadyPulled`.
    package init(
        renderer: Renderer, from source: SpeakerLayout, to target: SpeakerLayout, maximumFrames: Int,
        threads: RenderThreads? = nil
    ) throws(PullError) {
        claim = try PullClaim(renderer)
        self.renderer = renderer
        self.threads = threads
        buffer = AudioBuffer(channels: target.channels, capacity: maximumFrames)
        folding =
            source == target
            ? nil
            : (
                AudioBuffer(channels: source.channels, capacity: maximumFrames),
                ChannelFold(from: source, to: target, frames: maximumFrames)
            )
    }

    /// Renders the next `frames` frames into `buffer`. Returns whether they sound. (`Engine.pull` throws instead.)
    ///
    /// Precondition: `frames` is one of `0...buffer.capacity`.
    @discardableResult
    public func pull(_ frames: Int) -> RenderStatus {
        precondition(frames >= 0 && frames <= buffer.capacity, "a pull fits the buffer")
        let crew = frames < Self.shared ? nil : threads.map { Unmanaged.passUnretained($0.crew) }
        let block = folding?.block ?? buffer
        let status = renderer.render(
            into: AudioBlock(block.channels, channelCount: block.channelCount, frames: frames), with: crew)
        if let folding { folding.fold.fold(folding.block.channels, to: buffer.channels, frames: frames) }
        renderer.collect()
        return status
    }
}
