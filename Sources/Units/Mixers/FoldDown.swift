import RealtimeCore
import UnitAPI

/// A fold-down: one channel made of two, for targets that have one channel only, such as the side-chain of many plug-ins.
///
/// It is half the sum of both sides, which is what a radio with one loudspeaker plays and what `mono` of the widener gives: a
/// sound in the middle keeps its level, one on one side only becomes 6 dB softer, the difference of the sides is gone, and
/// nothing clips that did not before. The way back needs no unit: one channel is heard on all channels of a wider bus.
/// Source: A. Blumlein, British patent 394 325, 1931 (the sum of two sides).
public struct FoldDown: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "fold", manufacturer: .carillon), name: "fold-down",
        summary: "Makes one channel of two, half their sum.", inputs: [.init("main")],
        outputs: [.init("main", channels: 1)])

    public typealias Parameter = NoParameter

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        let left = io.input(0, 0).base, right = io.input(0, 1).base, out = io.output(0, 0).base
        for frame in 0..<io.frames { out[frame] = (left[frame] + right[frame]) * 0.5 }
        return .sounding
    }

    @_noLocks public mutating func reset() {}
}
