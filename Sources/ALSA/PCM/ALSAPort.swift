import Graph
import RealtimeCore
import RemoteIO
import Synchronization

/// A sound card as a port: a `RemoteIOUnit` that is made when it is opened.
public final class ALSAPort: DevicePort {
    private let unit = Mutex<RemoteIOUnit?>(nil)

    /// A port that is not open yet.
    public init() {}

    /// Opens the first device of the request that can be had.
    public func open(
        _ renderer: Renderer, _ request: DeviceRequest, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        stop()
        let made = try RemoteIOUnit(renderer: renderer, request: request, input: input)
        unit.withLock { $0 = made }
        return made.grant
    }

    /// Starts the audio thread, which waits for nobody: `willPull` is never called.
    public func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) { try unit.withLock { $0 }?.start() }

    /// Ends the audio thread and lets go of the device.
    public func stop() {
        let old = unit.withLock { unit in
            defer { unit = nil }
            return unit
        }
        old?.stop()
    }

    /// What the device that is open granted, or the last one that was.
    public var grant: DeviceGrant? { unit.withLock { $0?.grant } }
    /// How the device is; `idle` where it is not open.
    public var status: DeviceStatus { unit.withLock { $0?.status } ?? DeviceStatus() }
    /// A slice that may just be rendered, and the event margin.
    public var margin: Int { grant.map { $0.sliceFrames + $0.request.eventMargin } ?? 0 }
    public var hasOwnThread: Bool { true }
    /// The buffer, a period for what is captured after the slice was rendered, and one for a capture side that moves in
    /// periods.
    public var inputLatency: Int { grant.map { $0.bufferFrames + 2 * $0.periodFrames } ?? 0 }
    /// Histograms of the audio thread; nil where the device is not open.
    public var report: TimingReport? { unit.withLock { $0?.report } }
    /// Why the device is not open, for as long as it is not.
    public var lastError: DeviceError? { unit.withLock { $0?.lastError } }
}
