import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// An echo: what was played comes back, fainter and darker every time.
///
/// It is not a reverb: single repeats, in time with the music. The first is as bright as the sound was; repeats that go around
/// once more lose treble (`high-cut`) and bass (`low-cut`) each time (`LoopFilter`), as on tape. With `ping-pong` both sides
/// go in on the left and change sides with every repeat. If `sync` is on, a repeat takes `division` at `tempo`; a time of
/// more than 2 s is halved until it is not, so that it stays in the beat.
///
/// Another time is cross-faded within 1024 frames, and not reached by gliding as on a tape machine: so a change of tempo
/// does not bend the pitch of what still sounds, and repeats lie on whole frames, with no interpolation to dull them.
/// Source: U. Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd edition 2011, chapter 2: the comb filter with a filter in
/// its loop.
public struct Delay: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "dlay", manufacturer: .carillon), name: "delay",
        summary: "An echo: what was played comes back, fainter every time.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 320, gap: 2, properties: [EffectLink.heldProperty], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case time, sync, tempo, division, feedback, pingPong, highCut, lowCut, mix

        public var spec: ParameterSpec {
            switch self {
            case .time:
                .time(
                    "time", 0.01...2, 0.35, smoothing: 0,
                    "How long a repeat takes to come, where sync is off; a change is cross-faded.")
            case .sync:
                .toggle("sync", default: false, help: "Whether division and tempo say how long a repeat takes, not time.")
            case .tempo:
                .tempo(help: "Quarter notes a minute, where sync is on; the song's while one plays, unless held names it.")
            case .division:
                .choice(
                    "division", NoteDivision.names, default: 6,
                    help: "The note that a repeat takes, where sync is on; more than 2 s are halved until they are not.")
            case .feedback: .percent("feedback", 0...90, 40, "How much of a repeat is left in the next one.")
            case .pingPong:
                .fadingToggle(
                    "ping-pong", default: false, help: "Whether repeats change sides, the first of them on the left.")
            case .highCut:
                .frequency(
                    "high-cut", 200...20_000, 5000, smoothing: 0.1,
                    "Above this frequency a repeat loses treble each time; at 20 kHz it loses none.")
            case .lowCut:
                .frequency("low-cut", 10...2000, 100, smoothing: 0.1, "Below this frequency a repeat loses bass each time.")
            case .mix:
                .percent("mix", 0...100, 30, "0 is the unchanged sound, 100 only the repeats, as a send effect wants it.")
            }
        }
    }

    /// The longest repeat in seconds.
    private static var longest: Double { @_noLocks get { 2 } }
    /// Below this the loop counts as silent: -120 dB, which `Decibels` calls silence too.
    private static var threshold: Float { @_noLocks get { 1e-6 } }

    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var owned: OwnedMemory
    private let scratch: UnsafeMutablePointer<Float>
    /// The longest repeat and a run, in frames.
    public let memory: Int
    public var runs = EffectRuns()

    private var leftFilter = LoopFilter(), rightFilter = LoopFilter()
    /// The filters at the start of the current 64 frames, and at their end.
    private var start = LoopFilter.Coefficients(), end = LoopFilter.Coefficients()
    private var highCut: Float = -1, lowCut: Float = -1
    private var repeats = FadingDelay(DelayLine.run)

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        let longest = Int(Self.longest * setup.sampleRate) + 1
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        scratch = owned.make(4 * DelayLine.run, of: 0)
        memory = longest + DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        highCut = -1
        lowCut = -1
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        start = end
        repeats = FadingDelay(delay(io, at: i))
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        start = end
        let highCut = io[Parameter.highCut][i], lowCut = io[Parameter.lowCut][i]
        if highCut != self.highCut || lowCut != self.lowCut {
            end = LoopFilter.Coefficients(
                highCut: Double(highCut), lowCut: Double(lowCut), open: 20_000, sampleRate: sampleRate)
            self.highCut = highCut
            self.lowCut = lowCut
        }
        repeats.step(to: delay(io, at: i))
    }

    /// Returns the frames that a repeat takes. No fewer than a run at any sample rate: what is read has been written.
    @_noLocks private func delay(_ io: borrowing RenderIO, at i: Int) -> Int {
        var seconds = Double(io[Parameter.time][i])
        if io[Parameter.sync][i] >= 0.5 {
            seconds = NoteDivision(Int(io[Parameter.division][i] + 0.5)).seconds(tempo: io[Parameter.tempo][i])
            while seconds > Self.longest { seconds *= 0.5 }
        }
        return max(Int(seconds * sampleRate + 0.5), DelayLine.run)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let count = run.count, heardLeft = scratch, heardRight = scratch + DelayLine.run
        let againLeft = scratch + 2 &* DelayLine.run, againRight = scratch + 3 &* DelayLine.run
        repeats.read(left, before: run.position, phase: run.phase, count, to: heardLeft)
        repeats.read(right, before: run.position, phase: run.phase, count, to: heardRight)
        rt_copy(againLeft, heardLeft, count)
        rt_copy(againRight, heardRight, count)
        leftFilter.process(againLeft, count, from: start, to: end, phase: run.phase)
        rightFilter.process(againRight, count, from: start, to: end, phase: run.phase)
        feed(io, run, againLeft, againRight)
        let inLeft = io.input(0, 0).base + run.start, inRight = io.input(0, 1).base + run.start
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let mix = io[Parameter.mix]
        for k in 0..<count {
            let share = mix[run.start &+ k] * 0.01
            outLeft[k] = heardLeft[k] * share + inLeft[k] * (1 - share)
            outRight[k] = heardRight[k] * share + inRight[k] * (1 - share)
        }
    }

    @_noLocks private mutating func feed(
        _ io: borrowing RenderIO, _ run: EffectRun, _ againLeft: UnsafePointer<Float>, _ againRight: UnsafePointer<Float>
    ) {
        let inLeft = io.input(0, 0).base + run.start, inRight = io.input(0, 1).base + run.start
        let toLeft = left.open(run.position), toRight = right.open(run.position)
        let feedback = io[Parameter.feedback], pingPong = io[Parameter.pingPong]
        for k in 0..<run.count {
            let share = feedback[run.start &+ k] * 0.01, other = pingPong[run.start &+ k], same = 1 - other
            let l = againLeft[k] * share, r = againRight[k] * share
            let middle = (inLeft[k] + inRight[k]) * 0.5
            toLeft[k] = (inLeft[k] * same + middle * other) + (l * same + r * other)
            toRight[k] = inRight[k] * same + (r * same + l * other)
        }
        if runs.isQuiet && max(rt_peak(toLeft, run.count), rt_peak(toRight, run.count)) > Self.threshold { runs.stir() }
        left.close(run.position, run.count)
        right.close(run.position, run.count)
    }

    /// No repeat is left.
    @_noLocks public mutating func clear() {
        left.clear()
        right.clear()
        leftFilter = LoopFilter()
        rightFilter = LoopFilter()
    }
}
