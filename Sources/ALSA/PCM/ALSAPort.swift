import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Synchronization

/// A sound card as a port: a `RemoteIOUnit` that is made when it is opened.
public final class ALSAPort: DevicePort {
    /// The last state of a device that was released, for later questions about it.
    private struct Past {
        var grant: DeviceGrant
        var status: DeviceStatus
        var report: TimingReport
        var priority: ThreadPriority?
        var inputLatency: Int
    }

    private let unit = Mutex<RemoteIOUnit?>(nil)
    private let past = Mutex<Past?>(nil)

    private let systems: [any PullSystem]

    /// Creates a port that is not open yet.
    public convenience init() { self.init(systems: []) }

    /// Creates a port that is not open yet, with devices of these systems beside ALSA's.
    package init(systems: [any PullSystem]) { self.systems = systems }

    /// Opens the first device of the request that is available.
    package func open(
        _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        stop()
        let made = try RemoteIOUnit(renderer: renderer, request: request, capture: capture, input: input, systems: systems)
        unit.withLock { $0 = made }
        return made.grant
    }

    /// Starts the audio thread, which needs no pull from outside: `willPull` is never called.
    public func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) { try unit.withLock { $0 }?.start() }

    /// Ends the audio thread and releases the device.
    public func stop() {
        let old = unit.withLock { unit in
            defer { unit = nil }
            return unit
        }
        guard let old else { return }
        old.stop()
        past.withLock {
            $0 = Past(
                grant: old.grant, status: old.status, report: old.report, priority: old.threadPriority,
                inputLatency: old.inputLatency)
        }
    }

    /// The grant of the device that is open, or of the last one that was.
    public var grant: DeviceGrant? { unit.withLock { $0?.grant } ?? past.withLock { $0?.grant } }
    /// The status of the device, or its last one; `idle` if it was never open.
    public var status: DeviceStatus {
        unit.withLock { $0?.status } ?? past.withLock { $0?.status } ?? DeviceStatus()
    }
    /// A slice that may just be rendered, and the event margin.
    public var margin: Int { grant.map { $0.sliceFrames + $0.request.eventMargin } ?? 0 }
    public var hasOwnThread: Bool { true }
    /// The buffer, a period for what is captured after the slice was rendered, and one for a capture side that moves in
    /// periods; of a device that pulls, its two cycles.
    public var inputLatency: Int { unit.withLock { $0?.inputLatency } ?? past.withLock { $0?.inputLatency } ?? 0 }
    /// Waits.
    public func pass(milliseconds: Int) { usleep(UInt32(max(milliseconds, 0)) * 1000) }
    /// The priority that the system granted the audio thread.
    package var threadPriority: ThreadPriority? {
        unit.withLock { $0?.threadPriority } ?? past.withLock { $0?.priority }
    }
    /// Histograms of the audio thread, or of the last one; nil if there was none.
    package var report: TimingReport? { unit.withLock { $0?.report } ?? past.withLock { $0?.report } }
    /// The reason why the device is not open, for as long as it is not.
    public var lastError: DeviceError? { unit.withLock { $0?.lastError } }
    /// The reason why nothing is captured though the device plays.
    public var captureError: DeviceError? { unit.withLock { $0?.captureError } }
}
