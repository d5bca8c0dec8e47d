import Reports
import UnitAPI
import Units

/// The requests for strips, volume, parameters and presets.
extension MixPart {
    static let verbs: [Verb] = [
        .mute, .solo, .volume, .fade, .set, .preset, .panicChannel, .panicUnit, .savePreset, .replacePreset, .unitList, .presets,
    ]
}

extension Verb {
    static let mute = Verb(
        "mute", [.channel, .onOff], help: "Mutes or unmutes a channel.", "mute 3 on", movesSound: true
    ) { (mix: MixPart, values) throws(Fault) in try mix.set(.mute, values.flag(1), channel: values.whole(0)) }
    static let solo = Verb(
        "solo", [.channel, .onOff], help: "Solos a channel: only soloed ones are heard.", "solo 3 off", movesSound: true
    ) { (mix: MixPart, values) throws(Fault) in try mix.set(.solo, values.flag(1), channel: values.whole(0)) }
    static let volume = Verb(
        "volume", [.init("DECIBELS", .number(MultichannelMixer.Parameter.volume.spec))],
        help: "Sets the volume of the output; 0 is that of the start.", "volume -6dB", movesSound: true
    ) { (mix: MixPart, values) throws(Fault) in try mix.core.setVolume(values.number(0)) }.turned(
        from: -60, to: 6
    ) { (mix: MixPart) in mix.control.volume }
    static let fade = Verb(
        "fade",
        [
            .init("DECIBELS", .number(MultichannelMixer.Parameter.volume.spec)),
            .init("TIME", .number(fadeTime), isOptional: true),
        ],
        help: "Brings the volume of the output to a level in a time, 2 s if none is given.", "fade -20dB 4s", movesSound: true
    ) { (mix: MixPart, values) throws(Fault) in
        try mix.core.setVolume(values.number(0), over: values.optionalNumber(1) ?? Double(fadeTime.initial))
    }
    private static let fadeTime = ParameterSpec(
        "time", 0...600, default: 2, unit: .seconds, help: "The time until the level is reached.")
    static let set = Verb(
        "set", [.init("NAME=VALUE", .setting)], help: "Sets a parameter of a unit.", "set reverb.decay=2.5s", movesSound: true
    ) { (mix: MixPart, values) throws(Fault) in try mix.set(values.text(0)) }
    static let preset = Verb(
        "preset", [.unit, .preset], help: "Sets a unit by one of its presets, or by one of yours.",
        "preset graphic-equalizer bass-booster"
    ) { (mix: MixPart, values) throws(Fault) in try mix.set(unit: values.text(0), by: values.text(1)) }
    static let panicChannel = Verb(
        "panic channel", [.channel], help: "Ends what sounds on a channel.", "panic channel 3"
    ) { (mix: MixPart, values) throws(Fault) in try mix.control.silence(channel: values.whole(0)) }
    static let panicUnit = Verb(
        "panic unit", [.unit], help: "Ends what a unit plays.", "panic unit organ"
    ) { (mix: MixPart, values) throws(Fault) in try mix.silence(unit: values.text(0)) }
    package static let savePreset = Verb(
        "save-preset", [.unit, .name], help: "Saves the settings of a unit as a preset of yours.", "save-preset reverb my-hall",
        saves: { (mix: MixPart, values) throws(Fault) in
            try mix.savePreset(values.text(1), of: values.text(0), replaces: false)
        }
    ).changingSetup
    static let replacePreset = Verb(
        "replace-preset", [.unit, .preset], help: "Saves them in the place of a preset of yours.",
        "replace-preset reverb my-hall",
        saves: { (mix: MixPart, values) throws(Fault) in
            try mix.savePreset(values.text(1), of: values.text(0), replaces: true)
        }
    ).changingSetup
    static let unitList = Verb(
        "parameters", help: "Lists the units in use and their parameters.", "parameters"
    ) { (mix: MixPart, _) in UnitList(parameterEdition: mix.edition, units: mix.units) }
    static let presets = Verb(
        "presets", [.unit], help: "Lists the presets of a unit, yours last.", "presets reverb"
    ) { (mix: MixPart, values) throws(Fault) in PresetList(presets: try mix.presets(of: values.text(0))) }
}

