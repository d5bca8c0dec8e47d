import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// The end of an installation's line: how loud each of two loudspeakers is, and how late.
///
/// The nearer of two speakers is delayed until both reach the listener together: 2.9 ms a metre. A delay changes by a fade from
/// the old place to the new one, so that nothing changes its pitch. `SpeakerCall` identifies the speakers.
public struct Speakers: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "spkr", manufacturer: .carillon), name: "speakers",
        summary: "Level and delay of each loudspeaker.",
        inputs: [.init("main")], outputs: [.init("main")], tail: 0.55)

    public enum Parameter: Int, UnitParameter {
        case leftTrim, rightTrim, leftDelay, rightDelay

        public var spec: ParameterSpec {
            switch self {
            case .leftTrim: Self.trim("left")
            case .rightTrim: Self.trim("right")
            case .leftDelay: Self.delay("left")
            case .rightDelay: Self.delay("right")
            }
        }

        private static func trim(_ side: String) -> ParameterSpec {
            .decibels("\(side)-trim", -120...12, 0, "How loud the \(side) speaker is; -120 dB is silence.")
        }

        private static func delay(_ side: String) -> ParameterSpec {
            .seconds(
                "\(side)-delay", 0...0.5, 0, smoothing: 0,
                "How much later the \(side) speaker is: 2.9 ms for each metre that it is nearer.")
        }
    }

    /// One speaker: the sound that is on its way to it, and how long that takes now and before the last change.
    private struct Side: ~Copyable {
        let line: DelayLine
        var loudness = AmplitudeMemo()
        var now = 0, former = 0

        init(longest: Int) { line = DelayLine(longest: longest) }
    }

    /// Runs of 64 frames in which a delay becomes another: 1024 frames.
    private static var fadeRuns: Int { @_noLocks get { 16 } }

    private let sampleRate: Double
    private var left: Side, right: Side
    /// The longest lag of a speaker. Unit: frames.
    public let memory: Int
    public var runs = EffectRuns()
    private var fade = fadeRuns

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        let longest = Int(0.5 * setup.sampleRate) + 1
        left = Side(longest: longest)
        right = Side(longest: longest)
        memory = longest + DelayLine.run
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
        fade = Self.fadeRuns
    }

    /// Both are where the parameters want them.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        left.now = frames(io[Parameter.leftDelay].target)
        right.now = frames(io[Parameter.rightDelay].target)
        (left.former, right.former) = (left.now, right.now)
        fade = Self.fadeRuns
    }

    /// A fade goes on, or begins if a delay is another: one after the other.
    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        if fade < Self.fadeRuns { fade &+= 1 }
        if fade < Self.fadeRuns { return }
        (left.former, right.former) = (left.now, right.now)
        left.now = frames(io[Parameter.leftDelay].target)
        right.now = frames(io[Parameter.rightDelay].target)
        if left.now != left.former || right.now != right.former { fade = 0 }
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        Self.pass(&left, io, 0, io[Parameter.leftTrim], run, fade)
        Self.pass(&right, io, 1, io[Parameter.rightTrim], run, fade)
    }

    /// Nothing is on its way any more.
    @_noLocks public mutating func clear() {
        left.line.clear()
        right.line.clear()
    }

    @_noLocks private func frames(_ seconds: Float) -> Int { Int(Double(seconds) * sampleRate + 0.5) }

    @_noLocks private static func pass(
        _ side: inout Side, _ io: borrowing RenderIO, _ channel: Int, _ trim: ParameterRamp, _ run: EffectRun,
        _ fade: Int
    ) {
        side.line.write(io.input(0, channel).base + run.start, run.count, at: run.position)
        let output = io.output(0, channel).base + run.start
        let now = side.line.read(side.now, before: run.position)
        if fade < fadeRuns && side.now != side.former {
            let former = side.line.read(side.former, before: run.position)
            for k in 0..<run.count {
                let part = Float(fade &* DelayLine.run &+ run.phase &+ k) / Float(fadeRuns &* DelayLine.run)
                output[k] = (now[k] * part + former[k] * (1 - part)) * side.loudness(trim[run.start &+ k])
            }
        } else if trim.isSteady {
            let gain = side.loudness(trim.target)
            for k in 0..<run.count { output[k] = now[k] * gain }
        } else {
            for k in 0..<run.count { output[k] = now[k] * side.loudness(trim[run.start &+ k]) }
        }
    }
}
