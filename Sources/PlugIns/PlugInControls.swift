import UnitAPI

/// The buses, parameters and readouts of a unit that a plug-in's ports become.
struct PlugInControls: Sendable {
    struct Control: Sendable {
        let port: UInt32
        let symbol: String
        var spec: ParameterSpec
        /// The plug-in's values by index, of a choice or toggle; empty for a number.
        let values: [Float]
        let scale: Float
        let isOfRate: Bool
        let isWhole: Bool
    }

    struct Channel: Sendable {
        let bus: Int, channel: Int
        let port: UInt32
    }

    let plugIn: PlugInDescription
    let controls: [Control]
    let inputs: [UnitDescriptor.Bus], outputs: [UnitDescriptor.Bus]
    /// Channels of audio and control voltage; of a doubled plug-in those of its first instance.
    let inputChannels: [Channel], outputChannels: [Channel]
    /// Control outputs that are shown, by port, with their names.
    let shown: [(port: UInt32, name: String)]
    let hearsMusic: Bool
    let hearsTime: Bool
    let isDoubled: Bool

    /// The readouts that every plug-in has after its own values.
    static let readouts = ["allocations", "lost-frames", "crashes", "trim"]
    /// The number of `readouts`. [render]
    static var readoutCount: Int { @_noLocks get { 4 } }
    static let presetProperty = "preset", restProperty = "rest", childProperty = "in-child", latencyProperty = "child-latency"
    static let trimProperty = "trim"

    init(_ plugIn: PlugInDescription) {
        self.plugIn = plugIn
        let ports = plugIn.ports
        func all(_ direction: PlugInPort.Direction) -> [PlugInPort] { ports.filter { $0.direction == direction } }
        let voltage = (all(.voltageInput), all(.voltageOutput))
        let audio = (all(.audioInput), all(.audioOutput))
        isDoubled =
            audio.0.count == 1 && audio.1.count == 1 && voltage.0.isEmpty && voltage.1.isEmpty
            && !ports.contains { $0.direction.isMusic }
        (inputs, inputChannels) = Self.buses(audio.0, voltage.0, isDoubled: isDoubled)
        (outputs, outputChannels) = Self.buses(audio.1, voltage.1, isDoubled: isDoubled)
        hearsMusic = ports.contains { $0.direction.isMusic }
        hearsTime = ports.contains { $0.direction.takesTime }
        let parameters = all(.controlInput).filter { $0.role == .parameter }
        let names = PlugInName.unique(parameters.map(\.symbol), word: "value")
        controls = zip(parameters, names).map { Control($0, name: $1) }
        let values = all(.controlOutput).filter { $0.role == .parameter }
        let shownNames = PlugInName.unique(Self.readouts + values.map(\.symbol), word: "shown")
        shown = zip(values, shownNames.dropFirst(Self.readouts.count)).map { ($0.index, $1) }
    }

    /// The first two channels of audio are the main bus; each further one, and each control voltage, is a bus of its own.
    private static func buses(
        _ audio: [PlugInPort], _ voltage: [PlugInPort], isDoubled: Bool
    ) -> ([UnitDescriptor.Bus], [Channel]) {
        var buses: [UnitDescriptor.Bus] = [], channels: [Channel] = []
        if !audio.isEmpty {
            buses.append(.init("main", channels: isDoubled ? 2 : min(audio.count, 2)))
            for (channel, port) in audio.prefix(2).enumerated() {
                channels.append(.init(bus: 0, channel: channel, port: port.index))
            }
        }
        let rest = Array(audio.dropFirst(2)) + voltage
        let names = PlugInName.unique(["main"] + rest.map(\.symbol), word: "bus").dropFirst()
        for (port, name) in zip(rest, names) {
            channels.append(.init(bus: buses.count, channel: 0, port: port.index))
            buses.append(.init(name, channels: 1))
        }
        return (buses, channels)
    }

    var soundBuses: Int {
        let channels = plugIn.ports.count { $0.direction == .audioOutput }
        return channels == 0 ? 0 : 1 + max(channels - 2, 0)
    }

