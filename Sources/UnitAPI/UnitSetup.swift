import RealtimeCore
import Reports

/// The setup that a unit is made with: everything that may determine the size of its memory.
public struct UnitSetup: Sendable {
    /// Frames per second on every bus, one of `sampleRates`.
    public var sampleRate: Double
    /// The most frames that one call of `render` asks for: AU's MaximumFramesPerSlice.
    public var maximumFrames: Int
    /// The number of input buses: the descriptor's, or the chosen element count of a mixer.
    public var inputCount: Int
    /// Values to start with, by the parameter's name; the declared default if absent.
    public var startValues: [String: Float]
    /// Values to start with for each input bus or band, by the parameter's name; they go before `startValues`.
    public var elementValues: [String: [Float]] = [:]
    /// Properties a unit defines for itself, such as the SoundFonts of a sampler, by name.
    public var properties: [String: PropertyValue]

    /// Rates that a unit, a graph or an engine can have, in hertz; some units offer less of them.
    public static let sampleRates: ClosedRange<Double> = 1_000...768_000

    /// The rate nearest to `sampleRate` that can be, for what throws nothing.
    package static func possible(_ sampleRate: Double) -> Double {
        min(max(sampleRate.finite, sampleRates.lowerBound), sampleRates.upperBound)
    }

    /// A setup.
    public init(
        sampleRate: Double, maximumFrames: Int = 4096, inputCount: Int = 0, startValues: [String: Float] = [:],
        properties: [String: PropertyValue] = [:]
    ) {
        (self.sampleRate, self.maximumFrames, self.inputCount) = (sampleRate, maximumFrames, inputCount)
        (self.startValues, self.properties) = (startValues, properties)
    }

    /// Returns the start value of `parameter`: what was requested, else its default.
    public func value<P: UnitParameter>(of parameter: P) -> Float {
        value(of: parameter.spec, element: 0)
    }

    /// The start value of one element of a parameter.
    package func value(of spec: ParameterSpec, element: Int) -> Float {
        let list = elementValues[spec.name] ?? []
        return element < list.count ? list[element] : startValues[spec.name] ?? spec.initial(of: element)
    }
}

/// A value of a property: typed, without being open to anything.
public enum PropertyValue: Sendable, Hashable, Codable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PropertyValue])
}

/// Properties as literals: `["soundfonts": ["a.sf2"], "seconds": 2.5]`.
extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(arrayLiteral elements: PropertyValue...) { self = .list(elements) }
}

/// The reason why a unit could not be made.
public enum UnitError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The unit cannot run at this rate; the range it can is given, in hertz.
    case unsupportedSampleRate(unit: String, asked: Double, supported: ClosedRange<Double>)
    /// A property has the wrong type or a value that the unit has no use for.
    case invalidProperty(unit: String, property: String, reason: String)
    /// A file or library that the unit needs is missing or refused; `reason` is a whole sentence that names it and the
    /// remedy.
    case resource(unit: String, reason: String, fault: ResourceFault)
    /// A start value names no parameter of the unit; `known` are those it has.
    case unknownParameter(unit: String, name: String, known: [String])
    /// A start value that the parameter cannot have.
    case startValue(ParameterError, unit: String)
    /// The unit's author declared a parameter whose value at the start is outside its own range.
    case invalidDeclaration(unit: String, parameter: String, value: String, valid: String)
    /// The unit's author declared a factory preset that its own parameters cannot be.
    case invalidPreset(unit: String, preset: String, reason: String)
    /// The unit has no such property; `known` are those it has.
    case unknownProperty(unit: String, name: String, known: [String])
    /// The element count is outside what the unit can have.
    case elementCount(unit: String, asked: Int, supported: ClosedRange<Int>)

    /// The kind of a refusal, for a caller that decides by it.
    public enum ResourceFault: Sendable, Hashable {
        /// There is no such file.
        case missing
        /// The file holds what cannot be used.
        case damaged
        /// The system could not read it.
        case unreadable
        /// The library failed where it cannot fail.
        case library
        /// A library that is loaded when it is used is not there.
        case notInstalled
        /// A plug-in, foreign code, could not be started.
        case plugIn
        /// A property of the unit has an impossible value.
        case property
    }

    public var description: String {
        switch self {
        case .unsupportedSampleRate(let unit, let asked, let supported):
            "\(unit): cannot run at \(asked) Hz; choose a rate from \(supported.lowerBound) to \(supported.upperBound) Hz"
        case .invalidProperty(let unit, let property, let reason):
            "\(unit): property \(property): \(reason)"
        case .resource(let unit, let reason, _):
            "\(unit): \(reason)"
        case .unknownParameter(let unit, let name, let known):
            "\(unit): has no parameter \(name)" + (known.isEmpty ? "" : "; \(NearName.choice(name, among: known))")
        case .startValue(let error, let unit): "\(unit): \(error)"
        case .invalidDeclaration(let unit, let parameter, let value, let valid):
            "\(unit): declares that \(parameter) starts at \(value), outside its own range; choose from \(valid)"
        case .invalidPreset(let unit, let preset, let reason): "\(unit): declares the preset \(preset): \(reason)"
        case .unknownProperty(let unit, let name, let known):
            "\(unit): has no property \(name)" + (known.isEmpty ? "" : "; \(NearName.choice(name, among: known))")
        case .elementCount(let unit, let asked, let supported):
            "\(unit): cannot have \(asked) inputs; choose \(supported.lowerBound) to \(supported.upperBound)"
        }
    }
}

extension UnitError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit {
        switch self {
        case .resource(_, _, let fault): fault.exit
        case .invalidDeclaration, .invalidPreset: .software
        case .unsupportedSampleRate, .invalidProperty, .unknownParameter, .elementCount, .startValue, .unknownProperty: .usage
        }
    }
}

extension Fault {
    /// The fault of a file or library as that of the unit that needs it.
    package func of(unit: String) -> UnitError {
        let kinds: [UnitError.ResourceFault] = [.property, .damaged, .missing, .notInstalled, .library, .unreadable, .plugIn]
        return .resource(unit: unit, reason: description, fault: kinds.first { $0.exit == kind.exit } ?? .damaged)
    }
}

extension UnitError.ResourceFault {
    package var exit: Fault.Exit {
        switch self {
        case .property: .usage
        case .damaged: .data
        case .missing: .noInput
        case .notInstalled: .unavailable
        case .library: .software
        case .unreadable: .io
        case .plugIn: .configuration
        }
    }
}
