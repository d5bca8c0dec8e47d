import CRealtime
import DSP
import RealtimeCore
import SampleRate

/// One side of an open device as the audio loop holds it: plain values and pointers.
package struct DeviceLane: BitwiseCopyable {
    /// The device's functions.
    package let pcm: rt_pcm
    /// Room for a whole buffer, interleaved.
    package let interleaved: UnsafeMutableRawPointer
    /// Planar frames at the device's rate, `max(period, slice)` of them.
    package let planar: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The renderer's channel for each of the device's, -1 for silence.
    package let map: UnsafePointer<Int32>
    /// The fold from the renderer's loudspeakers to the device's; nil if they are the same.
    package let fold: Unmanaged<ChannelFold>?
    package let channels: Int
    package let format: SampleFormat
    package let periodFrames: Int
    package let bufferFrames: Int
    /// Frames of the renderer per frame of the device.
    package let ratio: Double
    /// The time that a period lasts, and that the buffer does, nanoseconds.
    package let periodTime: Int64
    package let bufferTime: Int64
    package var bytesPerFrame: Int { @_noLocks get { channels &* format.bytes } }
}

/// One side of an open device with the memory that the loop needs for it. Made and freed where nothing is rendered.
package final class DeviceSide {
    /// The lane that the loop gets, good for as long as this lives.
    package let lane: DeviceLane
    /// The lane's planar frames.
    package let planar: AudioBuffer
    /// The device's loudspeakers; nil if they have no meaning.
    package let layout: SpeakerLayout?
    private let fold: ChannelFold?
    /// The device's frames per second.
    package let sampleRate: Int

    /// Memory for a device that granted this rate, period, buffer, format and channels.
    ///
    /// - Parameter speakers: the loudspeaker of each channel, as far as the device reports it; empty: in our order.
    package init(
        _ pcm: rt_pcm, _ request: DeviceRequest, sampleRate: Int, periodFrames: Int, bufferFrames: Int,
        format: SampleFormat, channels: Int, speakers: [Speaker?] = []
    ) {
        self.sampleRate = max(sampleRate, 1)
        planar = AudioBuffer(
            channels: max(channels, request.channels), capacity: max(periodFrames, request.periodFrames))
        let bytes = max(bufferFrames * channels * format.bytes, 64)
        let interleaved = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        interleaved.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let map = UnsafeMutablePointer<Int32>.allocate(capacity: channels)
        let placing = ChannelPlacing(request, channels: channels, speakers: speakers)
        for channel in 0..<channels { (map + channel).initialize(to: Int32(placing.sources[channel])) }
        layout = placing.layout
        let room = planar.capacity
        fold = placing.fold.map { ChannelFold(from: $0.source, to: $0.target, frames: room) }
        let rate = Int64(self.sampleRate)
        lane = DeviceLane(
            pcm: pcm, interleaved: interleaved, planar: planar.channels, map: UnsafePointer(map),
            fold: fold.map { .passUnretained($0) }, channels: channels,
            format: format, periodFrames: periodFrames, bufferFrames: bufferFrames,
            ratio: Double(request.sampleRate) / Double(rate),
            periodTime: Int64(periodFrames) * 1_000_000_000 / rate,
            bufferTime: Int64(bufferFrames) * 1_000_000_000 / rate)
    }

    /// Grows the queues of a new converter to their size, on silence, for slices of `frames` frames: from then on it takes no
    /// memory.
    package func warmUp(_ converter: RateConverter, slice frames: Int) {
        for _ in 0..<200 {
            _ = converter.output(lane.planar, frames: lane.periodFrames, from: planar.channels, refill: { frames })
        }
    }

    deinit {
        lane.interleaved.deallocate()
        lane.map.deallocate()
    }
}
