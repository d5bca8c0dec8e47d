import Graph
import UnitAPI
import Units

/// The `--set` values that a graph is built with, so that they hold from its first frame on instead of gliding in.
struct StartSettings {
    private let settings: [ParameterSetting]

    /// Reads `unit.parameter=value` texts; later ones win.
    init(_ texts: [String]) throws(ParameterError) {
        var settings: [ParameterSetting] = []
        for text in texts { settings.append(try ParameterSetting(text)) }
        self.settings = settings
    }

    /// Start values for the unit that the graph calls `name` and that is of type `type`, whose parameters are `specs`.
    func values(name: String, type: String, specs: [ParameterSpec]) throws(ParameterError) -> [String: Float] {
        var values: [String: Float] = [:]
        for setting in settings where setting.unit == name || setting.unit == type {
            if setting.element != nil || isSolo(setting, type: type) { continue }
            values[setting.parameter] = try setting.value(in: specs).value
        }
        if type == ChannelStrip.descriptor.name, let soloed = try soloedStrips, !soloed.contains(name) {
            values[ChannelStrip.Parameter.cut.spec.name] = 1
        }
        return values
    }

    /// The settings of single inputs of a mixer, which are sent to the finished graph; and a check that every setting
    /// names a unit that is there, or the strip of a channel that `parts` leave unused: one list of settings then serves
    /// many songs.
    func targets(in graph: Graph, parts: [Int]) throws(ParameterError) -> [ParameterSetting.Target] {
        var targets: [ParameterSetting.Target] = []
        for setting in settings {
            let isThere = graph.nodes.contains { $0.name == setting.unit }
            let isUnused = !isThere && isUnusedStrip(setting.unit, parts: parts)
            if setting.parameter == Self.solo, isThere || isUnused { continue }
            if isUnused {
                _ = try setting.value(in: ChannelStrip.Parameter.allCases.map(\.spec))
                if let element = setting.element, element > 0 {
                    throw .outOfRange(parameter: setting.parameter, text: "[\(element)]", low: "[0]", high: "[0]")
                }
                continue
            }
            let found = try setting.targets(in: graph)
            if setting.element != nil { targets += found }
        }
        return targets
    }

    private static let solo = "solo"

    /// Strips 1 to 16 are those of the first port, which every song has; others belong to ports that the song uses.
    private func isUnusedStrip(_ name: String, parts: [Int]) -> Bool {
        guard let part = SongUnits.part(ofStrip: name) else { return false }
        return part < 16 || parts.contains { $0 / 16 == part / 16 }
    }

    private func isSolo(_ setting: ParameterSetting, type: String) -> Bool {
        setting.parameter == Self.solo && type == ChannelStrip.descriptor.name
    }

    /// The strips that `strip-N.solo=on` names, nil where no strip is soloed. Solo is no parameter of one strip: it
    /// silences the others.
    private var soloedStrips: Set<String>? {
        get throws(ParameterError) {
            var soloed: Set<String> = []
            let spec = ParameterSpec.toggle(Self.solo, default: false, help: "Silences every other strip.")
            for setting in settings where setting.parameter == Self.solo {
                if try spec.value(setting.value) == 1 { soloed.insert(setting.unit) } else { soloed.remove(setting.unit) }
            }
            return soloed.isEmpty ? nil : soloed
        }
    }
}
