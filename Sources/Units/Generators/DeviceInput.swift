import CRealtime
import RealtimeCore
import Synchronization
import UnitAPI

/// Element 1 of the device: what it captures, in the graph.
///
/// It needs an engine that runs on a device (`Engine.start(on:)` opens the capture side where the graph has an input), and
/// is silent without one. What was captured while the device played sample time t comes out at t plus the input latency,
/// which is what the whole way from microphone to loudspeaker takes; so it keeps its place whatever the slices are. What is
/// missing is silent and counted. A mono input plays on both sides.
public struct DeviceInput: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "inpt", manufacturer: .carillon), name: "input",
        summary: "What the audio device captures.", outputs: [.init("main")], readouts: ["missing-frames"])

    public typealias Parameter = NoParameter

    /// Takes what is captured.
    public let feed: InputFeed
    private let queue: Unmanaged<CaptureQueue>
    private let latency: UnsafeMutablePointer<Atomic<Int>>
    private let channels: UnsafeMutablePointer<Atomic<Int>>
    /// Frames that were not there, since the first that was.
    private var missing = 0
    private var hasHeard = false

    public init(_ setup: UnitSetup) {
        feed = InputFeed(frames: max(Int(setup.sampleRate), 8 * setup.maximumFrames))
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
            copy(io, from: io.sampleTime + -latency)
        }
        io.publish(0, Float(Int32(truncatingIfNeeded: missing)))
        // What is captured wakes nobody.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        missing = 0
        hasHeard = false
    }

    /// Copies what was captured from `first` on.
    @_noLocks private mutating func copy(_ io: borrowing RenderIO, from first: SampleTime) {
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        let second = channels.pointee.load(ordering: .relaxed) > 1 ? queue._withUnsafeGuaranteedRef { $0.blockFrames } : 0
        var done = 0
        while done < io.frames {
            guard let block = queue._withUnsafeGuaranteedRef({ $0.peek() }) else {
                skip(left + done, right + done, io.frames &- done)
                return
            }
            let used = first + done - block.time
            if used >= block.frames {
                queue._withUnsafeGuaranteedRef { $0.drop() }
            } else if used < 0 {
                let gap = min(-used, io.frames &- done)
                skip(left + done, right + done, gap)
                done &+= gap
            } else {
                let frames = min(block.frames &- used, io.frames &- done)
                rt_copy(left + done, block.samples + used, frames)
                rt_copy(right + done, block.samples + second + used, frames)
                hasHeard = true
                done &+= frames
            }
        }
    }

    @_noLocks private mutating func skip(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        rt_zero(left, frames)
        rt_zero(right, frames)
        if hasHeard { missing &+= frames }
    }
}
