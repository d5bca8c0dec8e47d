import Patches
import UnitAPI
import Units

/// The `--set` values that a graph is built with, so that they hold from its first frame on instead of gliding in.
package struct StartSettings {
    private let settings: [ParameterSetting]

    /// Reads `unit.parameter=value` texts; later ones win.
    package init(_ texts: [String]) throws(ParameterError) {
        var settings: [ParameterSetting] = []
        for text in texts { settings.append(try ParameterSetting(text)) }
        self.settings = settings
    }

    /// Start values for the unit that the graph calls `name` and that is of type `type`, whose parameters are `specs`: one
    /// for each parameter, or one for each of `inputs` inputs or `bands` bands.
    package func values(
        name: String, type: String, specs: [ParameterSpec], inputs: Int = 0, bands: Int = 0
    ) throws(ParameterError) -> [String: [Float]] {
        var values: [String: [Float]] = [:]
        for setting in settings where setting.unit == name || setting.unit == type {
            let (index, value) = try setting.value(in: specs)
            let spec = specs[index], count = spec.elementCount(inputs: inputs, bands: bands)
            guard let element = setting.element else {
                values[setting.parameter] = [value]
                continue
            }
            guard element < count else {
                throw .outOfRange(
                    parameter: setting.parameter, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]")
            }
            let old = values[setting.parameter] ?? (0..<count).map(spec.initial(of:))
            var list = old.count == count ? old : [Float](repeating: old[0], count: count)
            list[element] = value
            values[setting.parameter] = list
        }
        return values
    }

    package func names(_ parameter: String, of unit: String, type: String?) -> Bool {
        settings.contains { $0.parameter == parameter && ($0.unit == unit || $0.unit == type) }
    }

    /// Checks that every setting names a unit of the patch, or, if the patch is a song's own, the strip of a channel that
    /// `parts` leave unused: one list of settings then serves many songs.
    package func check(_ patch: Patch, parts: [Int], isGiven: Bool) throws(ParameterError) {
        for setting in settings
        where !patch.units.contains(where: { $0.name == setting.unit || $0.component == setting.unit }) {
            guard !isGiven, isUnusedStrip(setting.unit, parts: parts) else {
                throw .unknownUnitName(setting.unit, known: known(patch))
            }
            _ = try setting.value(in: ChannelStrip.Parameter.allCases.map(\.spec))
            if let element = setting.element, element > 0 {
                throw .outOfRange(parameter: setting.parameter, text: "[\(element)]", low: "[0]", high: "[0]")
            }
        }
    }

    private func known(_ patch: Patch) -> [String] {
        let strips = SongUnits.namesOfOnePort(ofType: ChannelStrip.descriptor.name), names = patch.units.map(\.name)
        let rest = names.filter { SongUnits.part(ofStrip: $0) == nil }
        return rest + strips + names.filter { SongUnits.part(ofStrip: $0) != nil && !strips.contains($0) }
    }

    /// Strips 1 to 16 are those of the first port, which every song has; others belong to ports that the song uses.
    private func isUnusedStrip(_ name: String, parts: [Int]) -> Bool {
        guard let part = SongUnits.part(ofStrip: name) else { return false }
        return part < 16 || parts.contains { $0 / 16 == part / 16 }
    }

    /// Channels, port * 16 + channel, that have no strip and are soloed: nothing else is heard.
    /// Of the song's `parts`, all beside the `strips` that there are.
    package func soloedParts(_ parts: [Int], besides strips: [Int]) throws(ParameterError) -> [Int] {
        let solo = ChannelStrip.Parameter.solo.spec
        var soloed: Set<Int> = []
        for setting in settings where setting.parameter == solo.name && isUnusedStrip(setting.unit, parts: parts) {
            guard let part = SongUnits.part(ofStrip: setting.unit), !strips.contains(part) else { continue }
            if try solo.value(setting.value) == 1 { soloed.insert(part) } else { soloed.remove(part) }
        }
        return soloed.sorted()
    }
}
