import Glibc
import RealtimeCore
import RemoteIO
import SampleRate

/// An open device with all memory that the audio thread needs for it. Made and ended where nothing is rendered; the audio
/// thread works with `lane`.
final class PCMStream {
    /// What the audio thread holds of a stream: plain values and pointers.
    struct Lane: BitwiseCopyable {
        var pcm: PCM
        var status: OpaquePointer
        /// The device's descriptors, and one more for the event that stops the thread.
        var descriptors: UnsafeMutablePointer<pollfd>
        var descriptorCount: Int
        /// Room for a whole buffer, interleaved.
        var interleaved: UnsafeMutableRawPointer
        /// Planar frames at the device's rate, `max(period, slice)` of them.
        var planar: UnsafePointer<UnsafeMutablePointer<Float>>
        var map: UnsafePointer<Int32>
        var channels: Int
        var format: SampleFormat
        var periodFrames: Int
        var bufferFrames: Int
        /// Frames of the renderer per frame of the device.
        var ratio: Double
        /// How long a period and the buffer last, nanoseconds.
        var periodTime: Int64
        var bufferTime: Int64
        var bytesPerFrame: Int { channels * format.bytes }
    }

    /// Frames of the longest period that is played.
    static let longestPeriod = 16384

    let grant: DeviceGrant
    let lane: Lane
    /// The capture side, for a stream that has one.
    let captureLane: Lane?
    let isLinked: Bool
    let converter: RateConverter?
    private let buffers: [AudioBuffer]

    /// Opens `device` and sets it up, ready to be filled and started.
    init(device: String, request: DeviceRequest) throws(DeviceError) {
        let capture = request.capture ? request.captureDevice ?? device : nil
        let opened = try Self.openSides(device, request, capture: capture)
        do throws(DeviceError) {
            let lane = opened[0].0
            let rate = Self.rate(lane, request)
            try request.check(device: device, rate: rate)
            grant = DeviceGrant(
                request: request, device: device, sampleRate: rate, periodFrames: lane.periodFrames,
                bufferFrames: lane.bufferFrames, format: lane.format, channels: lane.channels,
                captureChannels: opened.count > 1 ? opened[1].0.channels : 0)
            converter = try Self.converter(device, request, rate: rate)
        } catch {
            for (lane, _) in opened { Self.release(lane) }
            throw error
        }
        lane = opened[0].0
        // The library's queues grow to their size now, on silence.
        if let converter {
            for _ in 0..<200 {
                _ = converter.output(
                    lane.planar, frames: lane.periodFrames, from: opened[0].1.channels, refill: { request.periodFrames })
            }
        }
        captureLane = opened.count > 1 ? opened[1].0 : nil
        buffers = opened.map(\.1)
        isLinked = opened.count > 1 && PCMCalls.link(opened[0].0.pcm, opened[1].0.pcm)
    }

    /// Opens a device, sets it up and lets go of it again: throws what `init` would. Where the capture side is a device of
    /// its own, whatever plays now may hold it, and it is not asked.
    static func check(device: String, request: DeviceRequest) throws(DeviceError) {
        let capture = request.capture && request.captureDevice == nil ? device : nil
        let opened = try openSides(device, request, capture: capture)
        defer { for (lane, _) in opened { release(lane) } }
        let rate = Self.rate(opened[0].0, request)
        try request.check(device: device, rate: rate)
        try converter(device, request, rate: rate)?.close()
    }

    /// Opens the side that plays and, on the device `capture`, the one that captures.
    private static func openSides(
        _ device: String, _ request: DeviceRequest, capture: String?
    ) throws(DeviceError) -> [(Lane, AudioBuffer)] {
        // A period lasts as long at the device's rate.
        let deviceRate = request.deviceRate ?? request.sampleRate
        let period = max(1, request.periodFrames * deviceRate / max(request.sampleRate, 1))
        let wanted = PCMCalls.Parameters(
            rate: deviceRate, periodFrames: period, bufferFrames: period * request.periods, format: .float32,
            channels: request.channelMap.isEmpty ? request.channels : request.channelMap.count)
        let plays = try open(device, wanted, request, isCapture: false)
        guard let capture else { return [plays] }
        do throws(DeviceError) {
            var input = wanted
            input.channels = request.captureChannels
            let captures = try open(capture, input, request, isCapture: true)
            if captures.0.ratio != plays.0.ratio {
                release(captures.0)
                throw .captureRate(
                    device: capture, rate: rate(captures.0, request), wanted: rate(plays.0, request))
            }
            return [plays, captures]
        } catch {
            release(plays.0)
            throw error
        }
    }

