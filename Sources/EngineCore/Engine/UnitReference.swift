import Reports
import UnitAPI

/// A unit's declaration as a document: the one source of `carillon units` and of the reference in the documentation.
package struct UnitReference: Sendable {
    /// One parameter.
    package struct Parameter: Sendable {
        package let spec: ParameterSpec
        /// The number of bands that have a value each; nil where it is not one per band.
        package let bands: Int?
    }

    /// The unit.
    package let descriptor: UnitDescriptor
    package let parameters: [Parameter]

    /// Stable kebab-case name of the type.
    package var name: String { descriptor.name }
    /// The names of units of this type in the graph of a song, for `--set`; nil where it has none.
    var songName: String? { SongUnits.names(ofType: name) }
    var inputs: [String] {
        descriptor.inputs.map { "\($0.name) (\($0.channels))" + (descriptor.repeatsLastInput ? " ..." : "") }
    }
    var outputs: [String] {
        descriptor.outputs.map { "\($0.name) (\($0.carriesMusic ? "music" : "\($0.channels)"))" }
    }
    var readouts: [String] {
        descriptor.readouts + descriptor.inputReadouts.map { "\($0.name)[input]" }
            + descriptor.channelReadouts.map { "\($0.name)[channel]" }
    }
    var presets: [String] { descriptor.factoryPresets.map(\.name) }

    /// Every unit of the catalogue, in its order.
    package static var all: [UnitReference] {
        UnitCatalog.entries.map { UnitReference($0.descriptor, $0.parameters) }
    }

    /// The document of one unit.
    package init(_ descriptor: UnitDescriptor, _ specs: [ParameterSpec]) {
        self.descriptor = descriptor
        parameters = specs.map { Parameter(spec: $0, bands: $0.scope == .band ? descriptor.bands : nil) }
    }

    /// The unit of that type, or of that name in the graph of a song; nil where there is none.
    package static func named(_ name: String) -> UnitReference? {
        let type = SongUnits.type(of: name) ?? name
        return all.first { $0.name == type }
    }

    /// Every name that `named` knows; of those that songs may number, the strips have their numbers.
    package static var names: [String] {
        all.flatMap { unit in [unit.name] + SongUnits.namesOfOnePort(ofType: unit.name).filter { $0 != unit.name } }
    }

    /// A list for a terminal: names and summaries, with parameters when `isDetailed`. Lines have at most
    /// `width` columns, 20..., nil for any, and continue below.
    package static func text(_ units: [UnitReference], isDetailed: Bool, width columns: Int? = nil) -> String {
        let width = (units.map(\.name.count).max() ?? 0) + 2
        return units.map { unit in
            let isNarrow = columns.map { $0 < width + 30 } ?? false
            let song = unit.songName.flatMap { $0 == unit.name ? nil : " In songs: \($0)." } ?? ""
            let summary = unit.descriptor.summary + song
            var lines = isNarrow ? [unit.name, "  " + summary] : [TextColumns.padded(unit.name, to: width) + summary]
            if isDetailed {
                lines.append("  inputs: \(list(unit.inputs))   outputs: \(list(unit.outputs))")
                for parameter in unit.parameters {
                    lines.append("")
                    lines.append(
                        "  \(parameter.spec.name)  (\(parameter.spec.rangeText); default \(parameter.defaultText)\(parameter.extras))"
                    )
                    lines.append("      \(parameter.spec.help)")
                }
                if !unit.presets.isEmpty { lines.append("\n  presets: \(unit.presets.joined(separator: ", "))") }
                if !unit.descriptor.properties.isEmpty {
                    lines.append("\n  properties: \(unit.descriptor.properties.joined(separator: ", "))")
                }
                if unit.descriptor.runsForeignCode { lines.append("\n  runs code that is not Carillon's") }
                if !unit.readouts.isEmpty { lines.append("\n  shows: \(unit.readouts.joined(separator: ", "))") }
            }
            return fitted(lines.joined(separator: "\n"), width: columns, head: isNarrow ? 2 : width)
        }.joined(separator: "\n")
    }

    /// Returns a text with lines of at most `width` columns, 20..., nil for any, that continue two columns further in; below its
    /// first line `head` columns.
    package static func fitted(_ text: String, width columns: Int?, head: Int? = nil) -> String {
        guard let columns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
            let indent = $0 == 0 ? head ?? 2 : $1.prefix { $0 == " " }.count + 2
            return $1.count <= columns ? [String($1)] : TextColumns.lines($1, columns: max(columns, 20), indent: indent)
        }.joined(separator: "\n")
    }

    /// The reference page.
    package static func markdown(_ units: [UnitReference]) -> String {
        var text = "# Units\n\nMade by `carillon units --markdown`; a test compares.\n"
        for unit in units {
            text += "\n## \(unit.name)\n\n\(unit.descriptor.summary)\n\n"
            text += "Component `\(unit.descriptor.component)`"
            if let name = unit.songName { text += ", in songs `\(name)`" }
            text += "; inputs: \(list(unit.inputs)); outputs: \(list(unit.outputs)); "
            text +=
                unit.descriptor.eventGranularity == 1
                ? "events are exact to the frame." : "events fall on multiples of \(unit.descriptor.eventGranularity) frames."
            text += unit.descriptor.tail > 0 ? " Tail at most \(unit.descriptor.tail) s." : ""
            if !unit.descriptor.properties.isEmpty {
                text += " Properties: " + unit.descriptor.properties.map { "`\($0)`" }.joined(separator: ", ") + "."
            }
            text += unit.descriptor.runsForeignCode ? " It runs code that is not Carillon's: <doc:Licences>." : ""
            text += unit.readouts.isEmpty ? "\n" : " Shows \(unit.readouts.joined(separator: ", ")).\n"
            if !unit.presets.isEmpty {
                text += "\nPresets: " + unit.presets.map { "`\($0)`" }.joined(separator: ", ") + ".\n"
            }
            if unit.parameters.isEmpty { continue }
            text += "\n| parameter | range | default | help |\n|---|---|---|---|\n"
            for parameter in unit.parameters {
                text += "| `\(parameter.spec.name)` | \(parameter.spec.rangeText) | \(parameter.defaultText) "
                text += "| \(parameter.sentence) |\n"
            }
        }
        return text
    }

    /// Buses by their names; four and more that only count up as first and last: `channel-1 ... channel-16 (2)`.
    private static func list(_ names: [String]) -> String {
        var shown: [String] = []
        var first = 0
        while first < names.count {
            var end = first + 1
            while end < names.count, follows(names[end], names[end - 1]) { end += 1 }
            if end - first >= 4 {
                let start = names[first].prefix { $0 != " " }
                shown.append("\(start) ... \(names[end - 1])")
            } else {
                shown += names[first..<end]
            }
            first = end
        }
        return shown.isEmpty ? "none" : shown.joined(separator: ", ")
    }

    /// Returns whether `name` is `before` with the next number: `channel-3 (2)` after `channel-2 (2)`.
    private static func follows(_ name: String, _ before: String) -> Bool {
        let words = before.split(separator: " ", maxSplits: 1)
        guard let head = words.first, let dash = head.lastIndex(of: "-"), let number = Int(head[head.index(after: dash)...])
        else { return false }
        let rest = words.count > 1 ? " " + words[1] : ""
        return name == head[...dash] + "\(number + 1)" + rest
    }
}

