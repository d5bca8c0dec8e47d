import CRealtime
import Glibc
import RemoteIO
import SampleRate

/// An open device of ALSA's with all memory that the audio loop needs for it. Its thread (`DeviceThread`) makes it and closes it.
final class PCMStream: OpenDevice, @unchecked Sendable {
    typealias Side = (device: PCMDevice, memory: DeviceSide)

    /// Frames.
    static let longestPeriod = 16384

    let grant: DeviceGrant
    let playback: DeviceSide
    let capture: DeviceSide?
    let isLinked: Bool
    /// Keeps a capture side with a clock of its own in step.
    let follower: CaptureFollower?
    let converter: RateConverter?
    private var devices: [PCMDevice]
    /// The device that captures alone, if nothing is played.
    private let sole: SoleCapture?

    /// Ready to be filled and started; a wait for the device ends when `stopEvent` is signalled.
    init(device: String, request: DeviceRequest, stopEvent: Int32) throws(DeviceError) {
        let input = request.capture ? request.captureDevice ?? device : nil
        let sides = try Self.openSides(device, request, capture: input, stopEvent: stopEvent)
        sole = request.playback ? nil : SoleCapture(sides[0].memory.lane.pcm, bufferFrames: sides[0].memory.lane.bufferFrames)
        let (playback, capture) = Self.memory(of: sides, sole, request), lane = playback.lane
        try request.check(device: device, rate: playback.sampleRate)
        grant = DeviceGrant(
            request: request, device: device, sampleRate: playback.sampleRate, periodFrames: lane.periodFrames,
            bufferFrames: lane.bufferFrames, format: lane.format, channels: lane.channels,
            layout: playback.layout, captureChannels: capture?.lane.channels ?? 0)
        converter = try Self.converter(device, request, rate: playback.sampleRate)
        if let converter { playback.warmUp(converter, slice: request.periodFrames) }
        self.playback = playback
        self.capture = capture
        let isApart = sides.count > 1 && request.followsCapture && input != device
        follower =
            isApart
            ? CaptureFollower(channels: sides[1].memory.lane.channels, sampleRate: request.sampleRate) : nil
        isLinked = sole != nil || sides.count > 1 && !isApart && sides[0].device.link(sides[1].device)
        devices = sides.map(\.device)
    }

    /// A side that captures alone counts as both.
    private static func memory(
        of sides: [Side], _ sole: SoleCapture?, _ request: DeviceRequest
    ) -> (playback: DeviceSide, capture: DeviceSide?) {
        let first = sides[0].memory, lane = first.lane
        guard let sole else { return (first, sides.count > 1 ? sides[1].memory : nil) }
        func side(_ table: rt_pcm, channels: Int) -> DeviceSide {
            DeviceSide(
                table, request, sampleRate: first.sampleRate, periodFrames: lane.periodFrames,
                bufferFrames: lane.bufferFrames, format: lane.format, channels: channels)
        }
        return (side(sole.playback, channels: 0), side(sole.capture, channels: lane.channels))
    }

    /// Throws what `init` would. A capture side that is a device of its own is not tried: the session that plays may hold it.
    static func check(device: String, request: DeviceRequest) throws(DeviceError) {
        let capture = request.capture && request.captureDevice == nil ? device : nil
        let playback = try openSides(device, request, capture: capture, stopEvent: -1)[0].memory
        try request.check(device: device, rate: playback.sampleRate)
        try converter(device, request, rate: playback.sampleRate)?.close()
    }

    private static func openSides(
        _ device: String, _ request: DeviceRequest, capture: String?, stopEvent: Int32
    ) throws(DeviceError) -> [Side] {
        // A period lasts as long at the device's rate.
        let deviceRate = request.deviceRate ?? request.sampleRate
        let period = max(1, request.periodFrames * deviceRate / max(request.sampleRate, 1))
        let wanted = PCMCalls.Parameters(
            rate: deviceRate, periodFrames: period, bufferFrames: period * request.periods, format: .float32,
            channels: request.deviceChannels)
        var input = wanted
        input.channels = request.captureChannels
        if !request.playback { return [try open(capture ?? device, input, request, isCapture: true, stopEvent)] }
        let plays = try open(device, wanted, request, isCapture: false, stopEvent)
        guard let capture else { return [plays] }
        let captures = try open(capture, input, request, isCapture: true, stopEvent)
        if captures.memory.sampleRate != plays.memory.sampleRate {
            throw .captureRate(
                device: capture, rate: captures.memory.sampleRate, wanted: plays.memory.sampleRate)
        }
        return [plays, captures]
    }

    /// Returns nil if the rates are the same.
    static func converter(
        _ device: String, _ request: DeviceRequest, rate: Int
    ) throws(DeviceError) -> RateConverter? {
        if rate == request.sampleRate { return nil }
        do { return try RateConverter(from: request.sampleRate, to: rate, channels: request.channels) } catch {
            throw .conversion(device: device, from: request.sampleRate, to: rate, reason: error.reason)
        }
    }

    private static func open(
        _ device: String, _ wanted: PCMCalls.Parameters, _ request: DeviceRequest, isCapture: Bool, _ stopEvent: Int32
    ) throws(DeviceError) -> Side {
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
        let made = PCMDevice(pcm, status: status, isCapture: isCapture, stopEvent: stopEvent)
        return (
            made,
            DeviceSide(
                made.table, request, sampleRate: granted.rate, periodFrames: period, bufferFrames: buffer,
                format: granted.format, channels: granted.channels, speakers: granted.speakers)
        )
    }

    var report: DeviceReport { DeviceReport() }

    /// The audio loop must have stopped using it.
    func close() {
        devices = []
        converter?.close()
    }
}
