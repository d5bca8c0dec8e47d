import CRealtime
import RealtimeCore
import UnitAPI

/// The sound that a `BusRecorder` has heard. The recorder borrows it, so it lives at least as long as the graph.
final class BusRecording {
    let start: Int
    let frames: Int
    private var owned = OwnedMemory()
    /// One channel after the other, bus after bus.
    fileprivate let samples: UnsafeMutablePointer<Float>
    private let channelCount: Int

    init(_ buses: [UnitDescriptor.Bus], start: Int, frames: Int) {
        self.start = start
        self.frames = frames
        channelCount = buses.reduce(0) { $0 + $1.channels }
        samples = owned.make(max(channelCount * frames, 1), of: 0)
    }

    /// Channels x frames.
    var channels: [[Float]] {
        (0..<channelCount).map { Array(UnsafeBufferPointer(start: samples + $0 * frames, count: frames)) }
    }
}

/// A unit without outputs that records all its input, for any number of buses and channels.
struct BusRecorder: AudioUnit, ~Copyable {
    static let descriptor = declared(inputs: [])

    static func declared(inputs: [UnitDescriptor.Bus]) -> UnitDescriptor {
        UnitDescriptor(
            component: ComponentDescription(type: .effect, subtype: "brec", manufacturer: .carillon),
            name: "bus-recorder", summary: "Writes down what a test wants to see.", inputs: inputs, outputs: [])
    }

    private let samples: UnsafeMutablePointer<Float>
    private let start: Int, frames: Int

    init(_ setup: UnitSetup) { preconditionFailure("a recorder is boxed with its recording") }

    init(_ recording: BusRecording) {
        samples = recording.samples
        start = recording.start
        frames = recording.frames
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let at = Int(io.sampleTime.rawValue) &- start
        let skipped = max(0 &- at, 0), count = min(io.frames, frames &- at) &- skipped
        var row = samples
        for bus in 0..<io.inputCount {
            for channel in 0..<io.inputChannels(bus) {
                if count > 0 { rt_copy(row + (at &+ skipped), io.input(bus, channel).base + skipped, count) }
                row += frames
            }
        }
        return .silent
    }

    @_noLocks mutating func reset() {}
}
