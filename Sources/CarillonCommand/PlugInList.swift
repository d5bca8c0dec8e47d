import Corpus
import PlugIns
import Reports

/// The part of `carillon units` that lists LV2 plug-ins.
struct PlugInList {
    private static let fields: [Field<PlugInDescription>] = [
        Field("name", \.name, "Its name."), Field("uri", \.uri, "Its URI."), Field("title", \.title, "Its title."),
        Field("kind", \.kind, "Its kind."),
        Field("refusal", \.refusal, "The reason why the plug-in cannot be a unit; none if it can."),
        Field("presets", { $0.presets.map(\.title) }, "Its presets."),
        Field("saysRealTime", \.saysRealTime, "Whether it says that it keeps up with real time."),
    ]

    let plugIns: [PlugInDescription]

    func text(isJSON: Bool) -> String {
        if isJSON {
            let list = Field<PlugInList>.list("plugIns", \.plugIns, "The plug-ins.", Self.fields)
            return JSONOutput.text(FieldValue.object([list].values(of: self)))
        }
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
