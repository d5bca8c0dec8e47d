import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A delay of several voices: on either side a line with two taps, whose times and levels are their own.
///
/// It is the delay of GS and XG, which songs set by System Exclusive, and a send effect: only repeats come out. Lines get
/// the sum of both sides or, with `split`, their own; each is fed back into itself or, with `cross`, into the other. Unlike
/// `Delay` it knows no tempo. Another time is cross-faded within 1024 frames, so that no pitch bends. A feedback takes 64
/// frames at least. The sum of the sides is 3 dB lower, so that a sound in the middle comes back as loud as it was played.
package struct MultiDelay: EffectWithMemory, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "mdly", manufacturer: .carillon), name: "multi-delay",
        summary: "Repeats on either side, as songs for GS and XG set them.", inputs: [.init("main")],
        outputs: [.init("main"), .init("reverb-send", use: .send)], tail: 320, gap: 2,
        properties: [EffectLink.heldProperty, EffectLink.placeProperty])

    package enum Parameter: Int, UnitParameter {
        case leftTime, rightTime, leftLevel, rightLevel, leftSecondTime, rightSecondTime, secondLevel
        case leftFeedbackTime, rightFeedbackTime, leftFeedback, rightFeedback, split, cross, damping, level, toReverb

        package var spec: ParameterSpec {
            switch self {
            case .leftTime: Self.time("left-time", .delayLeftTime, "How late the left side's own repeat is.")
            case .rightTime: Self.time("right-time", .delayRightTime, "How late the right side's own repeat is.")
            case .leftLevel: Self.share("left-level", 0, .delayLeftLevel, "How loud the left side's own repeat is.")
            case .rightLevel: Self.share("right-level", 0, .delayRightLevel, "How loud the right side's own repeat is.")
            case .leftSecondTime:
                Self.time("left-second-time", .delayLeftSecondTime, "How late the second repeat is on the left.")
            case .rightSecondTime:
                Self.time("right-second-time", .delayRightSecondTime, "How late the second repeat is on the right.")
            case .secondLevel:
                Self.share("second-level", 100, .delaySecondLevel, "How loud the second repeats are, on both sides.")
            case .leftFeedbackTime:
                Self.time("left-feedback-time", .delayLeftFeedbackTime, "How late what goes in again on the left is.")
            case .rightFeedbackTime:
                Self.time("right-feedback-time", .delayRightFeedbackTime, "How late what goes in again on the right is.")
            case .leftFeedback:
                Self.feedback("left-feedback", .delayLeftFeedback, "How much goes in again on the left.")
            case .rightFeedback:
                Self.feedback("right-feedback", .delayRightFeedback, "How much goes in again on the right.")
            case .split:
                Self.share("split", 0, .delaySplit, "0: both lines get the sum of the sides; 100: each gets its own.")
            case .cross: Self.share("cross", 0, .delayCross, "0: a line feeds itself; 100: each feeds the other.")
            case .damping:
                .frequency(
                    "damping", 200...20_000, 20_000, smoothing: 0.1, effect: .init(.delayDamping),
                    "Above this frequency a repeat loses treble each time; at 20 kHz it loses none.")
            case .level:
                .number("level", 0...4, 0.836, effect: .init(.delayLevel, .value(times: 0.836)), "How loud the repeats are.")
            case .toReverb:
                Self.share("to-reverb", 0, .delayToReverb, "How much of the repeats goes to the reverb-send bus, before level.")
            }
        }

        private static func time(_ name: String, _ message: EffectParameter, _ help: String) -> ParameterSpec {
            .seconds(name, 0...2, 0.34, smoothing: 0, effect: .init(message, .value(times: 0.001)), help)
        }

        private static func share(
            _ name: String, _ initial: Float, _ message: EffectParameter, _ help: String
        ) -> ParameterSpec { .percent(name, 0...100, initial, effect: .init(message, .value(times: 100)), help) }

        private static func feedback(_ name: String, _ message: EffectParameter, _ help: String) -> ParameterSpec {
            .percent(name, -98...98, 24.416, effect: .init(message, .value(times: 100)), help)
        }
    }

    private static var longest: Double { @_noLocks get { 2 } }
    /// Below this the lines count as silent: -120 dB, which `Decibels` calls silence too.
    private static var threshold: Float { @_noLocks get { 1e-6 } }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var owned: OwnedMemory
    /// What goes in again, left and right; first and second repeats, left and right.
    private let scratch: UnsafeMutablePointer<Float>
    /// The delays in the order of the scratch memory.
    private let delays: UnsafeMutablePointer<FadingDelay>
    /// The longest repeat and a run, in frames.
    package let memory: Int
    package var runs = EffectRuns()

    private var leftFilter = LoopFilter(), rightFilter = LoopFilter()
    /// The filters at the start of the current 64 frames, and at their end.
    private var start = LoopFilter.Coefficients(), end = LoopFilter.Coefficients()
    private var damping: Float = -1

    package init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        try setup.checkPlace(of: Self.self)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        let longest = Int(Self.longest * setup.sampleRate) + 1
        left = DelayLine(longest: longest + DelayLine.run)
        right = DelayLine(longest: longest + DelayLine.run)
        scratch = owned.make(6 * DelayLine.run, of: 0)
        delays = owned.make(6, of: FadingDelay(DelayLine.run))
        memory = longest + 2 * DelayLine.run
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks package mutating func reset() {
        clear()
        runs = EffectRuns()
        damping = -1
    }

    @_noLocks package mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        start = end
        for k in 0..<6 { delays[k] = FadingDelay(delay(io, k, at: i)) }
    }

    @_noLocks package mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        start = end
        let damping = io[Parameter.damping][i]
        if damping != self.damping {
            end = LoopFilter.Coefficients(highCut: Double(damping), lowCut: 1, open: 20_000, sampleRate: sampleRate)
            self.damping = damping
        }
        for k in 0..<6 { delays[k].step(to: delay(io, k, at: i)) }
    }

    /// Frames of delay `k`. What goes in again is read before its run is written: no fewer than a run.
    @_noLocks private func delay(_ io: borrowing RenderIO, _ k: Int, at i: Int) -> Int {
        let seconds: Float
        switch k {
        case 0: seconds = io[Parameter.leftFeedbackTime][i]
        case 1: seconds = io[Parameter.rightFeedbackTime][i]
        case 2: seconds = io[Parameter.leftTime][i]
        case 3: seconds = io[Parameter.rightTime][i]
        case 4: seconds = io[Parameter.leftSecondTime][i]
        default: seconds = io[Parameter.rightSecondTime][i]
        }
        return max(Int(Double(seconds) * sampleRate + 0.5), k < 2 ? DelayLine.run : 0)
    }

    @_noLocks private func read(_ k: Int, _ line: borrowing DelayLine, _ run: EffectRun) -> UnsafeMutablePointer<Float> {
        let memory = scratch + k &* DelayLine.run
        delays[k].read(line, before: run.position, phase: run.phase, run.count, to: memory)
        return memory
    }

    @_noLocks package mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let againLeft = read(0, left, run), againRight = read(1, right, run)
        leftFilter.process(againLeft, run.count, from: start, to: end, phase: run.phase)
        rightFilter.process(againRight, run.count, from: start, to: end, phase: run.phase)
        feed(io, run, againLeft, againRight)
        hear(io, run, 0, read(2, left, run), read(4, left, run), io[Parameter.leftLevel])
        hear(io, run, 1, read(3, right, run), read(5, right, run), io[Parameter.rightLevel])
        let toReverb = io[Parameter.toReverb]
        if toReverb.isSteady && toReverb.target == 0 { io.markSilent(1) }
    }

    @_noLocks private mutating func feed(
        _ io: borrowing RenderIO, _ run: EffectRun, _ againLeft: UnsafePointer<Float>, _ againRight: UnsafePointer<Float>
    ) {
        let inLeft = io.input(0, 0).base + run.start, inRight = io.input(0, 1).base + run.start
        let toLeft = left.open(run.position), toRight = right.open(run.position)
        let leftFeedback = io[Parameter.leftFeedback], rightFeedback = io[Parameter.rightFeedback]
        let split = io[Parameter.split], cross = io[Parameter.cross]
        for k in 0..<run.count {
            let i = run.start &+ k
            let own = split[i] * 0.01, sum = (inLeft[k] + inRight[k]) * (0.70710678 * (1 - own))
            let other = cross[i] * 0.01, same = 1 - other
            let l = againLeft[k] * (leftFeedback[i] * 0.01), r = againRight[k] * (rightFeedback[i] * 0.01)
            toLeft[k] = sum + inLeft[k] * own + (l * same + r * other)
            toRight[k] = sum + inRight[k] * own + (r * same + l * other)
        }
        if runs.isQuiet && max(rt_peak(toLeft, run.count), rt_peak(toRight, run.count)) > Self.threshold { runs.stir() }
        left.close(run.position, run.count)
        right.close(run.position, run.count)
    }

    @_noLocks private func hear(
        _ io: borrowing RenderIO, _ run: EffectRun, _ channel: Int, _ first: UnsafePointer<Float>,
        _ second: UnsafePointer<Float>, _ own: ParameterRamp
    ) {
        let output = io.output(0, channel).base + run.start, toReverb = io.output(1, channel).base + run.start
        let both = io[Parameter.secondLevel], level = io[Parameter.level], share = io[Parameter.toReverb]
        for k in 0..<run.count {
            let i = run.start &+ k
            let heard = (first[k] * own[i] + second[k] * both[i]) * 0.01
            output[k] = heard * level[i]
            toReverb[k] = heard * (share[i] * 0.01)
        }
    }

    /// No repeat is left.
    @_noLocks package mutating func clear() {
        left.clear()
        right.clear()
        leftFilter = LoopFilter()
        rightFilter = LoopFilter()
    }
}
