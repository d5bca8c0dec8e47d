// [render]
import CRealtime

/// A delay in whole frames that is cross-faded to another one: over sixteen runs of a `DelayLine`, 1024 frames.
///
/// Repeats lie on whole frames, so nothing dulls them, and a change does not bend the pitch of what sounds, as gliding there
/// would. It begins where sample time is a multiple of 64 frames, and so it is the same for any slices.
public struct FadingDelay: BitwiseCopyable, Sendable {
    /// Where it goes, and where it comes from. Unit: frames.
    private var new: Int, old: Int
    /// Runs of 64 frames into the fade; 16 when it is over.
    private var fade = 16

    /// Creates a delay of `frames`.
    @_noLocks public init(_ frames: Int = 0) {
        new = frames
        old = frames
    }

    /// The shorter one of the two that are faded between. Unit: frames.
    public var least: Int { @_noLocks get { min(new, old) } }

    /// A multiple of 64 frames of sample time: goes on with a fade, or begins one to `frames` if none is on its way.
    @_noLocks public mutating func step(to frames: Int) {
        if fade < 16 { fade &+= 1 }
        if fade == 16 {
            old = new
            new = frames
            if new != old { fade = 0 }
        }
    }

    /// Returns the delayed sound of `line`, `phase` frames after a multiple of 64 of sample time, in one run: in the line
    /// itself; while it is cross-faded, in `memory`.
    @_noLocks public func heard(
        _ line: borrowing DelayLine, before position: Int, phase: Int, _ count: Int, in memory: UnsafeMutablePointer<Float>
    ) -> UnsafePointer<Float> {
        let fresh = line.read(new, before: position)
        if fade == 16 { return fresh }
        let past = line.read(old, before: position)
        for k in 0..<count {
            let share = Float(Int32(truncatingIfNeeded: fade &* DelayLine.run &+ phase &+ k)) * (1 / 1024)
            memory[k] = past[k] + share * (fresh[k] - past[k])
        }
        return UnsafePointer(memory)
    }

    /// Writes what `line` gives from `position` on, `count` frames in one run, to `to`; cross-faded while the delay changes.
    @_noLocks public func read(
        _ line: borrowing DelayLine, before position: Int, phase: Int, _ count: Int, to: UnsafeMutablePointer<Float>
    ) {
        if fade == 16 { return rt_copy(to, line.read(new, before: position), count) }
        _ = heard(line, before: position, phase: phase, count, in: to)
    }
}
