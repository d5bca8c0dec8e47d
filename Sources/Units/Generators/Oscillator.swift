import DSP
import RealtimeCore
import UnitAPI

/// An oscillator: a steady sine, triangle, saw or square, to test with, to tune by, or to sing under other things.
///
/// It is not an instrument: it plays no notes. No shape makes aliases (`WaveOscillator`). At a steady frequency its phase is
/// that of a tone that has run since sample time 0, so that two oscillators of one frequency are in step no matter when they
/// began, and whether one of them slept; a glide shifts it. A new frequency takes effect 32 frames later; another shape fades
/// in within 10 ms. At half of the sample rate and above it is silent.
public struct Oscillator: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "osci", manufacturer: .carillon), name: "oscillator",
        summary: "A steady sine, triangle, saw or square.", outputs: [.init("main")], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case running, shape, frequency, level, width, phase, fade

        public var spec: ParameterSpec {
            switch self {
            case .running: .running(help: "Whether it sounds; it comes and goes within the fade.")
            case .shape:
                .choice(
                    "shape", ["sine", "triangle", "saw", "square"], default: 0,
                    help: "Its partials: none, soft odd ones, all of them, or odd ones.")
            case .frequency: .frequency("frequency", 1...20_000, 440, "Periods per second.")
            case .level:
                .decibels("level", -120...0, -20, "Peak of the plain shape, where 0 dB is full scale; -120 dB is silence.")
            case .width:
                .percent(
                    "pulse-width", 1...99, 50,
                    "The part of a period in which a square is high; other shapes have no use for it.")
            case .phase:
                .number(
                    "phase", -180...180, 0,
                    "Degrees by which the right side is ahead of the left one; at 180 mono cancels both.")
            case .fade: .time("fade", 0.005...60, 0.02, smoothing: 0, "How long it takes to come and to go.")
            }
        }
    }

    private let sampleRate: Double
    private var owned = OwnedMemory()
    private let workspaces: UnsafeMutablePointer<Float>
    private var left: WaveOscillator, right: WaveOscillator
    private var loudness = AmplitudeMemo()
    private var shape = 0
    /// The lead of the right side, in turns of 64 bits.
    private var ahead: Int64 = 0
    /// The height to which the sound has come up, and that of the shape: 0...1. If the height is 0 it is at rest.
    private var height = 0.0, presence = 1.0
    private let step: Double

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        step = 1 / (0.005 * setup.sampleRate)
        let count = WaveOscillator.workspaceCount
        workspaces = owned.make(2 * count, of: 0)
        left = WaveOscillator(workspace: workspaces)
        right = WaveOscillator(workspace: workspaces + count)
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let isRunning = io[Parameter.running].target >= 0.5
        if !isRunning && height == 0 { return .silent }
        let outLeft = io.output(0, 0).base, outRight = io.output(0, 1).base
        let level = io[Parameter.level], frequency = io[Parameter.frequency], phase = io[Parameter.phase]
        let width = io[Parameter.width], wanted = Int(io[Parameter.shape].target + 0.5)
        let rise = 1 / (Double(io[Parameter.fade].target) * sampleRate)
        for frame in 0..<io.frames {
            let ratio = Double(frequency[frame]) / sampleRate, turn = Self.turn(ratio), part = width[frame] * 0.01
            if height == 0 && isRunning {
                begin(wanted, turn, Self.angle(phase[frame]), part, at: (io.sampleTime + frame).rawValue)
            }
            height = isRunning ? min(height + rise, 1) : max(height - rise, 0)
            if height == 0 {
                (outLeft[frame], outRight[frame]) = (0, 0)
                continue
            }
            approach(wanted, turn, part)
            let far = follow(Self.angle(phase[frame]), turn)
            // Just below half of the sample rate it fades out.
            let share = min(max((0.5 - ratio) * 50, 0), 1) * height * presence
            let amplitude = loudness(level[frame]) * Float(share)
            // Silence is 0 and never -0: the same whether it is asleep or not.
            outLeft[frame] = left.next(turn, width: part) * amplitude + 0
            outRight[frame] = right.next(far, width: part) * amplitude + 0
        }
        return .sounding
    }

    @_noLocks public mutating func reset() { height = 0 }

    /// Both sides begin where they would be, had they run since sample time 0.
    @_noLocks private mutating func begin(_ wanted: Int, _ turn: UInt64, _ angle: Int64, _ width: Float, at time: Int64) {
        let phase = turn &* UInt64(bitPattern: time)
        (shape, presence, ahead) = (wanted, 1, angle)
        left.start(WaveOscillator.Shape(number: wanted), at: phase, step: turn, width: width)
        right.start(
            WaveOscillator.Shape(number: wanted), at: phase &+ UInt64(bitPattern: angle), step: turn, width: width)
    }

    /// Another shape is taken over where nothing is heard.
    @_noLocks private mutating func approach(_ wanted: Int, _ turn: UInt64, _ width: Float) {
        if wanted == shape {
            presence = min(presence + step, 1)
            return
        }
        presence = max(presence - step, 0)
        if presence > 0 { return }
        shape = wanted
        left.change(to: WaveOscillator.Shape(number: wanted), step: turn, width: width)
        right.change(to: WaveOscillator.Shape(number: wanted), step: turn, width: width)
    }

    /// The turn of the right side in this frame: on its way to another angle it runs up to half as fast again, or half as fast.
    @_noLocks private mutating func follow(_ angle: Int64, _ turn: UInt64) -> UInt64 {
        if angle == ahead { return turn }
        let most = Int64(turn / 2), room = Int64.max &- Int64(turn)
        let more = max(min(angle &- ahead, min(most, room)), 0 &- most)
        ahead = ahead &+ more
        return UInt64(Int64(turn) &+ more)
    }

    /// Periods per frame, in turns of 64 bits; at most half a period.
    @_noLocks private static func turn(_ ratio: Double) -> UInt64 {
        UInt64(min(ratio, 0.4999) * 18_446_744_073_709_551_616)
    }

    /// Degrees in turns of 64 bits; the ends of the range are the same.
    @_noLocks private static func angle(_ degrees: Float) -> Int64 {
        Int64(Double(degrees) / 360 * 4_611_686_018_427_387_904) &<< 2
    }
}
