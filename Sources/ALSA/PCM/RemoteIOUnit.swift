import Graphs
import RealtimeCore
import RemoteIO
import Synchronization

/// Remote I/O: element 0 plays what the renderer makes on an audio device, element 1 captures on the same clock. With element 0
/// disabled (`DeviceRequest.playback`) the device that captures keeps the time, and what is rendered is not heard.
///
/// It owns the audio thread, which waits for the device, renders a slice, converts and writes; if the device vanishes, the
/// thread goes on by the system's clock and opens it again (`DeviceState`). Everything else may be called from any thread, and
/// never makes the audio thread wait.
public final class RemoteIOUnit: Sendable {
    /// The renderer that is pulled.
    package let renderer: Renderer
    /// The request, with the devices that are opened.
    package let request: DeviceRequest
    private let thread: AudioThread
    private let watch: DeviceWatch?
    private let running = Mutex<[PlainThread]>([])
    private let claim = Mutex<PullClaim?>(nil)

    /// Opens the first device of the list that is available; `null` always is.
    ///
    /// - Parameters:
    ///   - capture: gets every slice as it was rendered, from the first on, heard or not: for a file.
    ///   - input: gets what element 1 captures, if the request asks for it.
    ///   - systems: sound servers whose devices may be in the list beside ALSA's.
    package init(
        renderer: Renderer, request: DeviceRequest, capture: CaptureQueue? = nil, input: CaptureQueue? = nil,
        systems: [any PullSystem]
    ) throws(DeviceError) {
        let request = try request.resolved()
        do { try request.check() } catch { throw .request(reason: "\(error)") }
        guard (1...64).contains(request.channels), (1...64).contains(request.captureChannels) else {
            throw .request(reason: "\(request.channels) channels: choose 1 to 64")
        }
        self.renderer = renderer
        self.request = request
        PCMCalls.silence()
        thread = try AudioThread(renderer: renderer, request: request, capture: capture, input: input, systems: systems)
        watch = request.realDevices.count > 1 ? try DeviceWatch(thread) : nil
    }

    /// Makes a unit with ALSA's devices alone.
    package convenience init(
        renderer: Renderer, request: DeviceRequest, capture: CaptureQueue? = nil, input: CaptureQueue? = nil
    ) throws(DeviceError) {
        try self.init(renderer: renderer, request: request, capture: capture, input: input, systems: [])
    }

    deinit { stop() }

    /// Starts the audio thread, the only one that pulls the renderer. Control side, once. - Throws: `alreadyPulled`,
    /// `noThread`.
    public func start() throws(DeviceError) {
        let error = running.withLock { running -> DeviceError? in
            if !running.isEmpty { return nil }
            do {
                let claim = try PullClaim(renderer)
                self.claim.withLock { $0 = claim }
            } catch { return .alreadyPulled }
            do throws(DeviceError) {
                running.append(try PlainThread { [thread] in thread.run() })
                if let watch { running.append(try PlainThread { watch.run() }) }
                return nil
            } catch { return error }
        }
        if let error {
            stop()
            throw error
        }
    }

    /// Ends the audio thread within a period and releases the device. It waits at most a second for a sound server that does
    /// not answer. Control side; a second call does nothing.
    public func stop() {
        running.withLock { running in
            if !running.isEmpty {
                thread.requestStop()
                watch?.requestStop()
                for thread in running { thread.join() }
                running = []
            }
            thread.endDevices()
            claim.withLock { $0 = nil }
        }
    }

    /// The grant of the device, or of the last one while none is open.
    public var grant: DeviceGrant { thread.notes.withLock { $0.grant } }
    /// All that changes from slice to slice.
    public var status: DeviceStatus { thread.view.status.value }
    /// The phase that the device is in.
    package var state: DeviceState.Phase { status.phase }
    /// Xruns by cause, losses, returns.
    public var counters: DeviceCounts { status.counts }
    /// The device's clock; nil before the first slice.
    package var deviceTime: DeviceTime? { status.time }
    /// Histograms.
    package var report: TimingReport { thread.view.report }
    /// The priority that the system granted the audio thread; nil before it runs.
    package var threadPriority: ThreadPriority? { thread.notes.withLock { $0.devicePriority ?? $0.priority } }
    /// Frames; see `DevicePort.inputLatency`.
    var inputLatency: Int {
        // A device that pulls hands its cycle over together with what it captured meanwhile.
        let own = thread.notes.withLock { $0.inputLatency }
        if let own { return own }
        // A clock of its own is somewhere within a period, and a sinc looks ahead.
        let apart = grant.request.followsCapture ? grant.periodFrames + CaptureFollower.latency : 0
        return grant.bufferFrames + 2 * grant.periodFrames + apart
    }
    /// The reason why the device is not open, for as long as it is not.
    public var lastError: DeviceError? { thread.notes.withLock { $0.error } }
    /// The reason why nothing is captured though the device plays, or not every channel, for as long as that is so; nil if
    /// all is, and where it may begin by itself.
    public var captureError: DeviceError? { thread.notes.withLock { $0.captureError } }
}
