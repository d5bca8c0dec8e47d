import Graph
import RealtimeCore
import UnitAPI

/// Generic Output: an I/O unit without a device. Whoever holds it pulls the renderer, as fast as it can.
///
/// Control side; one thread at a time.
public final class OfflineOutput {
    /// The callback it pulls.
    public let renderer: Renderer
    /// What the last pull gave: channels x frames.
    public let buffer: AudioBuffer
    private let claim: PullClaim
    private let threads: RenderThreads?
    /// Frames of the shortest pull for which helpers are called: with fewer it takes longer to meet than to do it.
    private static let shared = 256

    /// An output of `channels` channels, with room for `maximumFrames` frames a pull, that has the renderer to itself for
    /// as long as it lives. - Throws: `alreadyPulled`.
    ///
    /// - Parameter threads: those that help; nil: nobody.
    public init(
        renderer: Renderer, channels: Int = 2, maximumFrames: Int, threads: RenderThreads? = nil
    ) throws(PullError) {
        claim = try PullClaim(renderer)
        self.renderer = renderer
        self.threads = threads
        buffer = AudioBuffer(channels: channels, capacity: maximumFrames)
    }

    /// Renders the next `frames` frames, at most the buffer's capacity, into `buffer`. Returns whether they sound.
    @discardableResult
    public func pull(_ frames: Int) -> RenderStatus {
        precondition(frames >= 0 && frames <= buffer.capacity, "a pull fits the buffer")
        let threads = frames < Self.shared ? nil : threads
        threads?.call.begin()
        let status = renderer.render(
            into: AudioBlock(buffer.channels, channelCount: buffer.channelCount, frames: frames), with: threads?.call.crew)
        threads?.call.end()
        renderer.collect()
        return status
    }
}
