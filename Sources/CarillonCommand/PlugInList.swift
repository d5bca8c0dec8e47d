import Corpus
import PlugIns
import Reports

/// The part of `carillon units` that lists LV2 plug-ins.
struct PlugInList: Encodable {
    struct Row: Encodable {
        let name: String
        let uri: String
        let title: String
        let kind: String
        /// The reason why the plug-in cannot be a unit; nil if it can.
        let refusal: String?
        let presets: [String]
        let saysRealTime: Bool
    }

    let plugIns: [Row]

    init(_ found: [PlugInDescription]) {
        plugIns = found.map {
            Row(
                name: $0.name, uri: $0.uri, title: $0.title, kind: $0.kind, refusal: $0.refusal,
                presets: $0.presets.map(\.title), saysRealTime: $0.saysRealTime)
        }
    }

    func text(isJSON: Bool) -> String {
        if isJSON { return JSONOutput.text(self) }
        if plugIns.isEmpty {
            return "No LV2 plug-ins are installed. Debian has some in packages such as mda-lv2, swh-lv2 and fomp."
        }
        let width = (plugIns.map(\.name.count).max() ?? 0) + 2
        let lines = plugIns.map { row in
            let presets = row.presets.isEmpty ? "" : "; \(row.presets.count) presets"
            return TextColumns.padded(row.name, to: width)
                + (row.refusal.map { "not offered: \($0)" } ?? "\(row.title) (\(row.kind)\(presets))")
        }
        return lines.joined(separator: "\n")
            + "\n\ncarillon units NAME lists a plug-in's parameters and presets; a patch says unit: NAME."
    }

    static func particulars(of plugIn: PlugInDescription) -> String {
        var lines = ["  uri: \(plugIn.uri)"]
        lines.append(
            "  properties: preset (a title below), rest (seconds of silence before it sleeps), trim (decibels after it), in-child (true: a process of "
                + "its own, whose crash is survived), child-latency (frames that it costs)")
        if !plugIn.saysRealTime {
            lines.append("  it does not say that it keeps up with real time: its allocations are counted")
        }
        if plugIn.presets.isEmpty {
            lines.append("  presets: none")
        } else {
            lines.append("  presets:")
            lines += plugIn.presets.map { "    \($0.title)" }
        }
        return lines.joined(separator: "\n")
    }
}
