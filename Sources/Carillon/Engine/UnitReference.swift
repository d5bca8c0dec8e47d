import UnitAPI
import Units

/// A unit's declaration as a document: the one source of `carillon units` and of the reference in the documentation.
public struct UnitReference: Encodable, Sendable {
    /// One parameter: its numbers, and as text with their unit.
    public struct Parameter: Encodable, Sendable {
        /// Stable kebab-case name.
        public let name: String
        public let range: String
        public let initial: String
        /// Lowest and highest value and the one at the start, in the parameter's unit; a toggle is 0 or 1, a choice the
        /// index of its name.
        public let minimum: Double
        public let maximum: Double
        public let initialValue: Double
        public let perInput: Bool
        /// How many bands have a value each; nil where it is not one per band.
        public let bands: Int?
        public let applies: String
        public let controller: Int?
        public let help: String

        enum CodingKeys: String, CodingKey {
            case name, range, initial = "default", minimum, maximum, initialValue = "defaultValue"
            case perInput, bands, applies, controller, help
        }
    }

    /// Stable kebab-case name.
    public let name: String
    public let component: String
    public let summary: String
    public let inputs: [String]
    public let outputs: [String]
    public let eventGranularity: Int
    public let tail: Double
    public let readouts: [String]
    public let parameters: [Parameter]

    /// Every unit of the catalogue, in its order.
    public static var all: [UnitReference] {
        UnitCatalog.entries.map { UnitReference($0.descriptor, $0.parameters) }
    }

    /// The document of one unit.
    public init(_ descriptor: UnitDescriptor, _ specs: [ParameterSpec]) {
        name = descriptor.name
        component = "\(descriptor.component)"
        summary = descriptor.summary
        inputs = descriptor.inputs.map { "\($0.name) (\($0.channels))" + (descriptor.repeatsLastInput ? " ..." : "") }
        outputs = descriptor.outputs.map { "\($0.name) (\($0.channels))" }
        eventGranularity = descriptor.eventGranularity
        tail = descriptor.tail
        readouts = descriptor.readouts
        parameters = specs.map { spec in
            Parameter(
                name: spec.name, range: spec.rangeText,
                initial: (spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials).map(spec.text)
                    .joined(separator: ", "),
                minimum: Self.number(spec.range.lowerBound), maximum: Self.number(spec.range.upperBound),
                initialValue: Self.number(spec.initial), perInput: spec.scope == .input,
                bands: spec.scope == .band ? descriptor.bands : nil,
                applies: spec.applies == .live ? "live" : "at start", controller: spec.controller.map(Int.init),
                help: spec.help)
        }
    }

    /// The shortest decimal that is this number, not the nearest of twice its precision: 0.2, not 0.20000000298.
    private static func number(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

    /// A list for a terminal: names and summaries, with parameters when `isDetailed`.
    public static func text(_ units: [UnitReference], isDetailed: Bool) -> String {
        let width = (units.map(\.name.count).max() ?? 0) + 2
        return units.map { unit in
            var lines = [padded(unit.name, width) + unit.summary]
            if isDetailed {
                lines.append("  inputs: \(list(unit.inputs))   outputs: \(list(unit.outputs))")
                for parameter in unit.parameters {
                    lines.append("")
                    lines.append("  \(parameter.name)  (\(parameter.range); default \(parameter.initial)\(parameter.extras))")
                    lines.append("      \(parameter.help)")
                }
                if !unit.readouts.isEmpty { lines.append("\n  shows: \(unit.readouts.joined(separator: ", "))") }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The reference page.
    public static func markdown(_ units: [UnitReference]) -> String {
        var text = "# Units\n\nMade by `carillon units --markdown`; a test compares.\n"
        for unit in units {
            text += "\n## \(unit.name)\n\n\(unit.summary)\n\n"
            text += "Component `\(unit.component)`; inputs: \(list(unit.inputs)); outputs: \(list(unit.outputs)); "
            text += unit.eventGranularity == 1
                ? "events are exact to the frame." : "events fall on multiples of \(unit.eventGranularity) frames."
            text += unit.tail > 0 ? " Tail at most \(unit.tail) s." : ""
            text += unit.readouts.isEmpty ? "\n" : " Shows \(unit.readouts.joined(separator: ", ")).\n"
            if unit.parameters.isEmpty { continue }
            text += "\n| parameter | range | default | help |\n|---|---|---|---|\n"
            for parameter in unit.parameters {
                text += "| `\(parameter.name)` | \(parameter.range) | \(parameter.initial) "
                text += "| \(parameter.help)\(parameter.extras) |\n"
            }
        }
        return text
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}

extension UnitReference.Parameter {
    /// What is special about it, behind a semicolon.
    fileprivate var extras: String {
        var parts: [String] = []
        if perInput { parts.append("one value per input") }
        if let bands { parts.append("one value for each of \(bands) bands, [0] to [\(bands - 1)]") }
        if applies != "live" { parts.append("applies at the start") }
        if let controller { parts.append("moved by CC \(controller)") }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: "; ")
    }
}
