/// One parameter, declared once: from this value come the command line's `--set`, the reference and the render side's
/// smoothing.
public struct ParameterSpec: Sendable {
    /// The unit of measure of a value.
    public enum Unit: Sendable, Hashable {
        case none, decibels, hertz, seconds, percent, cents, semitones, ratio, voices, frames
        /// -100 is left, 0 the middle, 100 right.
        case pan
        /// Off below 0.5, on above.
        case toggle
        /// One of these names, by index.
        case choice([String])
    }
    /// The way in which a fraction 0...1 (a controller, a slider) spreads over the range.
    public enum Curve: Sendable, Hashable { case linear, logarithmic }
    /// The thing that has a value of its own: the unit, each of its input buses, or each of its bands (`UnitDescriptor.bands`):
    /// the bands of an equaliser, the taps of a delay.
    public enum Scope: Sendable, Hashable { case global, input, band }
    /// When a new value takes effect.
    public enum Application: Sendable, Hashable { case live, atStart }

    /// Stable kebab-case name, unique in its unit.
    public var name: String
    /// Lowest and highest value, in `unit`.
    public var range: ClosedRange<Float>
    /// The value at the start, in range.
    public var initial: Float
    /// The unit of measure of the values.
    public var unit: Unit
    /// The curve by which a controller spreads over the range.
    public var curve: Curve
    /// One value for the unit, one per input bus, or one per band.
    public var scope: Scope
    /// The values of the bands at the start, in range; empty if all of them start at `initial`.
    public var bandInitials: [Float]
    /// Seconds of linear ramp after a change; 0 for a step.
    public var smoothing: Double
    /// While sounding, or only when the unit is made.
    public var applies: Application
    /// The MIDI controller that moves it, if one does: 0...127.
    public var controller: UInt8?
    /// The message to the effects that moves it, if one does.
    public var effect: EffectLink?
    /// True for a tempo, in quarter notes a minute, that follows the song's while one plays (`MusicEvent.time`).
    public var followsTempo: Bool
    /// True for a parameter that solos: the graph silences everything that is added up with the unit, or with the mixer's
    /// input, and is not soloed.
    public var solos: Bool
    /// One sentence: what it does to the sound.
    public var help: String

    /// A declaration. A continuous parameter glides for 20 ms by default; toggles and choices step.
    public init(
        _ name: String, _ range: ClosedRange<Float>, default initial: Float, unit: Unit = .none,
        curve: Curve = .linear, scope: Scope = .global, bandDefaults: [Float] = [], smoothing: Double = 0.02,
        applies: Application = .live, controller: UInt8? = nil, effect: EffectLink? = nil,
        followsTempo: Bool = false, solos: Bool = false, help: String
    ) {
        (self.name, self.range, self.initial, self.unit, self.curve, self.scope) = (name, range, initial, unit, curve, scope)
        bandInitials = bandDefaults
        switch unit {
        case .toggle, .choice: self.smoothing = 0
        default: self.smoothing = applies == .atStart ? 0 : smoothing
        }
        (self.applies, self.controller, self.effect, self.followsTempo) = (applies, controller, effect, followsTempo)
        (self.solos, self.help) = (solos, help)
    }

    /// A unit of measure with its usual curve; called, it makes a declaration of name, range, value at the start and help.
    package struct Measure: Sendable {
        fileprivate let unit: Unit
        fileprivate var curve = Curve.linear

        package func callAsFunction(
            _ name: String, _ range: ClosedRange<Float>, _ initial: Float, scope: Scope = .global, bandDefaults: [Float] = [],
            smoothing: Double = 0.02, applies: Application = .live, controller: UInt8? = nil, effect: EffectLink? = nil,
            _ help: String
        ) -> ParameterSpec {
            ParameterSpec(
                name, range, default: initial, unit: unit, curve: curve, scope: scope, bandDefaults: bandDefaults,
                smoothing: smoothing, applies: applies, controller: controller, effect: effect, help: help)
        }
    }

