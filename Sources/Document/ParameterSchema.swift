import Reports
import UnitAPI

/// The schema of one parameter's value: a number in its range, a text with the unit, a name; a list if there are several.
package struct ParameterSchema {
    package let spec: ParameterSpec
    package let bands: Int

    package init(spec: ParameterSpec, bands: Int) { (self.spec, self.bands) = (spec, bands) }

    /// The values that a toggle may have; editors that follow older rules take `on` for true.
    package static let switches = JSONText.array(
        ["on", "off", "yes", "no", "true", "false"].map { .string($0) } + [.flag(true), .flag(false), .number(0), .number(1)])

    /// The sentence, with the range and the default.
    package var sentence: String {
        var sentence = "\(spec.help) (\(spec.rangeText); default \(spec.text(spec.initial))"
        if spec.applies == .atStart { sentence += "; only when the unit is made" }
        return sentence + ")"
    }

    /// The value.
    package var schema: [(String, JSONText)] { [("anyOf", .array(spec.scope == .global ? one : one + [many]))] }

    /// A number without a unit.
    static func number(_ range: ClosedRange<Float>) -> [(String, JSONText)] {
        [
            ("type", .string("number")), ("minimum", .number(Double(range.lowerBound))),
            ("maximum", .number(Double(range.upperBound))),
        ]
    }

    private var many: JSONText {
        let most: [(String, JSONText)] = spec.scope == .band ? [("maxItems", .number(Double(max(bands, 1))))] : []
        return .object(
            [("type", .string("array")), ("minItems", .number(1))] + most + [("items", .object([("anyOf", .array(one))]))])
    }

    var one: [JSONText] {
        // Between their values only a program sets them, with a point.
        let between = JSONText.object(Self.number(spec.range))
        switch spec.unit {
        case .toggle: return [.object([("enum", Self.switches)]), between]
        case .choice(let names):
            // Names that look like numbers are the same without quotes; no whole number means a name by its place.
            let texts = names.map { JSONText.string($0) }, numbers = names.compactMap(Double.init).map { JSONText.number($0) }
            let broken = JSONText.object([("not", .object([("type", .string("integer"))]))])
            return [.object([("enum", .array(texts + numbers))]), .object([("allOf", .array([between, broken]))])]
        default: return [between, .object([("type", .string("string")), ("pattern", .string("^ *\(pattern) *$"))])]
        }
    }

    private static let number = #"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"#

    /// A number with its unit, in any case.
    private var pattern: String {
        if spec.unit == .seconds {
            let names = Self.anyCase(["s", "sec", "ms", "m", "min", "h", "d"])
            return #"([0-9]+:[0-9:.]+|(\#(Self.number) *(\#(names))? *)+)"#
        }
        let names: [String] =
            switch spec.unit {
            case .hertz: ["hz", "khz", "k"]
            case .ratio: ["%", "x"]
            case .pan: ["%"]
            case .cents: ["cents", "cent"]
            case .semitones: ["semitones", "semitone"]
            case .voices: ["voices", "voice"]
            case .frames: ["frames", "frame"]
            default: spec.unit.symbol.isEmpty ? [] : [spec.unit.symbol.lowercased()]
            }
        return Self.number + (names.isEmpty ? "" : " *(\(Self.anyCase(names)))?")
    }

    private static func anyCase(_ names: [String]) -> String {
        names.map { name in
            name.map { $0.isLetter ? "[\($0.uppercased())\($0)]" : String($0) }.joined()
        }.joined(separator: "|")
    }
}
