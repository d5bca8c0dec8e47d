import DSP
import RealtimeCore
import UnitAPI

/// A rotary speaker: a horn for the treble and a drum for the bass that turn in one cabinet, each at its own speed.
///
/// It is not a tremolo or a vibrato, but both at once: what turns towards a microphone is louder and higher, what turns away
/// softer and lower. The cabinet is mono: both sides go in together, and two microphones stand around it. Each rotor speeds up
/// and slows down by itself, evenly: the light horn in a second, the heavy drum in several. While the effect sleeps, they go
/// on. The horn's path swings by 19 cm, the drum's by 10 cm. Both microphones hear the same pitch and differ in
/// level, so that their sum has no comb. Sources: C. A. Henricksen, "Unearthing the Mysteries of the
/// Leslie Cabinet", Recording Engineer/Producer, 1981 (speeds); J. Smith et al., "Doppler Simulation and the Leslie", DAFx
/// 2002; crossover: S. Linkwitz, "Active Crossover Networks", J. Audio Eng. Soc. 24 (1976).
package struct RotarySpeaker: EffectWithMemory, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "rtry", manufacturer: .carillon), name: "rotary-speaker",
        summary: "A horn and a drum that turn, slowly or fast, in one cabinet.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 1, factoryPresets: factoryPresets)

    package enum Parameter: Int, UnitParameter {
        case speed, hornSlow, hornFast, hornRamp, hornDepth, hornLevel
        case drumSlow, drumFast, drumRamp, drumDepth, drumLevel, crossover, angle

        package var spec: ParameterSpec {
            switch self {
            case .speed:
                .choice(
                    "speed", ["brake", "slow", "fast"], default: 1, help: "How fast horn and drum turn, once they have got there."
                )
            case .hornSlow: .frequency("horn-slow", 0.05...10, 0.8, smoothing: 0, "Turns of the horn a second at slow.")
            case .hornFast: .frequency("horn-fast", 0.05...10, 6.7, smoothing: 0, "Turns of the horn a second at fast.")
            case .hornRamp:
                .time(
                    "horn-ramp", 0.05...20, 1, smoothing: 0,
                    "How long the horn takes from standing still to the faster of its speeds.")
            case .hornDepth:
                .percent("horn-depth", 0...100, 100, smoothing: 0.2, "How much pitch and level of the horn swing.")
            case .hornLevel: .decibels("horn-level", -120...12, 0, "How loud the horn is; -120 dB is silence.")
            case .drumSlow: .frequency("drum-slow", 0.05...10, 0.7, smoothing: 0, "Turns of the drum a second at slow.")
            case .drumFast: .frequency("drum-fast", 0.05...10, 5.7, smoothing: 0, "Turns of the drum a second at fast.")
            case .drumRamp:
                .time(
                    "drum-ramp", 0.05...20, 4.5, smoothing: 0,
                    "How long the drum takes from standing still to the faster of its speeds.")
            case .drumDepth:
                .percent("drum-depth", 0...100, 100, smoothing: 0.2, "How much pitch and level of the drum swing.")
            case .drumLevel: .decibels("drum-level", -120...12, 0, "How loud the drum is; -120 dB is silence.")
            case .crossover:
                .frequency(
                    "crossover", 100...4000, 800, smoothing: 0.1,
                    "What is above this comes from the horn, the rest from the drum.")
            case .angle:
                .number("angle", 0...180, 120, smoothing: 0.2, "Degrees between both microphones; at 0 both sides are the same.")
            }
        }
    }

    private let sampleRate: Double
    private let hornLine: DelayLine, drumLine: DelayLine
    /// The delay where a rotor comes nearest: what the interpolation needs, and one frame.
    package let latency = DelayLine.nearestTap + 1
    /// The longest delay and a run, in frames.
    package let memory: Int
    package var runs = EffectRuns()

    private var horn = Rotor(), drum = Rotor()
    private var hornSound = RotorSound(), drumSound = RotorSound()
    private var hornAmplitude = AmplitudeMemo(), drumAmplitude = AmplitudeMemo()
    private var highs = Crossover(response: 5), lows = Crossover(response: 4)
    /// The multiple of 64 frames for which the rotors' angles hold; below 0 there is none.
    private var anchor: Int64 = -1

    package init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        let longest = Int(2 * Rotor.hornReach * setup.sampleRate) + 16
        hornLine = DelayLine(longest: longest)
        drumLine = DelayLine(longest: longest)
        memory = longest + DelayLine.run
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks package mutating func reset() {
        clear()
        runs = EffectRuns()
        horn = Rotor()
        drum = Rotor()
        anchor = -1
    }

    /// The rotors are where they would be, had they been driven towards the speed that is wanted now all the time.
    @_noLocks package mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        let time = (io.sampleTime + i).rawValue, begin = time &- time % Int64(DelayLine.run)
        if anchor < 0 || begin < anchor {
            horn.speed = hornGoal(io, at: i)
            drum.speed = drumGoal(io, at: i)
        } else {
            turn(io, at: i, begin &- anchor)
        }
        anchor = begin
        aim(io, at: i)
        hornSound.settle()
        drumSound.settle()
        highs.settle()
        lows.settle()
        if begin != time { tune(io, at: i) }
    }

    /// Turns the rotors to where they are at the end of the 64 frames that begin.
    @_noLocks package mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        turn(io, at: i, Int64(DelayLine.run))
        anchor &+= Int64(DelayLine.run)
        aim(io, at: i)
    }

    @_noLocks private mutating func turn(_ io: borrowing RenderIO, at i: Int, _ frames: Int64) {
        let seconds = Double(frames) / sampleRate
        let hornTop = Double(max(io[Parameter.hornSlow][i], io[Parameter.hornFast][i]))
        let drumTop = Double(max(io[Parameter.drumSlow][i], io[Parameter.drumFast][i]))
        horn.turn(to: hornGoal(io, at: i), hornTop / Double(io[Parameter.hornRamp][i]), seconds)
        drum.turn(to: drumGoal(io, at: i), drumTop / Double(io[Parameter.drumRamp][i]), seconds)
    }

    @_noLocks private func hornGoal(_ io: borrowing RenderIO, at i: Int) -> Double {
        goal(io[Parameter.speed][i], io[Parameter.hornSlow][i], io[Parameter.hornFast][i])
    }

    @_noLocks private func drumGoal(_ io: borrowing RenderIO, at i: Int) -> Double {
        goal(io[Parameter.speed][i], io[Parameter.drumSlow][i], io[Parameter.drumFast][i])
    }

    @_noLocks private func goal(_ speed: Float, _ slow: Float, _ fast: Float) -> Double {
        speed < 0.5 ? 0 : Double(speed < 1.5 ? slow : fast)
    }

    @_noLocks private mutating func aim(_ io: borrowing RenderIO, at i: Int) {
        let half = Double(io[Parameter.angle][i]) / 720, crossover = io[Parameter.crossover][i]
        let hornDepth = Double(io[Parameter.hornDepth][i]) * 0.01, drumDepth = Double(io[Parameter.drumDepth][i]) * 0.01
        let hornLevel = Double(hornAmplitude(io[Parameter.hornLevel][i]))
        let drumLevel = Double(drumAmplitude(io[Parameter.drumLevel][i]))
        let hornReach = Rotor.hornReach * sampleRate, drumReach = Rotor.drumReach * sampleRate
        hornSound.aim(horn.turns, half, hornReach, hornDepth, loss: 0.7, hornLevel)
        drumSound.aim(drum.turns, half, drumReach, drumDepth, loss: 0.5, drumLevel)
        highs.aim(crossover, sampleRate: sampleRate)
        lows.aim(crossover, sampleRate: sampleRate)
    }

    @_noLocks package mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let high = hornLine.open(run.position), low = drumLine.open(run.position)
        for k in 0..<run.count {
            let sound = (left[k] + right[k]) * 0.5
            high[k] = sound
            low[k] = sound
        }
        highs.process(high, run)
        lows.process(low, run)
        hornLine.close(run.position, run.count)
        drumLine.close(run.position, run.count)
        if runs.isQuiet { runs.stir(run, holding: max(highs.level, lows.level)) }
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        for k in 0..<run.count {
            let place = run.phase &+ k, position = run.position &+ k
            let horn = hornLine.tap(hornSound.delay[place], before: position)
            let drum = drumLine.tap(drumSound.delay[place], before: position)
            outLeft[k] = horn * Float(hornSound.left[place]) + drum * Float(drumSound.left[place])
            outRight[k] = horn * Float(hornSound.right[place]) + drum * Float(drumSound.right[place])
        }
    }

    /// Clears the cabinet; the rotors keep their angles and speeds.
    @_noLocks package mutating func clear() {
        hornLine.clear()
        drumLine.clear()
        highs.clear()
        lows.clear()
    }
}

