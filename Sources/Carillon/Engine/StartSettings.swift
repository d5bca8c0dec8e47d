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
    /// names a unit that is there.
    func targets(in graph: Graph) throws(ParameterError) -> [ParameterSetting.Target] {
        var targets: [ParameterSetting.Target] = []
        for setting in settings {
            if setting.parameter == Self.solo, graph.nodes.contains(where: { $0.name == setting.unit }) { continue }
            let found = try setting.targets(in: graph)
            if setting.element != nil { targets += found }
        }
        return targets
    }

    private static let solo = "solo"

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
