import CKernels
import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A reverb: the hall in which the music plays, from a small room to a cathedral.
///
/// It is a send effect: by default only the reverberation comes out. No early reflections of a particular room, no impulse
/// responses. Sound passes a low-cut, the pre-delay, six allpass filters a side (`Diffuser`) and a network of sixteen lines
/// (`FeedbackNetwork`, which names the sources). The output of the allpasses is heard itself, as the early part: 4 ms after
/// the pre-delay at size 100, and in proportion at other sizes. The input is gathered until 64 frames are there, from which
/// kernels make the output of the next 64: the early part and every line are later than that, so there is no added delay.
/// GM2's, GS's and XG's messages move decay, pre-delay and level.
/// At -6 dB steady noise comes back 6 dB softer; a song's patch sets -14 dB, which is as loud as FluidSynth's.
public struct Reverb: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "rvb8", manufacturer: .carillon), name: "reverb",
        summary: "The hall in which the music plays.", inputs: [.init("main")], outputs: [.init("main")], tail: 45,
        properties: [EffectLink.heldProperty], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case decay, size, preDelay, damping, lowCut, width, level, mix

        public var spec: ParameterSpec {
            switch self {
            case .decay: .time("decay", 0.1...20, 1.8, effect: .init(.reverbTime), "How long the sound takes to fall by 60 dB.")
            case .size:
                .percent(
                    "size", 25...200, 100, smoothing: 0,
                    "How large the hall is: small ones answer sooner and sound more coloured; a change is cross-faded.")
            case .preDelay:
                .seconds(
                    "pre-delay", 0...0.2, 0.012, smoothing: 0, effect: .init(.reverbPreDelay, .beside(times: 0.001)),
                    "How long the hall takes to answer; a change is cross-faded.")
            case .damping:
                .percent(
                    "damping", 0...100, 45, smoothing: 0.1,
                    "How much sooner the treble decays: at 100 in a tenth of the time.")
            case .lowCut:
                .frequency(
                    "low-cut", 10...1000, 80, smoothing: 0.1,
                    "What lies below this frequency does not go into the hall.")
            case .width: .percent("width", 0...100, 100, "0 is mono, 100 all around.")
            case .level:
                .decibels(
                    "level", -120...12, -6, effect: .init(.reverbLevel, .decibels),
                    "How loud the reverberation is; -120 dB is silence.")
            case .mix:
                .percent(
                    "mix", 0...100, 100,
                    "0 is the unchanged sound, 100 only the reverberation, as a send effect wants it.")
            }
        }
    }

    /// Below this a line counts as silent: -120 dB, which `Decibels` calls silence too.
    private static var threshold: Float { @_noLocks get { 1e-6 } }
    private let sampleRate: Double
    private var leftDiffuser: Diffuser, rightDiffuser: Diffuser
    private var network: FeedbackNetwork
    private var leftLine: DelayLine, rightLine: DelayLine, leftEarly: DelayLine, rightEarly: DelayLine
    private var owned: OwnedMemory
    /// What came in since the last multiple of 64 frames, left and right; what is heard until the next, and after that.
    private let scratch: UnsafeMutablePointer<Float>
    private var heard = 2 * DelayLine.run, next = 4 * DelayLine.run
    /// Frames that sound can hide in before it has gone once around.
    public let memory: Int
    public var runs = EffectRuns()

    private var isStill = false
    private var loudness = AmplitudeMemo()
    private var cut: Float = 0
    private let low: UnsafeMutablePointer<Float>
    /// Gain into the network: at the start of the current 64 frames, and at their end.
    private var oldDrive: Float = 0, drive: Float = 0
    private var decay: Float = -1, damping: Float = -1, lowCut: Float = -1
    private var preDelay = FadingDelay(), early = FadingDelay()

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        let rate = setup.sampleRate
        leftDiffuser = Diffuser(
            delays: [0.00143, 0.00197, 0.00281, 0.00397, 0.00541, 0.00727].map { Int($0 * rate) }, gain: 0.6)
        rightDiffuser = Diffuser(
            delays: [0.00151, 0.00187, 0.00293, 0.00379, 0.00563, 0.00701].map { Int($0 * rate) }, gain: 0.6)
        network = FeedbackNetwork(
            delays: [
                0.05195, 0.0825, 0.07623, 0.03442, 0.0235, 0.05364, 0.07849, 0.06787, 0.03233, 0.06454, 0.04718, 0.02911,
                0.03779, 0.04146, 0.07006, 0.05783,
            ], largest: 2, sampleRate: rate)
        leftLine = DelayLine(longest: Int(0.2 * rate) + 1)
        rightLine = DelayLine(longest: Int(0.2 * rate) + 1)
        leftEarly = DelayLine(longest: Int(0.008 * rate) + 1)
        rightEarly = DelayLine(longest: Int(0.008 * rate) + 1)
        scratch = owned.make(6 * DelayLine.run, of: 0, alignment: 64)
        low = owned.make(2, of: 0)
        memory = network.longest + Int(0.25 * rate)
    }

    // [render]

    /// Stops the modulation of the lines at level 3: a little more metallic, more than a quarter cheaper.
    @_noLocks public mutating func shed(_ level: Int) { isStill = level >= 3 }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        decay = -1
        damping = -1
        lowCut = -1
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        if network.jump(to: size(io, at: i)) { decay = -1 }
        tune(io, at: i)
        network.settle()
        network.stand(still: isStill)    // once more: at once, not faded
        oldDrive = drive
        // The delays jump to their values, wherever they were going before.
        preDelay = FadingDelay(delay(io, at: i))
        early = FadingDelay(answer(io, at: i))
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        network.stand(still: isStill)
        let decay = io[Parameter.decay][i], damping = io[Parameter.damping][i], lowCut = io[Parameter.lowCut][i]
        oldDrive = drive
        let isResized = network.step(to: size(io, at: i))
        if isResized || decay != self.decay || damping != self.damping {
            let treble = decay * (1 - damping * 0.009)
            drive = network.decay(Double(decay), treble: Double(treble))
            self.decay = decay
            self.damping = damping
        } else {
            network.settle()
        }
        if lowCut != self.lowCut {
            cut = Float(1 - DeterministicMath.exp2(-9.064720283654388 * min(Double(lowCut) / sampleRate, 0.4)))
            self.lowCut = lowCut
        }
        preDelay.step(to: delay(io, at: i))
        early.step(to: answer(io, at: i))
    }

    @_noLocks private func size(_ io: borrowing RenderIO, at i: Int) -> Double { Double(io[Parameter.size][i]) * 0.01 }

    /// Frames that the early part waits for, over the 64 in which it is made.
    @_noLocks private func answer(_ io: borrowing RenderIO, at i: Int) -> Int {
        max(Int(0.004 * size(io, at: i) * sampleRate) &- DelayLine.run, 0)
    }

    @_noLocks private func delay(_ io: borrowing RenderIO, at i: Int) -> Int {
        Int(Double(io[Parameter.preDelay][i]) * sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let done = run.position & (DelayLine.run &- 1), end = run.time &+ Int64(run.count)
        let isWhole = run.count == DelayLine.run, isLast = done &+ run.count == DelayLine.run
        if isWhole {
            turn(left, right, run.position, end)
        } else {
            rt_copy(scratch + done, left, run.count)
            rt_copy(scratch + (DelayLine.run &+ done), right, run.count)
        }
        write(io, run.start, run.count, done)
        if isLast && !isWhole { turn(scratch, scratch + DelayLine.run, run.position &- done, end) }
        if isLast { swap(&heard, &next) }
    }

    /// The 64 frames from `position` on go in, and the 64 that are heard from `time` on come out.
    @_noLocks private mutating func turn(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ position: Int, _ time: Int64
    ) {
        let wetLeft = scratch + next, wetRight = scratch + (next &+ DelayLine.run)
        kernel_low_cut(
            left, right, leftLine.open(position), rightLine.open(position), low, cut, oldDrive,
            (drive - oldDrive) * (1 / 64))
        leftLine.close(position, DelayLine.run)
        rightLine.close(position, DelayLine.run)
        let heardLeft = preDelay.heard(leftLine, before: position, phase: 0, DelayLine.run, in: wetLeft)
        let newLeft = leftEarly.open(position)
        leftDiffuser.process(heardLeft, newLeft, at: position)
        leftEarly.close(position, DelayLine.run)
        let heardRight = preDelay.heard(rightLine, before: position, phase: 0, DelayLine.run, in: wetRight)
        let newRight = rightEarly.open(position)
        rightDiffuser.process(heardRight, newRight, at: position)
        rightEarly.close(position, DelayLine.run)
        network.process(newLeft, newRight, at: position, time: time)
        network.hear(
            with: early.heard(leftEarly, before: position, phase: 0, DelayLine.run, in: wetLeft),
            early.heard(rightEarly, before: position, phase: 0, DelayLine.run, in: wetRight), wetLeft, wetRight)
        if runs.isQuiet && network.peak() > Self.threshold { runs.stir() }
    }

    /// Level, width and mix, from frame `from` of the call on; `done` frames of the 64 have been heard.
    @_noLocks private mutating func write(_ io: borrowing RenderIO, _ from: Int, _ count: Int, _ done: Int) {
        let left = io.input(0, 0).base + from, right = io.input(0, 1).base + from
        let outLeft = io.output(0, 0).base + from, outRight = io.output(0, 1).base + from
        let wetLeft = scratch + (heard &+ done), wetRight = wetLeft + DelayLine.run
        let level = io[Parameter.level], width = io[Parameter.width], mix = io[Parameter.mix]
        if level.isSteady && width.isSteady && mix.isSteady {
            let share = mix.target * 0.01
            let wet = loudness(level.target) * share, dry = 1 - share
            let same = wet * (0.5 + width.target * 0.005), other = wet * (0.5 - width.target * 0.005)
            if other == 0 && dry == 0 {
                rt_scale(outLeft, wetLeft, same, count)
                return rt_scale(outRight, wetRight, same, count)
            }
            kernel_blend_wide(outLeft, outRight, wetLeft, wetRight, left, right, same, other, dry, count)
        } else {
            let steady = loudness(level.target)
            for k in 0..<count {
                let i = from &+ k
                let share = mix[i] * 0.01
                let wet = (level.isSteady ? steady : Decibels.amplitude(level[i])) * share, dry = 1 - share
                let same = wet * (0.5 + width[i] * 0.005), other = wet * (0.5 - width[i] * 0.005)
                let l = wetLeft[k], r = wetRight[k]
                outLeft[k] = l * same + r * other + left[k] * dry
                outRight[k] = r * same + l * other + right[k] * dry
            }
        }
    }

    /// Empties the hall.
    @_noLocks public mutating func clear() {
        leftDiffuser.clear()
        rightDiffuser.clear()
        network.clear()
        leftLine.clear()
        rightLine.clear()
        leftEarly.clear()
        rightEarly.clear()
        rt_zero(low, 2)
        rt_zero(scratch, 6 &* DelayLine.run)
    }
}
