import DSP
import RealtimeCore
import UnitAPI

/// Noise: white as a detuned radio, pink as rain, brown as a waterfall far away.
///
/// Its source is a hash of the sample time (`CounterNoise`): the same for any slices and after any sleep. Pink and brown are
/// filters of it (`PinkFilter`, `BrownFilter`), which begin at rest whenever the noise begins. Levels are roots of the mean
/// square over all frequencies: white has its peaks 4.8 dB above, pink and brown some 12 dB.
public struct Noise: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "nois", manufacturer: .carillon), name: "noise",
        summary: "White, pink or brown noise.", outputs: [.init("main")], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case running, colour, level, correlation, fade, seed

        public var spec: ParameterSpec {
            switch self {
            case .running: .running(help: "Whether it sounds; it comes and goes within the fade.")
            case .colour:
                .choice(
                    "colour", ["white", "pink", "brown"], default: 1,
                    help: "The same power at every frequency, 3 dB an octave less, or 6 dB an octave less.")
            case .level:
                .decibels(
                    "level", -120...0, -30,
                    "Root of the mean square, where 0 dB is a full-scale square wave; -120 dB is silence.")
            case .correlation:
                .percent(
                    "correlation", 0...100, 0,
                    "How alike the sides are: 0 is a noise for each of them, 100 the same on both.")
            case .fade: .time("fade", 0.005...60, 0.05, smoothing: 0, "How long it takes to come and to go.")
            case .seed:
                .number(
                    "seed", 0...9999, 0, applies: .atStart,
                    "A whole number; generators of the same number make the same noise, of another one another noise.")
            }
        }
    }

    private let sampleRate: Double
    private let source: CounterNoise
    private let step: Double
    private var leftPink: PinkFilter, rightPink: PinkFilter
    private var leftBrown: BrownFilter, rightBrown: BrownFilter
    private var loudness = AmplitudeMemo()
    /// The height to which the noise has come up: 0...1; at 0 it is at rest.
    private var height = 0.0
    /// The part of each colour that is heard: 0...1.
    private var white = 0.0, pink = 0.0, brown = 0.0

    public init(_ setup: UnitSetup) {
        sampleRate = setup.sampleRate
        source = CounterNoise(seed: UInt64(setup.value(of: Parameter.seed) + 0.5))
        step = 1 / (0.02 * setup.sampleRate)
        leftPink = PinkFilter(sampleRate: setup.sampleRate)
        rightPink = PinkFilter(sampleRate: setup.sampleRate)
        leftBrown = BrownFilter(sampleRate: setup.sampleRate)
        rightBrown = BrownFilter(sampleRate: setup.sampleRate)
    }

    /// A uniform sample has this share of its peak as the root of its mean square, turned round: the square root of 3.
    private static var peak: Double { @_noLocks get { 1.7320508075688772 } }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let isRunning = io[Parameter.running].target >= 0.5
        if !isRunning && height == 0 { return .silent }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        let level = io[Parameter.level], correlation = io[Parameter.correlation]
        let colour = Int(io[Parameter.colour].target + 0.5)
        let rise = 1 / (Double(io[Parameter.fade].target) * sampleRate)
        for frame in 0..<io.frames {
            if height == 0 { begin(colour) }
            height = isRunning ? min(height + rise, 1) : max(height - rise, 0)
            if height == 0 {
                rest()
                (left[frame], right[frame]) = (0, 0)
                continue
            }
            approach(colour)
            let (l, r) = sound(at: (io.sampleTime + frame).rawValue)
            let share = Double(correlation[frame]) * 0.01
            let both = share * l + DeterministicMath.squareRoot(1 - share * share) * r
            let amplitude = Double(loudness(level[frame])) * Self.peak * height
            // Silence is 0 and never -0: the same whether it is asleep or not.
            left[frame] = Float(l * amplitude) + 0
            right[frame] = Float(both * amplitude) + 0
        }
        return .sounding
    }

    @_noLocks public mutating func reset() {
        height = 0
        rest()
    }

    @_noLocks private mutating func sound(at time: Int64) -> (left: Double, right: Double) {
        let (l, r) = source.pair(at: time)
        var left = white * l, right = white * r
        if pink > 0 {
            left += pink * leftPink.process(l)
            right += pink * rightPink.process(r)
        }
        if brown > 0 {
            left += brown * leftBrown.process(l)
            right += brown * rightBrown.process(r)
        }
        return (left, right)
    }

    @_noLocks private mutating func begin(_ colour: Int) {
        white = colour == 0 ? 1 : 0
        pink = colour == 1 ? 1 : 0
        brown = colour == 2 ? 1 : 0
    }

    /// Goes a frame of the way to a colour; filters of those that are not heard any more forget what they heard.
    @_noLocks private mutating func approach(_ colour: Int) {
        white = moved(white, colour == 0)
        if pink > 0 || colour == 1 {
            pink = moved(pink, colour == 1)
            if pink == 0 { clearPink() }
        }
        if brown > 0 || colour == 2 {
            brown = moved(brown, colour == 2)
            if brown == 0 { clearBrown() }
        }
    }

    @_noLocks private func moved(_ share: Double, _ isWanted: Bool) -> Double {
        isWanted ? min(share + step, 1) : max(share - step, 0)
    }

    @_noLocks private mutating func rest() {
        clearPink()
        clearBrown()
    }

    @_noLocks private mutating func clearPink() {
        leftPink.clear()
        rightPink.clear()
    }

    @_noLocks private mutating func clearBrown() {
        leftBrown.clear()
        rightBrown.clear()
    }
}