extension UnitReference.Parameter {
    fileprivate var defaultText: String {
        (spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials).map(spec.text).joined(separator: ", ")
    }

    fileprivate var sentence: String {
        let extras = extras, help = spec.help
        if extras.isEmpty { return help }
        return (help.last == "." ? String(help.dropLast()) : help) + extras + "."
    }

    /// The special points about it, after a semicolon.
    fileprivate var extras: String {
        var parts: [String] = []
        if isPerInput { parts.append("one value per input") }
        if let bands { parts.append("one value for each of \(bands) bands, [0] to [\(bands - 1)]") }
        if spec.applies != .live { parts.append("applies at the start") }
        if let controller = spec.controller { parts.append("moved by CC \(controller)") }
        if spec.effect != nil { parts.append("moved by System Exclusive") }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: "; ")
    }

    /// The names of a choice's values, from 0; nil for numbers.
    fileprivate var choices: [String]? {
        if case .choice(let names) = spec.unit { names } else { nil }
    }
}

extension UnitReference: Fielded {
    package static let fields: [Field<UnitReference>] = [
        Field("name", \.name, "Its type."),
        Field("component", { "\($0.descriptor.component)" }, "Its type, subtype and manufacturer."),
        Field("summary", \.descriptor.summary, "What it does."),
        Field("songName", \.songName, "Its name in the graph of a song: `mixer`, `strip-1 ... strip-16`."),
        Field("inputs", \.inputs, "Its input buses, with their channels."),
        Field("outputs", \.outputs, "Its output buses, with their channels."),
        Field("eventGranularity", \.descriptor.eventGranularity, "Events take effect on multiples of this many frames."),
        Field("tail", \.descriptor.tail, in: "seconds", "The longest tail after its input."),
        Field("readouts", \.readouts, "The numbers that it shows."),
        Field("properties", \.descriptor.properties, "The keys that a patch may set below `properties:`."),
        Field("presets", \.presets, "Its built-in presets, for `preset:` in a patch."),
        Field("runsForeignCode", \.descriptor.runsForeignCode, "Whether it runs code from outside Carillon."),
        .list("parameters", \.parameters, "Its parameters.", Parameter.fields),
    ]
}

extension UnitReference.Parameter {
    private var unit: String { choices == nil ? "\(spec.unit)" : "choice" }
    private var isPerInput: Bool { spec.scope == .input }
    private var applies: String { spec.applies == .live ? "live" : "at start" }
    private var controller: Int? { spec.controller.map(Int.init) }

    fileprivate static let fields: [Field<UnitReference.Parameter>] = [
        Field("name", \.spec.name, "Its name."), Field("low", \.spec.range.lowerBound, "Its lowest value."),
        Field("high", \.spec.range.upperBound, "Its highest value."), Field("default", \.spec.initial, "Its value at the start."),
        Field("unit", \.unit, "The unit of these."), Field("choices", \.choices, "The names of a choice's values, from 0."),
        Field("rangeText", \.spec.rangeText, "The range in words."),
        Field("defaultText", \.defaultText, "The default in words."),
        Field("perInput", \.isPerInput, "Whether each input has a value of its own."),
        Field("bands", \.bands, "How many bands have a value each."), Field("applies", \.applies, "`live` or `at start`."),
        Field("controller", \.controller, "The controller that moves it."), Field("help", \.spec.help, "What it does."),
    ]
}