    /// The device's frames per second.
    private static func rate(_ lane: Lane, _ request: DeviceRequest) -> Int {
        Int((Double(request.sampleRate) / lane.ratio).rounded())
    }

    /// What makes the device's rate of the renderer's; nil where they are the same.
    private static func converter(
        _ device: String, _ request: DeviceRequest, rate: Int
    ) throws(DeviceError) -> RateConverter? {
        if rate == request.sampleRate { return nil }
        do { return try RateConverter(from: request.sampleRate, to: rate, channels: request.channels) } catch {
            throw .conversion(device: device, from: request.sampleRate, to: rate, reason: error.reason)
        }
    }

    private static func open(
        _ device: String, _ wanted: PCMCalls.Parameters, _ request: DeviceRequest, isCapture: Bool
    ) throws(DeviceError) -> (Lane, AudioBuffer) {
        let pcm: PCM
        do { pcm = try PCMCalls.open(device, isCapture: isCapture) } catch {
            throw DeviceError(opening: device, error, isCapture: isCapture)
        }
        let granted: PCMCalls.Parameters
        let status: OpaquePointer
        do {
            granted = try PCMCalls.configure(pcm, wanted, isCapture: isCapture)
            status = try PCMCalls.makeStatus()
        } catch {
            PCMCalls.close(pcm)
            throw error.code == EBUSY
                ? DeviceError(opening: device, error, isCapture: isCapture) : .refused(device: device, error)
        }
        let (period, buffer) = (granted.periodFrames, granted.bufferFrames)
        guard (1...Self.longestPeriod).contains(period), buffer >= 2 * period, buffer <= 1 << 24 else {
            PCMCalls.free(status: status)
            PCMCalls.close(pcm)
            throw .buffer(device: device, period: period, buffer: buffer)
        }
        let planar = AudioBuffer(
            channels: max(granted.channels, request.channels),
            capacity: max(granted.periodFrames, request.periodFrames))
        let count = PCMCalls.descriptorCount(pcm)
        let descriptors = UnsafeMutablePointer<pollfd>.allocate(capacity: count + 1)
        descriptors.initialize(repeating: pollfd(fd: -1, events: 0, revents: 0), count: count + 1)
        PCMCalls.descriptors(pcm, descriptors, count)
        let bytes = granted.bufferFrames * granted.channels * granted.format.bytes
        let interleaved = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 64), alignment: 64)
        interleaved.initializeMemory(as: UInt8.self, repeating: 0, count: max(bytes, 64))
        let map = UnsafeMutablePointer<Int32>.allocate(capacity: granted.channels)
        for channel in 0..<granted.channels {
            let source = channel < request.channelMap.count
                ? request.channelMap[channel] : (request.channelMap.isEmpty ? channel : -1)
            (map + channel).initialize(to: source < request.channels ? Int32(source) : -1)
        }
        func nanoseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(max(granted.rate, 1)) }
        let lane = Lane(
            pcm: pcm, status: status, descriptors: descriptors, descriptorCount: count, interleaved: interleaved,
            planar: planar.channels, map: UnsafePointer(map), channels: granted.channels, format: granted.format,
            periodFrames: granted.periodFrames, bufferFrames: granted.bufferFrames,
            ratio: Double(request.sampleRate) / Double(max(granted.rate, 1)),
            periodTime: nanoseconds(granted.periodFrames), bufferTime: nanoseconds(granted.bufferFrames))
        return (lane, planar)
    }

    private static func release(_ lane: Lane) {
        PCMCalls.close(lane.pcm)
        PCMCalls.free(status: lane.status)
        lane.descriptors.deallocate()
        lane.interleaved.deallocate()
        lane.map.deallocate()
    }

    deinit {
        if let captureLane { Self.release(captureLane) }
        Self.release(lane)
        converter?.close()
    }
}
