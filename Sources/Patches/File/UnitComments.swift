import Reports
import UnitAPI

/// The comments of a file that describe a unit and its parameters: made from the declarations.
struct UnitComments {
    private let units: [UnitEntry]
    /// Where the presets are that units are set by.
    private let shelf: PresetShelf

    init(_ units: [UnitEntry], _ shelf: PresetShelf) { (self.units, self.shelf) = (units, shelf) }

    /// The lines of a unit of `type`, without a margin: what it is, its entries, each parameter with what it does. One that
    /// is not set is a comment with its value by its preset, or else by default: without the `#` it is set.
    func lines(of type: String, _ entries: [FileTree.Entry]) -> [String] {
        guard let unit = units.first(where: { $0.name == type }) else { return [] }
        var lines = ["# \(unit.descriptor.summary)"]
        let names = unit.parameters.map(\.name), preset = preset(entries, unit)
        let own = UnitTables(units: units, shelf: shelf).own(unit).map(\.name)
        for entry in entries where !names.contains(entry.key) || own.contains(entry.key) {
            lines += FileText().lines(entry, indent: 0)
        }
        for spec in unit.parameters where !own.contains(spec.name) {
            lines += Self.comment(spec, bands: unit.descriptor.bands)
            if let entry = entries.first(where: { $0.key == spec.name }) {
                lines += FileText().lines(entry, indent: 0)
            } else {
                lines.append("#\(spec.name): \(Self.values(preset?.values[spec.name], spec))")
            }
        }
        return lines
    }

    /// The sentence, and what may be chosen.
    private static func comment(_ spec: ParameterSpec, bands: Int) -> [String] {
        var remark = spec.rangeText
        if spec.scope == .input { remark += "; one value, or one for each input" }
        if spec.scope == .band { remark += "; one value, or one for each of \(bands) bands" }
        if spec.applies == .atStart { remark += "; only when the unit is made" }
        if let controller = spec.controller { remark += "; moved by controller \(controller)" }
        let whole = "\(spec.help) (\(remark))"
        let lines = whole.count <= 96 ? [whole] : [spec.help, "(\(remark))"].flatMap { TextColumns.lines($0, columns: 96) }
        return lines.map { "# \($0)" }
    }

    /// The preset that an entry names; nil for none.
    private func preset(_ entries: [FileTree.Entry], _ unit: UnitEntry) -> UnitPreset? {
        guard unit.takesPresets, case .text(let name)? = entries.first(where: { $0.key == PatchKey.preset })?.value else {
            return nil
        }
        // A preset that cannot be found is reported when the written file is read.
        do throws(PresetShelf.Missing) { return try shelf.found(name, of: unit) } catch { return nil }
    }

    /// The value of a parameter that an entry does not set.
    private static func values(_ values: [Float]?, _ spec: ParameterSpec) -> String {
        let texts = (values ?? (spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials)).map {
            spec.fileTree($0) ?? .setting(spec.text($0))
        }
        return FileText.inline(texts.count == 1 ? texts[0] : .row(texts)) ?? ""
    }
}
