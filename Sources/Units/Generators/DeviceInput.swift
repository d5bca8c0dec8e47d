import RealtimeCore
import Synchronization
import UnitAPI

/// Element 1 of the device: what it captures, in the graph.
///
/// It needs an engine that runs on a device (`Engine.start(on:)` opens the capture side if the graph has an input), and is
/// silent without one. The frames captured while the device played sample time t come out at t plus the input latency, which
/// is the latency of the whole way from microphone to loudspeaker; so input keeps its place for any slices. Missing frames
/// are silent and counted. A mono input plays on both sides. Property `channels` sets how many channels are captured, 2 by
/// default; those that the device does not have are silent.
public struct DeviceInput: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "inpt", manufacturer: .carillon), name: "input",
        summary: "What the audio device captures.", outputs: [.init("main")], widths: 1...8,
        readouts: ["missing-frames"])

    public typealias Parameter = NoParameter

    /// Takes what is captured.
    package let feed: InputFeed
    private let queue: Unmanaged<CaptureQueue>
    private let latency: UnsafeMutablePointer<Atomic<Int>>
    private let channels: UnsafeMutablePointer<Atomic<Int>>
    private let width: Int
    private var owned = OwnedMemory()
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Frames that were not there, since the first that was.
    private var missing = 0
    private var hasHeard = false

    public init(_ setup: UnitSetup) {
        width = setup.channels(of: Self.descriptor)
        targets = owned.room(for: width)
        feed = InputFeed(channels: width, frames: max(Int(setup.sampleRate), 8 * setup.maximumFrames))
        queue = Unmanaged.passUnretained(feed.queue)
        latency = feed.latencyFrames
        channels = feed.channelCount
    }

    /// The feed.
    public var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let latency = latency.pointee.load(ordering: .acquiring)
        if latency == 0 {
            hasHeard = false
            io.markSilent()
        } else {
            for c in 0..<width { (targets + c).initialize(to: io.output(0, c).base) }
            let targets = targets, width = width, frames = io.frames, first = io.sampleTime + -latency
            let isMono = channels.pointee.load(ordering: .relaxed) < 2
            var hasHeard = hasHeard
            missing &+= queue._withUnsafeGuaranteedRef {
                $0.read(targets, width, frames, from: first, isMono: isMono, hasHeard: &hasHeard)
            }
            self.hasHeard = hasHeard
        }
        io.publish(0, Float(Int32(truncatingIfNeeded: missing)))
        // Captured sound does not wake the unit, so it never sleeps.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        missing = 0
        hasHeard = false
    }
}
