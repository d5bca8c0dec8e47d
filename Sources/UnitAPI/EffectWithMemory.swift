// [render]
import RealtimeCore

/// An effect whose sound goes on when its input is over, because it remembers: a filter, a delay, a reverb.
///
/// Its author writes what happens in a run of up to 64 frames; `renderRuns` does the rest. It wakes the effect at the first
/// frame that is not zero, cuts time at multiples of 64 frames of sample time, puts it to sleep when its memory has died
/// away, and writes zeros meanwhile; all of it the same for any slices, and for any number of buses and channels.
///
///     sound comes in      every 64 frames     every run       every 1024 frames   silent for `memory` frames
///     wake ------------>  tune  ----------->  process  ---->  settle  --------->  clear, asleep
///
/// `render` is then one line, which makes the compiler prove the loop for this effect:
///
///     @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }
public protocol EffectWithMemory: AudioUnit, ~Copyable {
    /// Where the effect is in time: a stored property that begins as, and is reset to, `EffectRuns()`.
    var runs: EffectRuns { get set }

    /// Frames that sound can hide inside: after this many silent ones the memory may be cleared without an audible change. A
    /// feedback loop counts once around; as long as it rings, `process` or `settle` calls `runs.stir()`.
    var memory: Int { get }

    /// The first sound after rest, at frame `i` of the call: everything takes its parameters' values at once. Leave it out if
    /// `tune` does that.
    mutating func wake(_ io: borrowing RenderIO, at i: Int)

    /// Makes coefficients of the parameters at frame `i` of the call: on every multiple of 64 frames of sample time.
    mutating func tune(_ io: borrowing RenderIO, at i: Int)

    /// Reads the frames of `run` from the inputs and writes all of them to the outputs.
    mutating func process(_ io: borrowing RenderIO, _ run: EffectRun)

    /// Does the work of every multiple of 1024 frames while awake, such as a readout. Leave it out if there is none.
    mutating func settle(_ io: borrowing RenderIO)

    /// Forgets all sound, so that silence would give silence; the parameters' traces may stay.
    mutating func clear()
}

extension EffectWithMemory where Self: ~Copyable {
    // Generic, hence without the annotation: proven where an effect's `render` is.

    /// Does what is done on a multiple of 64 frames.
    @inlinable public mutating func wake(_ io: borrowing RenderIO, at i: Int) { tune(io, at: i) }
    /// Nothing.
    @inlinable public mutating func settle(_ io: borrowing RenderIO) {}

    /// The loop: all that `render` does.
    @inlinable public mutating func renderRuns(_ io: borrowing RenderIO) -> RenderStatus {
        if runs.isResting && io.isSilentEverywhere { return .silent }
        var done = 0
        var status = RenderStatus.silent
        while done < io.frames {
            if runs.isResting {
                let sound = EffectRuns.firstSound(io, from: done)
                EffectRuns.silence(io, from: done, to: sound)
                done = sound
                if done == io.frames { break }
                runs.wake(at: (io.sampleTime + done).rawValue)
                wake(io, at: done)
            }
            let run = runs.next(io, from: done)
            if run.phase == 0 { tune(io, at: done) }
            process(io, run)
            done &+= run.count
            status = .sounding
            if runs.isRestPoint(run) {
                settle(io)
                if runs.mayRest(after: memory) { clear() }
            }
        }
        return status
    }
}
