import CKernels
import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A chorus: three more voices that play along, never quite in time and never quite in tune.
///
/// It is a send effect: by default only the voices come out. Each voice is a delay that a slow sine lengthens and shortens;
/// left and right swing in opposite directions. The sine is a function of sample time, so that nothing runs while the unit
/// sleeps. With feedback and short delays it is a flanger: the mean of the voices goes in again, 64 frames later. Source: J.
/// Dattorro, "Effect Design, Part 2: Delay-Line Modulation and Chorus", J. Audio Eng. Soc. 45 (1997); interpolation: the
/// cubic of Catmull and Rom. Messages of GM2, GS and XG move rate, depth, delay, feedback, level and what goes to reverb and delay.
/// Noise comes back as loud as it is at 0 dB; a song's patch sets 3 dB, which is as loud as FluidSynth's.
public struct Chorus: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "chor", manufacturer: .carillon), name: "chorus",
        summary: "Three more voices that play along.", inputs: [.init("main")],
        outputs: [.init("main"), .init("reverb-send", use: .send), .init("delay-send", use: .send)], tail: 12,
        properties: [EffectLink.heldProperty],
        factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case rate, depth, delay, level, mix, feedback, toReverb, toDelay

        public var spec: ParameterSpec {
            switch self {
            case .rate:
                .frequency(
                    "rate", 0.05...5, 0.4, smoothing: 0, effect: .init(.chorusRate),
                    "How often a voice swings to and fro.")
            case .depth:
                .seconds(
                    "depth", 0...0.01, 0.0025, smoothing: 0.2, effect: .init(.chorusDepth, .value(times: 0.0005)),
                    "How far a voice swings to either side.")
            case .delay:
                .seconds(
                    "delay", 0.001...0.05, 0.014, smoothing: 0.5, effect: .init(.chorusDelay, .factor),
                    "How late the voices are on average.")
            case .level:
                .decibels(
                    "level", -120...12, -3, effect: .init(.chorusLevel, .decibels),
                    "How loud the voices are; -120 dB is silence.")
            case .mix:
                .percent("mix", 0...100, 100, "0 is the unchanged sound, 100 only the voices, as a send effect wants it.")
            case .feedback:
                .percent(
                    "feedback", -90...90, 0, effect: .init(.chorusFeedback, .value(times: 100)),
                    "How much of the voices goes in again; below 0 with its sign turned.")
            case .toReverb:
                .percent(
                    "to-reverb", 0...100, 0, effect: .init(.chorusToReverb, .value(times: 100)),
                    "How much of what comes out goes to the reverb-send bus as well.")
            case .toDelay:
                .percent(
                    "to-delay", 0...100, 0, effect: .init(.chorusToDelay, .value(times: 100)),
                    "How much of what comes out goes to the delay-send bus as well.")
            }
        }
    }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var owned: OwnedMemory
    /// Three voices of the left side, three of the right; of each its delay at the start of the current 64 frames and its
    /// change per frame, in frames with 32 binary places, so that no rounding depends on where a call begins.
    private let voices: UnsafeMutablePointer<Int64>
    private let scratch: UnsafeMutablePointer<Float>
    /// The sums of both sides in the 64 frames before, by the phase in the grid of 64.
    private let echo: UnsafeMutablePointer<Float>
    /// The longest lag of a voice. Unit: frames.
    public let memory: Int
    public var runs = EffectRuns()

    private var loudness = AmplitudeMemo()
    /// The sine has made `turns` turns at `anchor` and makes `rate` a second from there.
    private var anchor: Int64 = 0, turns = 0.0, rate: Float = -1

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        let longest = Int(0.061 * setup.sampleRate) + 8
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        voices = owned.make(12, of: 0)
        scratch = owned.make(2 * DelayLine.run, of: 0, alignment: 64)
        echo = owned.make(2 * DelayLine.run, of: 0)
        memory = longest + 2 * DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        anchor = 0
        turns = 0
        rate = -1
    }

    /// The voices keep the sine's position until the grid's next multiple.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        for v in 0..<6 {
            voices[2 &* v] = delay(v)
            voices[2 &* v &+ 1] = 0
        }
    }

    /// Sends every voice on its way for 64 frames: to where sine and parameters want it at frame `i`.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        let time = (io.sampleTime + i).rawValue
        let rate = io[Parameter.rate][i]
        if rate != self.rate {
            if self.rate >= 0 { turns = turns(at: time) }
            anchor = self.rate >= 0 ? time : 0
            self.rate = rate
        }
        let turns = turns(at: time)
        let depth = Double(io[Parameter.depth][i]) * sampleRate
        let centre = Double(io[Parameter.delay][i]) * sampleRate
        // Three sines, a third of a turn apart, add up to nothing.
        let first = depth * DeterministicMath.sine(turns: turns)
        let second = depth * DeterministicMath.sine(turns: turns + 0.3333333333333333)
        swing(0, centre, first)
        swing(1, centre, second)
        swing(2, centre, 0 - first - second)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let feedback = io[Parameter.feedback], isFed = !feedback.isSteady || feedback.target != 0
        if isFed {
            feed(left, io.input(0, 0).base, echo, run, feedback)
            feed(right, io.input(0, 1).base, echo + DelayLine.run, run, feedback)
        } else {
            left.write(io.input(0, 0).base + run.start, run.count, at: run.position)
            right.write(io.input(0, 1).base + run.start, run.count, at: run.position)
        }
        kernel_voices(left.ring, Int64(left.mask), Int64(run.position), voices, scratch, run.phase, run.count)
        kernel_voices(
            right.ring, Int64(right.mask), Int64(run.position), voices + 6, scratch + DelayLine.run, run.phase, run.count)
        rt_copy(echo + run.phase, scratch, run.count)
        rt_copy(echo + (DelayLine.run &+ run.phase), scratch + DelayLine.run, run.count)
        if isFed && runs.isQuiet && rings(run, feedback) { runs.stir() }
        write(io, run.start, run.count)
        send(io, 1, io[Parameter.toReverb], run.start, run.count)
        if io.isHeard(2) { send(io, 2, io[Parameter.toDelay], run.start, run.count) } else { io.markSilent(2) }
    }

    @_noLocks private func feed(
        _ line: borrowing DelayLine, _ input: UnsafePointer<Float>, _ echo: UnsafePointer<Float>, _ run: EffectRun,
        _ feedback: ParameterRamp
    ) {
        let to = line.open(run.position)
        for k in 0..<run.count {
            let share = feedback[run.start &+ k] * 0.0033333334    // a third of a hundredth
            let sound = input[run.start &+ k]
            to[k] = share == 0 ? sound : sound + share * echo[run.phase &+ k]
        }
        line.close(run.position, run.count)
    }

    /// Returns true if the feedback can still be heard: above -120 dB, as `Decibels` has it.
    @_noLocks private func rings(_ run: EffectRun, _ feedback: ParameterRamp) -> Bool {
        for k in 0..<run.count where feedback[run.start &+ k] != 0 {
            if abs(scratch[k]) > 1e-6 || abs(scratch[DelayLine.run &+ k]) > 1e-6 { return true }
        }
        return false
    }

    @_noLocks private func send(
        _ io: borrowing RenderIO, _ bus: Int, _ share: ParameterRamp, _ from: Int, _ count: Int
    ) {
        if share.isSteady && share.target == 0 { return io.markSilent(bus) }
        let left = io.output(0, 0).base + from, right = io.output(0, 1).base + from
        let toLeft = io.output(bus, 0).base + from, toRight = io.output(bus, 1).base + from
        for k in 0..<count {
            let share = share[from &+ k] * 0.01
            toLeft[k] = left[k] * share + 0
            toRight[k] = right[k] * share + 0
        }
    }

    @_noLocks private func turns(at time: Int64) -> Double {
        let turns = turns + Double(time &- anchor) * Double(rate) / sampleRate
        return turns - rt_floor_double(turns)
    }

    @_noLocks private func swing(_ v: Int, _ centre: Double, _ far: Double) {
        aim(v, centre + far)
        aim(3 &+ v, centre - far)
    }

    /// A voice never comes nearer than two frames: the interpolation looks one frame ahead.
    @_noLocks private func aim(_ v: Int, _ wanted: Double) {
        let now = delay(v)
        voices[2 &* v] = now
        voices[2 &* v &+ 1] = (Int64(max(wanted, 2) * 4_294_967_296) &- now) / Int64(DelayLine.run)
    }

    @_noLocks private func delay(_ v: Int) -> Int64 { voices[2 &* v] &+ voices[2 &* v &+ 1] &* Int64(DelayLine.run) }

    @_noLocks private mutating func write(_ io: borrowing RenderIO, _ from: Int, _ count: Int) {
        let left = io.input(0, 0).base + from, right = io.input(0, 1).base + from
        let outLeft = io.output(0, 0).base + from, outRight = io.output(0, 1).base + from
        let wetLeft = scratch, wetRight = scratch + DelayLine.run
        let level = io[Parameter.level], mix = io[Parameter.mix]
        let steady = loudness(level.target) * 0.57735026    // 1 / sqrt 3
        if level.isSteady && mix.isSteady {
            let share = mix.target * 0.01
            let wet = steady * share, dry = 1 - share
            kernel_blend(outLeft, wetLeft, left, wet, dry, count)
            kernel_blend(outRight, wetRight, right, wet, dry, count)
        } else {
            for k in 0..<count {
                let share = mix[from &+ k] * 0.01
                let wet = (level.isSteady ? steady : Decibels.amplitude(level[from &+ k]) * 0.57735026) * share
                outLeft[k] = wetLeft[k] * wet + left[k] * (1 - share)
                outRight[k] = wetRight[k] * wet + right[k] * (1 - share)
            }
        }
    }

    /// Clears the voices.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
        for i in 0..<12 { voices[i] = 0 }
        rt_zero(echo, 2 &* DelayLine.run)
    }
}
