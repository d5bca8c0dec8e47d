import Graphs
import RealtimeCore
import RemoteIO

/// A simulated device in whose place another one comes that hears later: its own, and so many frames more.
final class MovedPort: DevicePort, @unchecked Sendable {
    let port = SimulatedPort()
    /// Frames by which the device that is there now hears later; nil for one that captures nothing.
    var more: Int? = 0

    func open(
        _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant { try port.open(renderer, request, capture: capture, input: input) }
    func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError) { try port.start(willPull: willPull) }
    func stop() { port.stop() }
    func pass(milliseconds: Int) { port.pass(milliseconds: milliseconds) }

    var grant: DeviceGrant? {
        var grant = port.grant
        if more == nil { grant?.captureChannels = 0 }
        return grant
    }
    var inputLatency: Int { port.inputLatency + (more ?? 0) }
    var status: DeviceStatus { port.status }
    var margin: Int { port.margin }
    var hasOwnThread: Bool { false }
    var threadPriority: ThreadPriority? { nil }
    var lastError: DeviceError? { nil }
    var report: TimingReport? { nil }
}
