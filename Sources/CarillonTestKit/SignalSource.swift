import CRealtime
import Graphs
import RealtimeCore
import UnitAPI

/// A unit that plays samples from memory by sample time, and silence after them: the input of a test. Zeros are marked as
/// silence.
public struct SignalSource: AudioUnit, ~Copyable {
    public static let descriptor = declared(channels: 2)

    /// Returns the descriptor of a source with `channels` channels.
    public static func declared(channels: Int) -> UnitDescriptor {
        UnitDescriptor(
            component: ComponentDescription(type: .generator, subtype: "sgnl", manufacturer: .carillon), name: "signal",
            summary: "Plays the samples a test gave it.", outputs: [.init("main", channels: channels)])
    }

    private var owned = OwnedMemory()
    /// One channel after the other.
    private let samples: UnsafeMutablePointer<Float>
    private let count: Int

    /// Nothing but silence.
    public init(_ setup: UnitSetup) { self.init(channels: [[], []]) }

    /// Plays `left` and `right`, which are equally long, from sample time 0 on.
    public init(left: [Float], right: [Float]) { self.init(channels: [left, right]) }

    /// Plays `channels`, which are equally long, from sample time 0 on; box it with `declared(channels:)`.
    ///
    /// Precondition: all channels are of one length.
    public init(channels: [[Float]]) {
        count = channels.first?.count ?? 0
        precondition(channels.allSatisfy { [count] in $0.count == count })
        samples = owned.room(for: max(count * channels.count, 1))
        samples.initialize(from: channels.flatMap { $0 }, count: count * channels.count)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = Int(io.sampleTime.rawValue)
        if start >= count { return .silent }
        let known = min(io.frames, count &- start)
        var isSilent = true
        for channel in 0..<io.outputChannels() where !rt_is_silent(samples + (channel &* count &+ start), known) {
            isSilent = false
        }
        if isSilent {
            // Not `silent`: there is more to come.
            io.markSilent()
            return .sounding
        }
        for channel in 0..<io.outputChannels() {
            let output = io.output(0, channel).base
            rt_copy(output, samples + (channel &* count &+ start), known)
            rt_zero(output + known, io.frames &- known)
        }
        return .sounding
    }

    @_noLocks public mutating func reset() {}
}

extension OfflineRig {
    /// Adds a source that plays samples, one array a channel.
    @discardableResult
    public func add(channels: [[Float]], name: String = "signal") throws -> NodeID {
        let descriptor = SignalSource.declared(channels: channels.count)
        return try graph.add(
            UnitInstance.boxing(SignalSource(channels: channels), setup(), descriptor: descriptor), name: name)
    }
}
