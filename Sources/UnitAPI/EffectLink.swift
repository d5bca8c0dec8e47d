// [render]
import DSP
import MIDI

/// The way in which messages to the effects, which songs send as System Exclusive, move a parameter.
///
/// A parameter that declares one moves with the messages of its ports (`MusicEvent.effect`), and goes back to what was set when
/// the port is reset. What is set while it sounds is what it goes back to from then on.
public struct EffectLink: Sendable, Hashable {
    /// The rule by which a message's value and the value that was set become the parameter's.
    public enum Law: Sendable, Hashable {
        /// The message's value, multiplied.
        case value(times: Float)
        /// The message's value, multiplied, in addition to the setting.
        case beside(times: Float)
        /// The value that was set, times the message's factor.
        case factor
        /// The value that was set, in decibels, raised by the message's factor on the amplitude.
        case decibels
    }

    /// The message.
    public let parameter: EffectParameter
    /// The rule by which the message's value acts.
    public let law: Law

    /// Creates a link; by itself the message's value is the parameter's.
    public init(_ parameter: EffectParameter, _ law: Law = .value(times: 1)) {
        self.parameter = parameter
        self.law = law
    }

    /// The name of the property that lists parameters which messages, or the song's tempo, leave alone, with spaces between. A
    /// unit with links or a tempo that follows declares it.
    public static let heldProperty = "held"
    /// The name of the property that says which effect's messages a unit follows that may be part of several: `reverb`,
    /// `chorus` or `delay`. A unit that declares it checks it (`UnitSetup.checkPlace`).
    public static let placeProperty = "place"
}

/// The effect whose place a unit takes.
package enum EffectPlace: String, CaseIterable, Sendable {
    case reverb, chorus, delay

    /// The parameter whose messages move what is declared to follow `parameter`.
    func message(_ parameter: EffectParameter) -> EffectParameter {
        switch (self, parameter) {
        case (.chorus, .reverbHighCut): .chorusHighCut
        case (.chorus, .reverbLowCut): .chorusLowCut
        case (.delay, .reverbHighCut): .delayHighCut
        case (.delay, .reverbLowCut): .delayLowCut
        case (.reverb, _): parameter.ofEcho
        default: parameter
        }
    }
}

extension EffectLink {
    /// The parameters that a unit with these properties holds, in order.
    package static func held(in properties: [String: PropertyValue]) -> [String] {
        guard case .text(let names) = properties[heldProperty] else { return [] }
        return names.split(separator: " ").map(String.init)
    }
}

extension UnitSetup {
    var heldParameters: Set<String> { Set(EffectLink.held(in: properties)) }

    var effectPlace: EffectPlace? {
        guard case .text(let name) = properties[EffectLink.placeProperty] else { return nil }
        return EffectPlace(rawValue: name)
    }

    /// Checks the property that names the effect whose messages a unit follows. Control side.
    public func checkPlace<U: AudioUnit & ~Copyable>(of _: U.Type) throws(UnitError) {
        if properties[EffectLink.placeProperty] == nil || effectPlace != nil { return }
        throw .invalidProperty(
            unit: U.descriptor.name, property: EffectLink.placeProperty,
            reason: "one of these is wanted: " + EffectPlace.allCases.map(\.rawValue).joined(separator: ", "))
    }

    /// Checks the property that names the parameters which messages leave alone. Control side.
    ///
    /// - Throws: what is wrong with it: no text, or a name that no message moves.
    public func checkHeldParameters<U: AudioUnit & ~Copyable>(of _: U.Type) throws(UnitError) {
        guard let value = properties[EffectLink.heldProperty] else { return }
        let linked = U.Parameter.allCases.map(\.spec).filter { $0.effect != nil || $0.followsTempo }.map(\.name)
        guard case .text = value, heldParameters.isSubset(of: linked) else {
            throw .invalidProperty(
                unit: U.descriptor.name, property: EffectLink.heldProperty,
                reason: "names of parameters with spaces between are wanted: " + linked.joined(separator: " "))
        }
    }
}

/// A link as the render side follows it.
package struct EffectTarget: BitwiseCopyable {
    /// The parameter, or -1.
    package let index: Int
    private let law: UInt8
    private let times: Float
    private let low: Float, high: Float

    static let none = EffectTarget(index: -1, law: 0, times: 0, low: 0, high: 0)

    private init(index: Int, law: UInt8, times: Float, low: Float, high: Float) {
        (self.index, self.law, self.times, self.low, self.high) = (index, law, times, low, high)
    }

    init(_ link: EffectLink, index: Int, range: ClosedRange<Float>) {
        let (law, times): (UInt8, Float) =
            switch link.law {
            case .value(let times): (0, times)
            case .beside(let times): (1, times)
            case .factor: (2, 1)
            case .decibels: (3, 1)
            }
        self.init(index: index, law: law, times: times, low: range.lowerBound, high: range.upperBound)
    }

    /// Returns the parameter's target for a message's `value`; `set` is the value that was set.
    @_noLocks package func target(_ value: Float, set: Float) -> Float {
        if value == EffectParameter.asSet { return set }
        let wanted: Float
        switch law {
        case 0: wanted = value * times
        case 1: wanted = set + value * times
        case 2: wanted = set * value
        default: wanted = set + Decibels.level(ofAmplitude: value)
        }
        return wanted > low ? (wanted < high ? wanted : high) : low
    }
}
