import Graphs
import RealtimeCore

/// A device as an engine needs it: it pulls a renderer, and defines the time of that. ALSA, with the sound servers that pull
/// by themselves (`PullSystem`), is one, simulated time another; both take the turns of one audio loop.
///
/// The order is `open`, `start`, `stop`, and anew. Control side, one thread at a time; `grant` and `status` any thread.
package protocol DevicePort: AnyObject, Sendable {
    /// Opens the device as near to `request` as possible; nothing is pulled yet.
    ///
    /// - Parameters:
    ///   - capture: gets every slice as it was rendered, audible or not; nil means slices are not captured.
    ///   - input: gets what the device captures, with the sample time that it plays meanwhile; nil means input is not read.
    /// - Throws: `DeviceError`; the port is as it was.
    func open(
        _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue?, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant

    /// Begins to pull, as the only one: see `PullClaim`.
    ///
    /// - Parameter willPull: called before every turn of the loop, in which it renders a buffer at most unless it catches up,
    ///   if the port has no thread of its own: the units' companions are served then.
    /// - Throws: `alreadyPulled`, `noThread`.
    func start(willPull: @escaping @Sendable () -> Void) throws(DeviceError)

    /// Ends pulling and releases the device and the claim. A second call does nothing.
    func stop()

    /// The grant of the device; nil before it is open.
    var grant: DeviceGrant? { get }

    /// All that changes from slice to slice.
    var status: DeviceStatus { get }

    /// Frames from the next slice's sample time to the first that an event of the control side can still reach: 0 if
    /// the control side's own thread pulls.
    var margin: Int { get }

    /// Frames of the renderer from capture to the slice in which all captured frames are certain to be there: the buffer and
    /// the frames that the device delivers at once.
    var inputLatency: Int { get }

    /// True if the port pulls in a thread of its own. If it does not, its user makes time pass.
    var hasOwnThread: Bool { get }

    /// Waits for so much time if a thread of the port's own goes on meanwhile; else makes it pass.
    func pass(milliseconds: Int)

    /// The scheduling of the port's thread; nil if it has none, or none yet.
    var threadPriority: ThreadPriority? { get }

    /// The reason why the device is not open, for as long as it is not.
    var lastError: DeviceError? { get }

    /// The reason why nothing is captured though the device plays, or not every channel, for as long as that is so; nil if
    /// all is, and where it may begin by itself.
    var captureError: DeviceError? { get }

    /// Histograms of its timing; nil if it is not measured.
    var report: TimingReport? { get }
}

extension DevicePort {
    /// None: a port that does not override it captures, or was not opened.
    package var captureError: DeviceError? { nil }

    /// Opens it without a queue for the slices.
    package func open(
        _ renderer: Renderer, _ request: DeviceRequest, input: CaptureQueue?
    ) throws(DeviceError) -> DeviceGrant {
        try open(renderer, request, capture: nil, input: input)
    }
}