/// What turns in the cabinet: its angle, and its speed on the way to another one.
private struct Rotor {
    /// How much longer or shorter than in the middle a path to a microphone is. Unit: seconds, at 343 m/s.
    static var hornReach: Double { @_noLocks get { 0.19 / 343 } }
    static var drumReach: Double { @_noLocks get { 0.1 / 343 } }

    /// Turns a second.
    var speed = 0.0
    /// 0..<1; at 0 it faces the middle between the microphones.
    private(set) var turns = 0.0

    @_noLocks init() {}

    /// Goes on for `seconds`, with its speed nearing `goal` by `acceleration` a second.
    @_noLocks mutating func turn(to goal: Double, _ acceleration: Double, _ seconds: Double) {
        let far = abs(goal - speed), changing = min(far / acceleration, seconds), change = changing * acceleration
        let end = changing == seconds ? speed + (goal < speed ? 0 - change : change) : goal
        turns += (speed + end) * 0.5 * changing + goal * (seconds - changing)
        turns -= DeterministicMath.floor(turns)
        speed = end
    }
}

/// What the microphones hear of a rotor: how late, and how loud on either side.
private struct RotorSound {
    private(set) var delay = GlidingValue(), left = GlidingValue(), right = GlidingValue()

    @_noLocks init() {}