    func descriptor(named name: String) -> UnitDescriptor {
        let isFed = plugIn.ports.contains { $0.direction == .audioInput }
        let type: FourCharCode = isFed ? .effect : hearsMusic ? .instrument : .generator
        let doubled = isDoubled ? ", one instance for each channel" : ""
        return UnitDescriptor(
            component: ComponentDescription(
                type: type, subtype: FourCharCode(rawValue: PlugInName.code(plugIn.uri)),
                manufacturer: name == plugIn.name ? "LV2 " : "LV2u"),
            name: name,
            summary: "\(plugIn.title), an LV2 plug-in (\(plugIn.kind))\(doubled); "
                + "the same bytes on every machine are not promised.",
            inputs: inputs, outputs: outputs, acceptsMusic: hearsMusic, hearsTime: hearsTime,
            tail: 30, gap: 2,
            properties: [
                Self.presetProperty, Self.restProperty, Self.trimProperty, Self.childProperty, Self.latencyProperty,
            ],
            readouts: Self.readouts + shown.map(\.name), runsForeignCode: true)
    }

    func entry(named name: String) -> UnitEntry {
        let descriptor = descriptor(named: name)
        return UnitEntry(descriptor: descriptor, parameters: controls.map(\.spec)) { setup throws(UnitError) in
            try PlugInMaking(controls: self, descriptor: descriptor, setup: setup).instance()
        }
    }
}

extension PlugInControls.Control {
    init(_ port: PlugInPort, name: String) {
        let range = port.range
        self.port = port.index
        symbol = port.symbol
        isOfRate = range.isOfRate
        let help = Self.sentence(port)
        let low = range.low ?? min(range.initial ?? 0, 0)
        var high = range.high ?? max(range.initial ?? 1, 1)
        if high <= low { high = low + 1 }
        let initial = min(max(range.initial ?? low, low), high)
        let (unit, scale) = range.isOfRate ? (.none, 1) : Self.unit(range.unit)
        self.scale = scale
        if range.isToggle {
            (values, isWhole) = ([range.low ?? 0, range.high ?? 1], false)
            spec = .toggle(name, default: initial > 0, help: help)
            return
        }
        let points = range.points.filter { $0.value >= low && $0.value <= high }
        let isComplete = range.isWhole && Float(points.count) == high - low + 1
        if points.count > 1, range.isEnumeration || isComplete, Set(points.map(\.value)).count == points.count {
            (values, isWhole) = (points.map(\.value), false)
            let index = points.indices.min { abs(points[$0].value - initial) < abs(points[$1].value - initial) } ?? 0
            spec = .choice(name, PlugInName.unique(points.map(\.label), word: "value"), default: index, help: help)
            return
        }
        (values, isWhole) = ([], range.isWhole)
        spec = ParameterSpec(
            name, (low / scale)...(high / scale), default: min(max(initial / scale, low / scale), high / scale), unit: unit,
            curve: range.isLogarithmic && low > 0 ? .logarithmic : .linear, smoothing: range.isWhole ? 0 : 0.02, help: help)
    }

    private static func sentence(_ port: PlugInPort) -> String {
        func ended(_ text: String) -> String { [".", "!", "?"].contains(text.suffix(1)) ? text : text + "." }
        let words = (port.range.comment ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let rate = port.range.isOfRate ? " A part of the sample rate." : ""
        return ended(port.title.isEmpty ? port.symbol : port.title) + (words.isEmpty ? "" : " " + ended(words)) + rate
    }

    private static func unit(_ uri: String?) -> (ParameterSpec.Unit, Float) {
        switch uri?.split(separator: "#").last {
        case "db": (.decibels, 1)
        case "hz": (.hertz, 1)
        case "khz": (.hertz, 0.001)
        case "s": (.seconds, 1)
        case "ms": (.seconds, 1000)
        case "pc": (.percent, 1)
        case "cent": (.cents, 1)
        case "semitone12TET": (.semitones, 1)
        case "coef": (.ratio, 1)
        default: (.none, 1)
        }
    }

    /// The parameter's value that is the plug-in's `value`, in range.
    func value(ofPlugIn value: Float) -> Float {
        if values.isEmpty { return spec.clamped(value / scale) }
        return Float(values.indices.min { abs(values[$0] - value) < abs(values[$1] - value) } ?? 0)
    }
}
