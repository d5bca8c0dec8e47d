import UnitAPI

/// The schema of one parameter's value: a number in its range, a text with the unit, a name; a list where there are several.
struct ParameterSchema {
    let spec: ParameterSpec
    let bands: Int

    /// The values that a toggle may have; editors that follow older rules take `on` for true.
    static let switches = JSONText.list(
        ["on", "off", "yes", "no", "true", "false"].map(JSONText.text) + [.flag(true), .flag(false), .number(0), .number(1)])

    /// The value, with its sentence and its default.
    var schema: JSONText {
        var sentence = "\(spec.help) (\(spec.rangeText); default \(spec.text(spec.initial))"
        if spec.applies == .atStart { sentence += "; only when the unit is made" }
        let choices = spec.scope == .global ? one : one + [many]
        return .object([
            ("description", .text(sentence + ")")),
            ("anyOf", .list(choices)),
        ])
    }

    private var many: JSONText {
        let most: [(String, JSONText)] = spec.scope == .band ? [("maxItems", .number(Double(max(bands, 1))))] : []
        return .object(
            [("type", .text("array")), ("minItems", .number(1))] + most + [("items", .object([("anyOf", .list(one))]))])
    }

    private var one: [JSONText] {
        // Between their values only a program sets them, with a point.
        let between = JSONText.object([
            ("type", .text("number")), ("minimum", .number(Double(spec.range.lowerBound))),
            ("maximum", .number(Double(spec.range.upperBound))),
        ])
        switch spec.unit {
        case .toggle: return [.object([("enum", Self.switches)]), between]
        case .choice(let names):
            // Names that look like numbers are the same without quotes; no whole number means a name by its place.
            let texts = names.map(JSONText.text), numbers = names.compactMap(Double.init).map(JSONText.number)
            let broken = JSONText.object([("not", .object([("type", .text("integer"))]))])
            return [.object([("enum", .list(texts + numbers))]), .object([("allOf", .list([between, broken]))])]
        default: return [between, .object([("type", .text("string")), ("pattern", .text("^ *\(pattern) *$"))])]
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
