import CKernels
import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A convolver: the very room, cabinet or device whose answer to a click is in an audio file.
///
/// It is not a model: every sample makes here what a click made there, exactly (`PartitionedConvolution`, which names the
/// sources), and without a delay. The property `file` names the response, of any format that libsndfile reads, up to 20
/// seconds: mono for both sides, stereo, or with four channels every way from a side to a side. Without a file it is a plain
/// hall of its own: noise that dies away in `decay`. Parameters that move while it sounds are around the response; the
/// response itself is chosen at the start.
public struct Convolver: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "conv", manufacturer: .carillon), name: "convolver",
        summary: "The room, cabinet or device whose answer to a click is in an audio file.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 21, gap: 0.5, properties: ["file"])

    public enum Parameter: Int, UnitParameter {
        case decay, length, normalize, preDelay, level, mix

        public var spec: ParameterSpec {
            switch self {
            case .decay:
                .time(
                    "decay", 0.1...10, 1.8, applies: .atStart,
                    "How long the hall used without a file takes to decay by 60 dB.")
            case .length:
                .time(
                    "length", 0.001...20, 20, applies: .atStart,
                    "How much of the response is heard; where it is longer, it fades out in the last tenth.")
            case .normalize:
                .toggle(
                    "normalize", default: true, applies: .atStart,
                    help: "Whether the response is scaled to keep the level of noise; otherwise the file's own level is used.")
            case .preDelay:
                .seconds("pre-delay", 0...0.5, 0, smoothing: 0, "How long the room takes to answer; a change is cross-faded.")
            case .level: .decibels("level", -120...12, 0, "How loud the room is; -120 dB is silence.")
            case .mix:
                .percent(
                    "mix", 0...100, 100,
                    "0 is the unchanged sound, 100 only the room, as a send effect and a cabinet want it.")
            }
        }
    }

    private let sampleRate: Double
    private var convolution: PartitionedConvolution
    private let left: DelayLine, right: DelayLine
    private let scratch: UnsafeMutablePointer<Float>
    /// The response and the longest pre-delay, in frames.
    public let memory: Int
    public var runs = EffectRuns()
    private var loudness = AmplitudeMemo()
    private var preDelay = FadingDelay()

    public init(_ setup: UnitSetup) throws(UnitError) {
        var response = try Self.response(setup)
        response.cut(to: Double(setup.value(of: Parameter.length)))
        if setup.value(of: Parameter.normalize) >= 0.5 { response.normalize() }
        sampleRate = setup.sampleRate
        convolution = PartitionedConvolution(responses: response.planes)
        let longest = Int(0.5 * setup.sampleRate) + 1
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        scratch = UnsafeMutableRawPointer.allocate(byteCount: 16 * DelayLine.run, alignment: 64)
            .initializeMemory(as: Float.self, repeating: 0, count: 4 * DelayLine.run)
        memory = convolution.length + longest + DelayLine.run
    }

    deinit { UnsafeMutableRawPointer(scratch).deallocate() }

    private static func response(_ setup: UnitSetup) throws(UnitError) -> ImpulseResponse {
        switch setup.properties["file"] {
        case nil:
            return ImpulseResponse(decay: Double(setup.value(of: Parameter.decay)), sampleRate: setup.sampleRate)
        case .text(let path):
            do { return try ImpulseResponse(path: path, sampleRate: setup.sampleRate) } catch {
                throw error.of(unit: descriptor.name)
            }
        default:
            throw .invalidProperty(unit: descriptor.name, property: "file", reason: "is the path of an audio file, as text")
        }
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        preDelay = FadingDelay(delay(io, at: i))
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        preDelay.step(to: delay(io, at: i))
    }

    @_noLocks private func delay(_ io: borrowing RenderIO, at i: Int) -> Int {
        Int(Double(io[Parameter.preDelay][i]) * sampleRate)
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let inLeft = io.input(0, 0).base + run.start, inRight = io.input(0, 1).base + run.start
        let wetLeft = scratch + 2 &* DelayLine.run, wetRight = scratch + 3 &* DelayLine.run
        delay(left, inLeft, scratch, run)
        delay(right, inRight, scratch + DelayLine.run, run)
        convolution.process(scratch, scratch + DelayLine.run, wetLeft, wetRight, run.count, at: run.position)
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let level = io[Parameter.level], mix = io[Parameter.mix]
        if level.isSteady && mix.isSteady {
            let share = mix.target * 0.01, wet = loudness(level.target) * share
            kernel_blend(outLeft, wetLeft, inLeft, wet, 1 - share, run.count)
            return kernel_blend(outRight, wetRight, inRight, wet, 1 - share, run.count)
        }
        for k in 0..<run.count {
            let share = mix[run.start &+ k] * 0.01, wet = loudness(level[run.start &+ k]) * share
            outLeft[k] = wetLeft[k] * wet + inLeft[k] * (1 - share)
            outRight[k] = wetRight[k] * wet + inRight[k] * (1 - share)
        }
    }

    @_noLocks private func delay(
        _ line: borrowing DelayLine, _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ run: EffectRun
    ) {
        line.write(from, run.count, at: run.position)
        preDelay.read(line, before: run.position, phase: run.phase, run.count, to: to)
    }

    /// Empties the room.
    @_noLocks public mutating func clear() {
        convolution.clear()
        left.clear()
        right.clear()
    }
}
