import CRealtime
import DSP
import RealtimeCore
import Reports
import UnitAPI

/// A pitch shifter: the same performance in another key, up to an octave up or down, at the same speed.
///
/// It is not a transposer of notes: it takes sound apart and puts it together again, and so it is late, by the same time at
/// every pitch: the graph delays parallel paths to match. With `formants` a voice keeps its colour. The work is
/// librubberband's (C. Cannam, engine R3, as of version 3.1), which is not Carillon's code: it is loaded when the first such
/// unit is made, and the process is then under the GPL. Its use of memory and locks is not proven; see <doc:Licences>. The
/// same input gives the same bytes in the same process at every block size, not on every machine.
public struct PitchShift: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "ptch", manufacturer: .carillon), name: "pitch-shift",
        summary: "The same performance in another key, at the same speed.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 0.9, readouts: ["underrun-frames"], runsForeignCode: true)

    public enum Parameter: Int, UnitParameter {
        case semitones, cents, formants, mix

        public var spec: ParameterSpec {
            switch self {
            case .semitones: .semitones("semitones", -12...12, 0, smoothing: 0, "How far the pitch moves, in semitones.")
            case .cents: .cents("cents", -100...100, 0, smoothing: 0, "Added to semitones.")
            case .formants:
                .toggle("formants", default: false, help: "Whether a voice keeps its colour while its pitch moves.")
            case .mix: .percent("mix", 0...100, 100, "0 is the unchanged sound, delayed; 100 only the shifted one.")
            }
        }
    }

    /// Frames that the library is given at once, so that the call's length does not matter.
    private static var grain: Int { @_noLocks get { 256 } }

    private let stretcher: RubberBandCalls.Stretcher
    /// Frames of input around what the library makes a frame of, half its window.
    private let pad: Int
    /// Frames by which sound is late at every pitch: the most by which the newest frame from the library may be later than
    /// the input, and the frames that are lost at the lowest pitch.
    public let latency: Int
    /// The latency and twice the library's window, in frames.
    public let memory: Int
    public var runs = EffectRuns()
    private let wetLeft: DelayLine, wetRight: DelayLine, dryLeft: DelayLine, dryRight: DelayLine
    private var owned: OwnedMemory
    /// The grain that comes in; then runs of what is heard.
    private let scratch: UnsafeMutablePointer<Float>
    private let input: UnsafeMutablePointer<UnsafePointer<Float>>, output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Frames that went into the library since the last reset, and that came from it, counted from where the silence in
    /// front ends. Sleep is left out: what the library was given last before it was silence.
    private var taken = 0, made = 0
    private var underruns: Float = 0
    private var pitch = 0.0, keepsFormants = false
    /// Holds its sound back, so that it is late by the same time at every pitch.
    private var holding = FadingDelay()

    public init(_ setup: UnitSetup) throws(UnitError) {
        let rate = Int(setup.sampleRate.rounded()), supported = 8_000.0...192_000.0
        guard supported.contains(setup.sampleRate) else {
            throw .unsupportedSampleRate(unit: Self.descriptor.name, asked: setup.sampleRate, supported: supported)
        }
        do throws(Fault) {
            stretcher = try RubberBandCalls.make(
                sampleRate: rate, channels: 2, ratio: 1, pitch: 1, isRealTime: true, keepsFormants: false)
        } catch { throw error.of(unit: Self.descriptor.name) }
        owned = OwnedMemory()
        RubberBandCalls.setLongest(stretcher, Self.grain)
        pad = RubberBandCalls.pad(stretcher)
        latency = 2 * pad + 2 * Self.grain + Self.late(-13, pad)
        memory = latency + 4 * pad
        let longest = latency + 2 * pad + 4 * Self.grain
        wetLeft = DelayLine(longest: longest)
        wetRight = DelayLine(longest: longest)
        dryLeft = DelayLine(longest: longest)
        dryRight = DelayLine(longest: longest)
        scratch = owned.make(2 * Self.grain + 2 * DelayLine.run, of: 0)
        input = owned.make(2, of: UnsafePointer(scratch))
        (input + 1).pointee = UnsafePointer(scratch + Self.grain)
        output = owned.make(2, of: scratch)
        warm()
        made = restarted()
    }

    deinit {
        RubberBandCalls.close(stretcher)
    }

    /// Makes the library take its memory for every pitch, on silence.
    private func warm() {
        for semitones in [-13.0, 13, 0] {
            RubberBandCalls.setPitch(stretcher, Semitones.factor(semitones))
            RubberBandCalls.keepFormants(stretcher, semitones != 0)
            for _ in 0..<2 * pad / Self.grain {
                RubberBandCalls.process(stretcher, input, Self.grain, isLast: false)
                var left = RubberBandCalls.available(stretcher)
                while left > 0 {
                    output[0] = scratch + 2 * Self.grain
                    output[1] = scratch + (2 * Self.grain + DelayLine.run)
                    left -= RubberBandCalls.retrieve(stretcher, output, min(left, DelayLine.run))
                }
            }
        }
    }

    /// The library's window, half of which is `pad`, becomes shorter or longer with the period.
    @_noLocks private static func late(_ semitones: Double, _ pad: Int) -> Int {
        let frames = Double(pad) * (Semitones.factor(-semitones) - 1)
        return Int(DeterministicMath.floor(frames + 0.5))
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks public mutating func reset() {
        clear()
        (taken, made) = (0, restarted())
        (pitch, keepsFormants) = (0, false)
        runs = EffectRuns()
        underruns = 0
    }

    /// Puts silence into the library, as much as it needs before a sound. Returns the frames that came from it, as `made` counts.
    @_noLocks private func restarted() -> Int {
        RubberBandCalls.startAgain(stretcher)
        RubberBandCalls.setPitch(stretcher, 1)
        RubberBandCalls.keepFormants(stretcher, false)
        rt_zero(scratch, 2 &* Self.grain)
        var made = -pad
        for _ in 0..<pad / Self.grain { made = shifted(made) }
        return made
    }

    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        // It fell asleep on a multiple of 64 frames; up to here it goes on with silence.
        let phase = Int((io.sampleTime + i).rawValue % Int64(DelayLine.run)), place = taken & (Self.grain &- 1)
        rt_zero(scratch + place, phase)
        rt_zero(scratch + (Self.grain &+ place), phase)
        taken &+= phase
        turn(io, at: i)
        holding = FadingDelay(hold())
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) { holding.step(to: hold()) }

    /// The frames by which the library's sound is later than the input; 8 more, for it may be early by some.
    @_noLocks private func hold() -> Int { latency &- Self.late(pitch, pad) &+ 8 }

    @_noLocks private mutating func turn(_ io: borrowing RenderIO, at i: Int) {
        let semitones = Double(io[Parameter.semitones][i]) + Double(io[Parameter.cents][i]) * 0.01
        if semitones != pitch {
            RubberBandCalls.setPitch(stretcher, Semitones.factor(semitones))
            pitch = semitones
        }
        let isKept = io[Parameter.formants][i] >= 0.5
        if isKept != keepsFormants {
            RubberBandCalls.keepFormants(stretcher, isKept)
            keepsFormants = isKept
        }
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let left = io.input(0, 0).base + run.start, right = io.input(0, 1).base + run.start
        let outLeft = io.output(0, 0).base + run.start, outRight = io.output(0, 1).base + run.start
        let place = taken & (Self.grain &- 1)
        rt_copy(scratch + place, left, run.count)
        rt_copy(scratch + (Self.grain &+ place), right, run.count)
        dryLeft.write(left, run.count, at: taken)
        dryRight.write(right, run.count, at: taken)
        let shiftedLeft = scratch + 2 &* Self.grain, shiftedRight = shiftedLeft + DelayLine.run
        let missing = missing(run)
        if missing > 0 { underruns += Float(Int32(truncatingIfNeeded: missing)) }
        hear(wetLeft, run, missing > 0, shiftedLeft)
        hear(wetRight, run, missing > 0, shiftedRight)
        let plainLeft = dryLeft.read(latency, before: taken), plainRight = dryRight.read(latency, before: taken)
        let mix = io[Parameter.mix]
        for k in 0..<run.count {
            let share = mix[run.start &+ k] * 0.01
            outLeft[k] = shiftedLeft[k] * share + plainLeft[k] * (1 - share)
            outRight[k] = shiftedRight[k] * share + plainRight[k] * (1 - share)
        }
        taken &+= run.count
        if place &+ run.count == Self.grain {
            turn(io, at: run.start &+ run.count &- 1)
            made = shifted(made)
        }
        io.publish(0, underruns)
    }

    @_noLocks private func missing(_ run: EffectRun) -> Int {
        max(min(taken &- holding.least &+ run.count &- made, run.count), 0)
    }

    @_noLocks private func hear(
        _ line: borrowing DelayLine, _ run: EffectRun, _ isMissing: Bool, _ to: UnsafeMutablePointer<Float>
    ) {
        if isMissing { return rt_zero(to, run.count) }
        holding.read(line, before: taken, phase: run.phase, run.count, to: to)
    }

    @_noLocks private func shifted(_ made: Int) -> Int {
        var made = made
        RubberBandCalls.process(stretcher, input, Self.grain, isLast: false)
        var left = RubberBandCalls.available(stretcher)
        while left > 0 {
            output[0] = wetLeft.open(made)
            output[1] = wetRight.open(made)
            let room = DelayLine.run &- made & (DelayLine.run &- 1)
            let count = RubberBandCalls.retrieve(stretcher, output, min(left, room))
            if count == 0 { break }
            wetLeft.close(made, count)
            wetRight.close(made, count)
            made &+= count
            left &-= count
        }
        return made
    }

    /// Clears the output; the library holds silence by now.
    @_noLocks public mutating func clear() {
        wetLeft.clear()
        wetRight.clear()
        dryLeft.clear()
        dryRight.clear()
    }
}