    package static let number = Measure(unit: .none), decibels = Measure(unit: .decibels), percent = Measure(unit: .percent)
    package static let cents = Measure(unit: .cents), semitones = Measure(unit: .semitones), seconds = Measure(unit: .seconds)
    /// Seconds and hertz on a logarithmic curve.
    package static let time = Measure(unit: .seconds, curve: .logarithmic)
    package static let frequency = Measure(unit: .hertz, curve: .logarithmic)

    /// The tempo of a unit that follows the song's, and keeps its own if no song plays or if `held` names it: 120 by default.
    ///
    /// Its unit declares `EffectLink.heldProperty` and checks it (`UnitSetup.checkHeldParameters`).
    public static func tempo(
        _ range: ClosedRange<Float> = 20...400, default initial: Float = 120, help: String
    ) -> ParameterSpec {
        ParameterSpec("tempo", range, default: initial, smoothing: 0, followsTempo: true, help: help)
    }

    /// The switch of a unit that sounds by itself: noise, a drone, a drum machine. On by default. A render with an automatic
    /// tail switches it off where the song ends.
    public static func running(help: String) -> ParameterSpec { .toggle(runningName, default: true, help: help) }

    /// True for the switch of a unit that sounds by itself.
    public var switchesUnit: Bool {
        if case .toggle = unit { name == Self.runningName && scope == .global } else { false }
    }

    private static let runningName = "running"

    /// An on/off parameter.
    public static func toggle(
        _ name: String, default isOn: Bool, scope: Scope = .global, applies: Application = .live,
        controller: UInt8? = nil, help: String
    ) -> ParameterSpec {
        ParameterSpec(
            name, 0...1, default: isOn ? 1 : 0, unit: .toggle, scope: scope, applies: applies, controller: controller,
            help: help)
    }

    /// The solo of a channel: a strip's, or one for each input of a mixer. The unit itself does nothing about it. The graph
    /// silences what is added up with the channel and not soloed, its sends to effects too, so that the soloed channels of a mix
    /// add up to the mix.
    public static func solo(scope: Scope = .global, help: String) -> ParameterSpec {
        ParameterSpec("solo", 0...1, default: 0, unit: .toggle, scope: scope, solos: true, help: help)
    }

    /// A parameter with named values.
    public static func choice(
        _ name: String, _ names: [String], default index: Int, scope: Scope = .global, bandDefaults: [Int] = [],
        applies: Application = .live, help: String
    ) -> ParameterSpec {
        ParameterSpec(
            name, 0...Float(names.count - 1), default: Float(index), unit: .choice(names), scope: scope,
            bandDefaults: bandDefaults.map(Float.init), applies: applies, help: help)
    }

    /// The value that element `element` has at the start.
    public func initial(of element: Int) -> Float {
        bandInitials.indices.contains(element) ? bandInitials[element] : initial
    }
}

/// The parameters of a unit: an enum whose exhaustive switch gives one `ParameterSpec` per case, so that the compiler refuses
/// a case without one.
public protocol UnitParameter: RawRepresentable<Int>, CaseIterable, Sendable {
    /// The declaration of this parameter. Raw values count from 0.
    var spec: ParameterSpec { get }
}

extension UnitParameter {
    static var specs: [ParameterSpec] {
        for (index, parameter) in allCases.enumerated() {
            precondition(parameter.rawValue == index, "raw values of parameters count from 0")
        }
        return allCases.map(\.spec)
    }
}

/// The parameters of a unit that has none.
public enum NoParameter: Int, UnitParameter {
    // An enum cannot be both raw-valued and empty, so the list of all cases is.
    case none
    public static var allCases: [NoParameter] { [] }
    public var spec: ParameterSpec { ParameterSpec("none", 0...1, default: 0, help: "Nothing.") }
}
