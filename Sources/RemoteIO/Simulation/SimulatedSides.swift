import CRealtime
import DSP
import Graphs
import SampleRate

/// The sides of a simulated device that was opened, as the audio loop drives them. Control side.
struct SimulatedSides {
    let playback: DeviceSide, capture: DeviceSide?
    /// For a capture side with a clock of its own.
    let follower: CaptureFollower?
    private(set) var converter: RateConverter?
    private let sole: SoleCapture?

    init(
        _ device: UnsafeMutablePointer<SimulatedDevice>, _ grant: DeviceGrant, _ hardware: SimulatedHardware,
        converter: RateConverter?
    ) {
        let request = grant.request
        func side(_ table: rt_pcm, channels: Int, speakers: [Speaker?] = []) -> DeviceSide {
            DeviceSide(
                table, request, sampleRate: grant.sampleRate, periodFrames: grant.periodFrames,
                bufferFrames: grant.bufferFrames, format: .float32, channels: channels, speakers: speakers)
        }
        let sole =
            request.playback ? nil : SoleCapture(SimulatedDevice.captureAlone(device), bufferFrames: grant.bufferFrames)
        playback = side(
            sole?.playback ?? SimulatedDevice.playback(device), channels: grant.channels, speakers: hardware.speakers)
        if let converter { playback.warmUp(converter, slice: request.periodFrames) }
        capture =
            grant.captureChannels > 0
            ? side(sole?.capture ?? SimulatedDevice.capture(device), channels: grant.captureChannels) : nil
        follower =
            hardware.captureDrift == nil || capture == nil || sole != nil
            ? nil : CaptureFollower(channels: grant.captureChannels, sampleRate: request.sampleRate)
        (self.sole, self.converter) = (sole, converter)
    }

    /// The converter to the rate of a device; nil where that is the renderer's.
    static func converter(for request: DeviceRequest, rate: Int) throws(DeviceError) -> RateConverter? {
        if rate == request.sampleRate { return nil }
        do { return try RateConverter(from: request.sampleRate, to: rate, channels: request.channels) } catch {
            throw .conversion(device: "simulated", from: request.sampleRate, to: rate, reason: error.reason)
        }
    }

    mutating func close() {
        converter?.close()
        converter = nil
    }
}
