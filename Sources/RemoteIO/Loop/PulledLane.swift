import CRealtime
import RealtimeCore
import SampleRate

/// An open device that pulls in a thread of its own, as the audio loop holds it: plain values and pointers.
package struct PulledLane: BitwiseCopyable {
    /// Planar frames: at the device's rate if the renderer's is another, and captured ones.
    let planar: UnsafePointer<UnsafeMutablePointer<Float>>, captured: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The channel, of what is folded or else of the renderer, for each of the device's; -1 for silence.
    let map: UnsafePointer<Int32>
    /// nil if the device has the loudspeakers that the sound is made for.
    let fold: Unmanaged<ChannelFold>?
    let channels: Int, captureChannels: Int
    let limit: Int
    /// Frames of the renderer per frame of the device.
    let ratio: Double
    let sampleRate: Int
    /// Frames of a cycle, as they are at the moment.
    var periodFrames: Int
    /// Frames from the first captured one of a cycle to the first that the same cycle renders: two cycles.
    var captureDelay: Int
    /// The device's count of frames at the next cycle, once there was one.
    var position: Int64 = 0, hasPosition = false
    var isFreewheeling = false
    /// True if the last cycle brought what was captured.
    var hears = false

    /// A server that converts the rate asks for one frame more or less now and then, which does not count.
    @_noLocks static func isOther(_ frames: Int, than period: Int) -> Bool {
        let difference = frames > period ? frames &- period : period &- frames
        return difference > 1 &+ period / 64
    }

    /// Nanoseconds.
    var periodTime: Int64 {
        @_noLocks get { Int64(periodFrames) &* 1_000_000_000 / Int64(sampleRate) }
    }
}

/// An open device that pulls, with the memory that the loop needs for it. Made and freed where nothing is rendered.
package final class PulledSide {
    /// Frames of the longest piece that a cycle is rendered in.
    package static let longestPiece = 8192

    /// The lane that the loop gets, good for as long as this lives.
    package let lane: PulledLane
    private let planar: AudioBuffer, captured: AudioBuffer
    private let fold: ChannelFold?

    /// Memory for a device that granted this.
    package init(_ grant: DeviceGrant) {
        let request = grant.request
        planar = AudioBuffer(channels: max(grant.channels, request.channels), capacity: Self.longestPiece)
        captured = AudioBuffer(channels: max(grant.captureChannels, 1), capacity: Self.longestPiece)
        let map = UnsafeMutablePointer<Int32>.allocate(capacity: max(grant.channels, 1))
        let placing = ChannelPlacing(request, channels: grant.channels)
        for channel in 0..<grant.channels { (map + channel).initialize(to: Int32(placing.sources[channel])) }
        fold = placing.fold.map { ChannelFold(from: $0.source, to: $0.target, frames: Self.longestPiece) }
        lane = PulledLane(
            planar: planar.channels, captured: captured.channels, map: UnsafePointer(map),
            fold: fold.map { .passUnretained($0) }, channels: grant.channels,
            captureChannels: grant.captureChannels, limit: Self.longestPiece,
            ratio: Double(request.sampleRate) / Double(max(grant.sampleRate, 1)), sampleRate: max(grant.sampleRate, 1),
            periodFrames: max(grant.periodFrames, 1), captureDelay: grant.bufferFrames)
    }

    /// Grows the queues of a new converter to their size: see `DeviceSide.warmUp`.
    package func warmUp(_ converter: RateConverter, slice frames: Int) {
        for _ in 0..<200 {
            _ = converter.output(
                lane.planar, frames: min(lane.periodFrames, lane.limit), from: planar.channels, refill: { frames })
        }
    }

    deinit { lane.map.deallocate() }
}
