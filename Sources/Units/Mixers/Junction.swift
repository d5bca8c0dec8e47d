import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// A place where sounds meet that need not be in step with each other: patches of a set list, each with a latency of its own.
///
/// What is connected to it is added up and comes out bit for bit. It is no mixer: parallel ways of one sound that meet in a
/// mixer are delayed until they arrive together, and a way that came or went there would move the others in time. Here
/// nothing waits for anything.
public struct Junction: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "junc", manufacturer: .carillon), name: "junction",
        summary: "Adds up what is connected to it, each as late as it comes.", inputs: [.init("main")],
        outputs: [.init("main")], alignsInputs: false)

    public typealias Parameter = NoParameter

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        for channel in 0..<2 { rt_copy(io.output(0, channel).base, io.input(0, channel).base, io.frames) }
        return .sounding
    }

    @_noLocks public mutating func reset() {}
}
