import Graphs
import RealtimeCore
import RemoteIO

/// A device in simulated time whose slices are as long as its user says, one after another.
final class SlicePort: DevicePort, @unchecked Sendable {
    private(set) var grant: DeviceGrant?
    let status = DeviceStatus()
    let margin = 0, inputLatency = 0
    let hasOwnThread: Bool
    let threadPriority: ThreadPriority? = nil
    let lastError: DeviceError? = nil
    let report: TimingReport? = nil
    private var renderer: Renderer?
    private var output: OfflineOutput?
    private let longestSlice: Int

    /// - Parameter isLive: whether it passes for a device that plays in its own time, and waits for nobody.
    init(longestSlice: Int, isLive: Bool = false) {
        self.longestSlice = longestSlice
        hasOwnThread = isLive
    }

    func open(
        _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        self.renderer = renderer
        let grant = DeviceGrant(
            request: request, device: "slices", sampleRate: request.sampleRate, periodFrames: longestSlice,
            bufferFrames: 2 * longestSlice, format: .float32, channels: 2)
        self.grant = grant
        return grant
    }

    func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) {
        guard let renderer else { return }
        do { output = try OfflineOutput(renderer: renderer, channels: 2, maximumFrames: longestSlice) } catch {
            throw .alreadyPulled
        }
    }

    func stop() { output = nil }

    func pass(milliseconds: Int) {
        var left = milliseconds * (grant?.sampleRate ?? 0) / 1000
        while left > 0 {
            _ = pull(min(left, longestSlice))
            left -= longestSlice
        }
    }

    /// Plays so many frames in slices of at most 256; returns the first channel.
    func play(_ frames: Int) -> [Float] {
        var sound: [Float] = []
        while let output, sound.count < frames {
            let count = min(256, frames - sound.count)
            output.pull(count)
            sound += output.buffer[channel: 0][..<count]
        }
        return sound
    }

    /// Plays a slice. Returns its highest sample.
    func pull(_ frames: Int) -> Float {
        guard let output else { return 0 }
        output.pull(frames)
        var peak: Float = 0
        for channel in 0..<2 {
            for i in 0..<frames { peak = max(peak, abs(output.buffer.channels[channel][i])) }
        }
        return peak
    }
}
