// [render]
import RealtimeCore

/// What a track of a looper does: the unit's choice `state`.
package enum LoopState: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case empty, stopped, playing, recording, overdubbing, replacing

    /// The state of this number; the last one beyond it. Any thread.
    @_noLocks package init(number: Int) {
        // An enumeration without values has its cases in order.
        self = unsafeBitCast(UInt8(truncatingIfNeeded: min(max(number, 0), 5)), to: LoopState.self)
    }

    /// Its place in the choice. Any thread.
    package var number: Int { @_noLocks get { Int(unsafeBitCast(self, to: UInt8.self)) } }

    @_noLocks package static func == (one: LoopState, other: LoopState) -> Bool { one.number == other.number }
}