    /// `half` is a microphone's angle from the middle, in turns; `loss` what the depth takes from the gain where a rotor
    /// faces away.
    @_noLocks mutating func aim(
        _ turns: Double, _ half: Double, _ reach: Double, _ depth: Double, loss: Double, _ level: Double
    ) {
        delay.aim(reach * (1 - depth * DeterministicMath.cosine(turns: turns)) + Double(DelayLine.nearestTap &+ 1))
        let away = 0.5 * depth * loss
        left.aim(level * (1 - away * (1 - DeterministicMath.cosine(turns: turns + half))))
        right.aim(level * (1 - away * (1 - DeterministicMath.cosine(turns: turns - half))))
    }

    @_noLocks mutating func settle() {
        delay.settle()
        left.settle()
        right.settle()
    }
}

/// One way of the crossover: two Butterworth filters in a row. Both ways add up to a level spectrum.
private struct Crossover {
    private var first = EqualizerBand(), second = EqualizerBand()
    private let response: Int

    init(response: Int) { self.response = response }

    var level: Double { @_noLocks get { max(first.level, second.level) } }

    @_noLocks mutating func aim(_ frequency: Float, sampleRate: Double) {
        first.aim(response: response, frequency: frequency, gain: 0, quality: 0.7071068, sampleRate: sampleRate)
        second.aim(response: response, frequency: frequency, gain: 0, quality: 0.7071068, sampleRate: sampleRate)
    }

    @_noLocks mutating func settle() {
        first.settle()
        second.settle()
    }

    @_noLocks mutating func process(_ sound: UnsafeMutablePointer<Float>, _ run: EffectRun) {
        first.process(sound, run.count, phase: run.phase)
        second.process(sound, run.count, phase: run.phase)
    }

    @_noLocks mutating func clear() {
        first.clear()
        second.clear()
    }
}
