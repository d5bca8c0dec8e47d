import Reports
import UnitAPI

/// A unit's declaration as a document: the one source of `carillon units` and of the reference in the documentation.
package struct UnitReference: Encodable, Sendable {
    /// One parameter, its numbers both as numbers and as text with their unit.
    package struct Parameter: Encodable, Sendable {
        /// Stable kebab-case name.
        package let name: String
        /// Lowest and highest value, in `unit`.
        package let low: Float
        package let high: Float
        /// The value at the start, in `unit`.
        package let initial: Float
        /// The unit of a value: `decibels`, `hertz`, `toggle`, ...
        package let unit: String
        /// The names of a choice's values, from 0; nil for numbers.
        package let choices: [String]?
        package let rangeText: String
        package let defaultText: String
        package let perInput: Bool
        /// The number of bands that have a value each; nil where it is not one per band.
        package let bands: Int?
        package let applies: String
        package let controller: Int?
        package let help: String
        /// True if messages of songs to reverb and chorus move it; in words alone.
        fileprivate let isMovedByMessages: Bool

        enum CodingKeys: String, CodingKey {
            case name, low, high
            case initial = "default"
            case unit, choices
            case rangeText, defaultText, perInput, bands, applies, controller, help
        }
    }

    /// Stable kebab-case name of the type.
    package let name: String
    /// The names of units of this type in the graph of a song, for `--set`; nil where it has none.
    package let songName: String?
    package let component: String
    package let summary: String
    package let inputs: [String]
    package let outputs: [String]
    package let eventGranularity: Int
    package let tail: Double
    package let readouts: [String]
    /// The keys that a patch may give it below `properties`.
    package let properties: [String]
    /// True if its sound is made by code that is not Carillon's: `UnitDescriptor.runsForeignCode`.
    package let runsForeignCode: Bool
    package let parameters: [Parameter]
    /// The settings that it brings along, for `preset` in a patch.
    package let presets: [String]

    /// Every unit of the catalogue, in its order.
    package static var all: [UnitReference] {
        UnitCatalog.entries.map { UnitReference($0.descriptor, $0.parameters) }
    }

    /// The document of one unit.
    package init(_ descriptor: UnitDescriptor, _ specs: [ParameterSpec]) {
        let name = descriptor.name
        self.name = name
        songName = SongUnits.names(ofType: name)
        component = "\(descriptor.component)"
        summary = descriptor.summary
        inputs = descriptor.inputs.map { "\($0.name) (\($0.channels))" + (descriptor.repeatsLastInput ? " ..." : "") }
        outputs = descriptor.outputs.map { "\($0.name) (\($0.carriesMusic ? "music" : "\($0.channels)"))" }
        eventGranularity = descriptor.eventGranularity
        tail = descriptor.tail
        readouts =
            descriptor.readouts + descriptor.inputReadouts.map { "\($0.name)[input]" }
            + descriptor.channelReadouts.map { "\($0.name)[channel]" }
        properties = descriptor.properties
        runsForeignCode = descriptor.runsForeignCode
        presets = descriptor.factoryPresets.map(\.name)
        parameters = specs.map { spec in
            Parameter(spec, bands: spec.scope == .band ? descriptor.bands : nil)
        }
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
            let summary = unit.summary + song
            var lines = isNarrow ? [unit.name, "  " + summary] : [TextColumns.padded(unit.name, to: width) + summary]
            if isDetailed {
                lines.append("  inputs: \(list(unit.inputs))   outputs: \(list(unit.outputs))")
                for parameter in unit.parameters {
                    lines.append("")
                    lines.append(
                        "  \(parameter.name)  (\(parameter.rangeText); default \(parameter.defaultText)\(parameter.extras))")
                    lines.append("      \(parameter.help)")
                }
                if !unit.presets.isEmpty { lines.append("\n  presets: \(unit.presets.joined(separator: ", "))") }
                if !unit.properties.isEmpty { lines.append("\n  properties: \(unit.properties.joined(separator: ", "))") }
                if unit.runsForeignCode { lines.append("\n  runs code that is not Carillon's") }
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
            text += "\n## \(unit.name)\n\n\(unit.summary)\n\n"
            text += "Component `\(unit.component)`"
            if let name = unit.songName { text += ", in songs `\(name)`" }
            text += "; inputs: \(list(unit.inputs)); outputs: \(list(unit.outputs)); "
            text +=
                unit.eventGranularity == 1
                ? "events are exact to the frame." : "events fall on multiples of \(unit.eventGranularity) frames."
            text += unit.tail > 0 ? " Tail at most \(unit.tail) s." : ""
            if !unit.properties.isEmpty {
                text += " Properties: " + unit.properties.map { "`\($0)`" }.joined(separator: ", ") + "."
            }
            text += unit.runsForeignCode ? " It runs code that is not Carillon's: <doc:Licences>." : ""
            text += unit.readouts.isEmpty ? "\n" : " Shows \(unit.readouts.joined(separator: ", ")).\n"
            if !unit.presets.isEmpty {
                text += "\nPresets: " + unit.presets.map { "`\($0)`" }.joined(separator: ", ") + ".\n"
            }
            if unit.parameters.isEmpty { continue }
            text += "\n| parameter | range | default | help |\n|---|---|---|---|\n"
            for parameter in unit.parameters {
                text += "| `\(parameter.name)` | \(parameter.rangeText) | \(parameter.defaultText) "
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
    fileprivate init(_ spec: ParameterSpec, bands: Int?) {
        (name, low, high) = (spec.name, spec.range.lowerBound, spec.range.upperBound)
        (initial, help, self.bands) = (spec.initial, spec.help, bands)
        (unit, choices) = spec.unit.reference
        rangeText = spec.rangeText
        defaultText = (spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials).map(spec.text)
            .joined(separator: ", ")
        (perInput, applies) = (spec.scope == .input, spec.applies == .live ? "live" : "at start")
        controller = spec.controller.map(Int.init)
        isMovedByMessages = spec.effect != nil
    }

    fileprivate var sentence: String {
        let extras = extras
        return extras.isEmpty ? help : (help.last == "." ? String(help.dropLast()) : help) + extras + "."
    }

    /// The special points about it, after a semicolon.
    fileprivate var extras: String {
        var parts: [String] = []
        if perInput { parts.append("one value per input") }
        if let bands { parts.append("one value for each of \(bands) bands, [0] to [\(bands - 1)]") }
        if applies != "live" { parts.append("applies at the start") }
        if let controller { parts.append("moved by CC \(controller)") }
        if isMovedByMessages { parts.append("moved by System Exclusive") }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: "; ")
    }
}

extension ParameterSpec.Unit {
    fileprivate var reference: (String, [String]?) {
        switch self {
        case .none: ("none", nil)
        case .decibels: ("decibels", nil)
        case .hertz: ("hertz", nil)
        case .seconds: ("seconds", nil)
        case .percent: ("percent", nil)
        case .cents: ("cents", nil)
        case .semitones: ("semitones", nil)
        case .ratio: ("ratio", nil)
        case .voices: ("voices", nil)
        case .frames: ("frames", nil)
        case .pan: ("pan", nil)
        case .toggle: ("toggle", nil)
        case .choice(let names): ("choice", names)
        }
    }
}
