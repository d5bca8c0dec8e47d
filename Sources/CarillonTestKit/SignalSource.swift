import RealtimeCore
import UnitAPI

/// A stereo unit that plays samples from memory by sample time, and silence after them: the input of a test.
public struct SignalSource: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "sgnl", manufacturer: .carillon), name: "signal",
        summary: "Plays the samples a test gave it.", outputs: [.init("main", channels: 2)])

    private let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    private let count: Int

    /// Nothing but silence.
    public init(_ setup: UnitSetup) { self.init(left: [], right: []) }

    /// Plays `left` and `right`, which are equally long, from sample time 0 on.
    public init(left: [Float], right: [Float]) {
        precondition(left.count == right.count)
        count = left.count
        self.left = .allocate(capacity: max(count, 1))
        self.right = .allocate(capacity: max(count, 1))
        self.left.initialize(from: left, count: count)
        self.right.initialize(from: right, count: count)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = Int(io.sampleTime.rawValue)
        if start >= count { return .silent }
        let l = io.output(0, 0), r = io.output(0, 1)
        for i in 0..<io.frames {
            l[i] = start + i < count ? left[start + i] : 0
            r[i] = start + i < count ? right[start + i] : 0
        }
        return .sounding
    }

    @_noLocks public mutating func reset() {}
}
