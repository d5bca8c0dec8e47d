// [render]
import DSP
import RealtimeCore

/// Some frames of a call that an effect with memory works on in one go: 1...64, and no multiple of 64 frames of sample
/// time inside.
@frozen public struct EffectRun: BitwiseCopyable, Sendable {
    /// The first frame, counted from the beginning of the call.
    public let start: Int
    /// The number of frames.
    public let count: Int
    /// A running count of frames, for `DelayLine`: it goes on from run to run as long as the effect is awake.
    public let position: Int
    /// The sample time of the first frame.
    public let time: Int64

    @_noLocks @usableFromInline init(start: Int, count: Int, position: Int, time: Int64) {
        (self.start, self.count, self.position, self.time) = (start, count, position, time)
    }

    /// Frames since the last multiple of 64 frames of sample time: 0...63.
    @inlinable public var phase: Int { @_noLocks @inline(__always) get { Int(time % Int64(DelayLine.run)) } }
}

/// Where an effect with memory is in time, and whether it sleeps.
public struct EffectRuns: BitwiseCopyable {
    private var rest = RestWatch()
    /// Frames since it woke, with the phase of the 64-frame grid.
    private var position = 0

    /// Asleep.
    @_noLocks public init() {}

    /// True while the effect is asleep. A new one is.
    public var isResting: Bool { @_noLocks get { rest.isResting } }

    /// True while nothing has come in since the last multiple of 1024 frames of sample time.
    public var isQuiet: Bool { @_noLocks get { rest.isQuiet } }

    /// Keeps the effect awake: it holds sound that its input does not show, such as a loop that still rings.
    @_noLocks public mutating func stir() { rest.stir() }

    /// Keeps it awake while its filters hold `level`, above -120 dB.
    ///
    /// A filter's state swings, so it is checked at the end of each 64 frames, which are the same frames for any slices.
    @_noLocks public mutating func stir(_ run: EffectRun, holding level: Double) {
        if run.phase &+ run.count == DelayLine.run && Float(level) > 1e-6 { rest.stir() }
    }

    /// The first frame from `from` on in which an input is not zero; `io.frames` when there is none.
    @_noLocks @usableFromInline static func firstSound(_ io: borrowing RenderIO, from: Int) -> Int {
        var first = io.frames
        for bus in 0..<io.inputCount where !io.isSilent(bus) {
            for channel in 0..<io.inputChannels(bus) {
                first = RestWatch.firstSound(io.input(bus, channel).base, from: from, count: first)
            }
        }
        return first
    }

    @_noLocks @usableFromInline static func silence(_ io: borrowing RenderIO, from start: Int, to end: Int) {
        for bus in 0..<io.outputCount {
            for channel in 0..<io.outputChannels(bus) {
                (io.output(bus, channel).base + start).update(repeating: 0, count: end &- start)
            }
        }
    }

    @_noLocks @usableFromInline mutating func wake(at time: Int64) {
        rest.wake()
        position = Int(time % Int64(DelayLine.run))
    }

    @_noLocks @usableFromInline mutating func next(_ io: borrowing RenderIO, from start: Int) -> EffectRun {
        let time = (io.sampleTime + start).rawValue, size = DelayLine.run
        // The second cut matters if time has jumped: while it was out of the graph, the effect did not sleep.
        let count = min(
            min(io.frames &- start, size &- Int(time % Int64(size))), size &- position & (size &- 1))
        let run = EffectRun(start: start, count: count, position: position, time: time)
        for bus in 0..<io.inputCount {
            for channel in 0..<io.inputChannels(bus) { rest.hear(io.input(bus, channel).base + start, count) }
        }
        position &+= count
        return run
    }

    /// Returns true if the effect may fall asleep at the end of `run`: a multiple of 1024 frames of sample time.
    @_noLocks @usableFromInline func isRestPoint(_ run: EffectRun) -> Bool {
        (run.time &+ Int64(run.count)) % RestWatch.grid == 0
    }

    /// Returns true if the effect falls asleep now, `memory` frames after the last sound.
    @_noLocks @usableFromInline mutating func mayRest(after memory: Int) -> Bool { rest.mayRest(after: memory) }
}
