import CRealtime
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Synchronization

/// The audio thread of `RemoteIOUnit`: takes the turns of the audio loop, and opens and closes devices between them.
///
/// While a device plays, it is in the loop, which allocates nothing, takes no lock and waits only for the device or for the
/// event that ends it. Devices are opened and closed by threads of their own (`DeviceThread`), without waiting for them.
final class AudioThread: @unchecked Sendable {
    struct Notes {
        var grant: DeviceGrant
        var priority: ThreadPriority?
        var devicePriority: ThreadPriority?
        var error: DeviceError?
        /// Frames from capture to rendering on a device that pulls.
        var inputLatency: Int?
        /// Why such a device captures nothing.
        var captureError: DeviceError?
    }

    let renderer: Renderer
    let request: DeviceRequest
    let notes: Mutex<Notes>
    let view = LoopView()
    let capture: CaptureQueue?
    let input: CaptureQueue?
    /// Owned by `init`, then by the audio thread.
    let loop: UnsafeMutablePointer<AudioLoop>
    var stream: PCMStream?
    /// The thread that opened that one, and those that did or do so for others, by their names.
    var cardThread: DeviceThread<PCMStream>?
    var cards: [String: DeviceThread<PCMStream>] = [:]
    let openCard: CardOpening
    /// The systems whose devices pull, the one that is open, and what happened to it when its gate was last open.
    let systems: [any PullSystem]
    let terms: ServerTerms
    var pulled: PulledStream?
    var afterLending: DeviceEvent?
    /// The thread that makes the calls of that device, and those that do or did so for others, by their names.
    var pulledThread: DeviceThread<PulledStream>?
    var servers: [String: DeviceThread<PulledStream>] = [:]
    private let block: AudioBuffer
    let stopEvent: UnsafeMutablePointer<Int32>
    private let helpers: RenderThreads?

    init(
        renderer: Renderer, request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?,
        systems: [any PullSystem] = [], terms: ServerTerms = ServerTerms(), openCard: CardOpening? = nil
    ) throws(DeviceError) {
        self.openCard = openCard ?? Self.openCard
        self.systems = systems
        self.terms = terms
        helpers = try request.makeThreads(inRealTime: true)
        (self.renderer, self.request, self.capture, self.input) = (renderer, request, capture, input)
        let null = DeviceGrant(
            request: request, device: "null", sampleRate: request.sampleRate, periodFrames: request.periodFrames,
            bufferFrames: request.periodFrames * request.periods, format: .float32, channels: request.channels)
        notes = Mutex(Notes(grant: null))
        block = AudioBuffer(channels: request.channels, capacity: PCMStream.longestPeriod)
        stopEvent = .allocate(capacity: 1)
        stopEvent.initialize(to: rt_event_make())
        loop = .allocate(capacity: 1)
        loop.initialize(
            to: AudioLoop(
                renderer, request, view: view, time: rt_clock_system(stopEvent), block: block,
                devices: request.realDevices.count, tap: capture, input: input, threads: helpers))
        if stopEvent.pointee < 0 { throw .noThread(code: errno) }
        try openFirst()
    }

    deinit {
        endDevices()
        loop.deinitialize(count: 1)
        loop.deallocate()
        if stopEvent.pointee >= 0 { rt_event_close(stopEvent.pointee) }
        stopEvent.deallocate()
    }

    /// Opens the first device that is available, so that `init` throws a refusal at once.
    private func openFirst() throws(DeviceError) {
        let devices = request.realDevices
        var first: DeviceError?
        for (index, name) in devices.enumerated() {
            do {
                try open(name)
                loop.pointee.startOver(at: index, of: devices.count)
                return
            } catch { first = first ?? error }
        }
        let isNullAllowed = request.devices.contains("null") || request.startsWithoutDevice
        if let first {
            if !isNullAllowed { throw first }
            notes.withLock { $0.error = first }
        }
    }

    private func open(_ name: String) throws(DeviceError) {
        if let system = systems.first(where: { $0.claims(name) }) { return try openPulled(name, system) }
        try openFromCard(name)
    }

    /// Any thread.
    func requestStop() { rt_event_signal(stopEvent.pointee) }

    // MARK: - Audio thread

    func run() {
        rt_thread_name("carillon-audio")
        let priority = ThreadPriority.promoteCurrentThread(priority: request.priority)
        notes.withLock { $0.priority = priority }
        begin()
        while step() {}
    }

    func begin() {
        loop.pointee.warmUp()
        loop.pointee.begin()
    }

    /// Returns false at the end.
    func step() -> Bool {
        switch loop.pointee.turn() {
        case .done, .paused: break
        case .open(let index): loop.pointee.answer(reopen(index))
        case .close:
            loop.pointee.release()
            closeCard()
            closePulled()
        case .lend: loop.pointee.answer(lend())
        case .finished: return false
        }
        return true
    }

    private func reopen(_ index: Int) -> DeviceEvent {
        if stream != nil || pulled != nil { return .opened }
        let devices = request.realDevices
        guard index < devices.count else { return .openFailed(ENODEV) }
        if let system = systems.first(where: { $0.claims(devices[index]) }) { return reopenPulled(devices[index], system) }
        return reopenCard(devices[index])
    }
}