extension ControlCommand {
    /// Mutes a channel or unmutes it; channels count from 1, those of the second port from 17.
    public static func mute(channel: Int, _ isOn: Bool) -> ControlCommand { Verb.mute(channel, isOn) }
    /// Solos a channel or ends its solo; while any channel is soloed, only soloed channels are heard.
    public static func solo(channel: Int, _ isOn: Bool) -> ControlCommand { Verb.solo(channel, isOn) }
    /// Volume of the whole sound in decibels, -120...40, on top of the gain that the session began with; 0 is the volume at the
    /// start.
    public static func volume(_ decibels: Double) -> ControlCommand { Verb.volume(decibels) }
    /// Brings the volume to a level in decibels, as `volume` has it, within `seconds`, 0...600.
    public static func fade(to decibels: Double, over seconds: Double) -> ControlCommand { Verb.fade(decibels, seconds) }
    /// Sets a parameter, as text such as `reverb.decay=2.5s`.
    public static func set(_ setting: String) -> ControlCommand { Verb.set(setting) }
    /// Sets a unit by one of its presets, or by one of the user's (`$XDG_CONFIG_HOME/carillon/presets`).
    public static func preset(unit: String, name: String) -> ControlCommand { Verb.preset(unit, name) }
    /// Saves the current values of a unit as a user's preset, for `preset` in this and other sessions; `replaces`: in the place
    /// of one with the same name.
    public static func savePreset(unit: String, name: String, replaces: Bool = false) -> ControlCommand {
        replaces ? Verb.replacePreset(unit, name) : Verb.savePreset(unit, name)
    }
}

private struct PresetList: Fielded {
    let presets: [String]

    static let fields: [Field<Self>] = [Field("presets", \.presets, "The presets' names.")]
}

private struct UnitList: Fielded {
    let parameterEdition: Int
    let units: [SessionUnit]

    static let fields: [Field<Self>] = [
        Field("parameterEdition", \.parameterEdition, "The edition of these values, as in the status."),
        Field("units", \.units, "The units, in the order of the graph."),
    ]
}

extension SessionUnit: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Its name in the graph."), Field("type", \.type, "The name of its type."),
        Field("parameters", { unit in unit.parameters.map { Movable(unit: unit.name, parameter: $0) } }, "The parameters."),
    ]
}

/// A parameter of a unit as a surface draws it.
private struct Movable: Fielded {
    let unit: String
    let parameter: SessionUnit.Parameter

    private var spec: ParameterSpec { parameter.spec }

    static let fields: [Field<Self>] = [
        Field("name", \.parameter.name, "The name, as in a setting: decay, gain[2]."),
        Field("value", { Double($0.parameter.value) }, "The value that it has or glides to."),
        Field("text", { $0.spec.text($0.parameter.value) }, "The value with its unit."),
        Field("min", { Double($0.spec.range.lowerBound) }, "The lowest value."),
        Field("max", { Double($0.spec.range.upperBound) }, "The highest value."),
        Field("initial", { Double($0.spec.initial(of: $0.parameter.element ?? 0)) }, "The value at the start."),
        Field("unit", { $0.spec.unit.counted }, "The unit that is counted."),
        Field("steps", { $0.spec.unit.names }, "The names of the values."),
        Field("isWhole", { $0.spec.unit.isWhole }, "Whether values are whole numbers."),
        Field("isLogarithmic", { $0.spec.curve == .logarithmic }, "Whether equal turns of a knob are equal ratios."),
        Field("help", \.spec.help, "One sentence."),
        Field("setting", { "\($0.unit).\($0.parameter.name)" }, "The name that set accepts."),
    ]
}

extension ParameterSpec.Unit {
    /// The unit that is counted; nil for bare numbers and names.
    fileprivate var counted: String? {
        switch self {
        case .none, .toggle, .choice: nil
        default: "\(self)"
        }
    }

    /// The names of the values; nil where they have none.
    fileprivate var names: [String]? {
        switch self {
        case .toggle: ["off", "on"]
        case .choice(let names): names
        default: nil
        }
    }

    fileprivate var isWhole: Bool { [.voices, .frames].contains(self) || names != nil }
}
