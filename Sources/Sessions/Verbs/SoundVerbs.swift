import UnitAPI
import Units

/// Verbs about the sound: strips, volumes, parameters, presets, and the ends of notes that hang.
extension Verb {
    static let sounds = [
        mute, solo, volume, set, preset, panicChannel, panicUnit,
    ]

    static let card = [hardware, hardwareVolume, hardwarePercent, hardwareMute]

    static let mute = Verb(
        "mute", [.channel, .onOff], help: "Mutes or unmutes a channel.", "mute 3 on", movesSound: true
    ) { (mix: MixPart, values) throws(LiveError) in try mix.control.set(.mute, values.flag(1), channel: values.whole(0)) }
    static let solo = Verb(
        "solo", [.channel, .onOff], help: "Solos a channel: only soloed ones are heard.", "solo 3 off", movesSound: true
    ) { (mix: MixPart, values) throws(LiveError) in try mix.control.set(.solo, values.flag(1), channel: values.whole(0)) }

    static let volume = Verb(
        "volume", [.init("DECIBELS", .number(MultichannelMixer.Parameter.volume.spec))],
        help: "Sets the volume of the output; 0 is that of the start.", "volume -6dB", movesSound: true
    ) { (mix: MixPart, values) throws(LiveError) in try mix.control.setVolume(values.number(0)) }
    static let hardwareVolume = Verb(
        "volume hardware", [.init("DECIBELS", .number(decibels))],
        help: "Sets the sound card's own volume, for all programs.", "volume hardware -12dB"
    ) { (card: CardPart, values) throws(LiveError) in try card.turn(.decibels(values.number(0))) }
    static let hardwarePercent = Verb(
        "volume hardware share", [.init("PERCENT", .number(percent))], help: "Sets it in percent of the card's own steps.",
        "volume hardware share 50%"
    ) { (card: CardPart, values) throws(LiveError) in try card.turn(.percent(values.number(0))) }
    static let hardwareMute = Verb(
        "volume hardware mute", [.onOff], help: "Mutes or unmutes the sound card.", "volume hardware mute on"
    ) { (card: CardPart, values) throws(LiveError) in try card.turn(.mute(values.flag(0))) }

    static let set = Verb(
        "set", [.init("NAME=VALUE", .setting)], help: "Sets a parameter of a unit.", "set reverb.decay=2.5s", movesSound: true
    ) { (mix: MixPart, values) throws(LiveError) in try mix.set(values.text(0)) }
    static let preset = Verb(
        "preset", [.unit, .preset], help: "Sets a unit by one of its presets, or by one of yours.",
        "preset graphic-equalizer bass-booster"
    ) { (mix: MixPart, values) throws(LiveError) in try mix.set(unit: values.text(0), by: values.text(1)) }

    static let panic = Verb("panic", help: "Ends everything that sounds.", "panic") { (session: Session, _) throws(LiveError) in
        try session.silence()
    }
    static let panicChannel = Verb(
        "panic channel", [.channel], help: "Ends what sounds on a channel.", "panic channel 3"
    ) { (mix: MixPart, values) throws(LiveError) in try mix.control.silence(channel: values.whole(0)) }
    static let panicUnit = Verb(
        "panic unit", [.unit], help: "Ends what a unit plays.", "panic unit organ"
    ) { (mix: MixPart, values) throws(LiveError) in try mix.control.silence(unit: values.text(0)) }
    static let panicSource = Verb(
        "panic source", [.name("keyboards", "name")], help: "Ends what a keyboard holds.", "panic source \"Keystation 61\""
    ) { (keys: KeysPart, values) throws(LiveError) in try keys.silence(source: values.text(0)) }

    private static let decibels = ParameterSpec(
        "decibels", -120...40, default: 0, unit: .decibels, help: "How loud a card is.")
    private static let percent = ParameterSpec(
        "percent", 0...100, default: 50, unit: .percent, help: "A share of a card's steps.")
}

extension ControlCommand {
    /// Mutes a channel or unmutes it; channels count from 1, those of the second port from 17.
    public static func mute(channel: Int, _ isOn: Bool) -> ControlCommand { Verb.mute(channel, isOn) }
    /// Solos a channel or ends its solo; while any channel is soloed, only soloed channels are heard.
    public static func solo(channel: Int, _ isOn: Bool) -> ControlCommand { Verb.solo(channel, isOn) }
    /// Volume of the whole sound in decibels, -120...40, on top of the gain that the session began with; 0 is the volume at the
    /// start.
    public static func volume(_ decibels: Double) -> ControlCommand { Verb.volume(decibels) }

    /// Volume of the sound card itself, after the whole signal chain: it applies to every program, and it stays.
    package static func hardwareVolume(_ change: HardwareVolumeChange) -> ControlCommand {
        switch change {
        case .decibels(let decibels): Verb.hardwareVolume(decibels)
        case .percent(let percent): Verb.hardwarePercent(percent)
        case .mute(let isOn): Verb.hardwareMute(isOn)
        }
    }

    /// Sets a parameter, as text such as `reverb.decay=2.5s`.
    public static func set(_ setting: String) -> ControlCommand { Verb.set(setting) }
    /// Sets a unit by one of its presets, or by one of the user's (`$XDG_CONFIG_HOME/carillon/presets`).
    public static func preset(unit: String, name: String) -> ControlCommand { Verb.preset(unit, name) }

    /// Ends notes that hang.
    public static func panic(_ scope: PanicScope) -> ControlCommand {
        switch scope {
        case .all: Verb.panic()
        case .channel(let channel): Verb.panicChannel(channel)
        case .unit(let name): Verb.panicUnit(name)
        case .source(let name): Verb.panicSource(name)
        }
    }
}

/// The scope of a panic.
public enum PanicScope: Sendable, Hashable {
    /// Everything that one MIDI source holds, by its name.
    case source(String)
    /// Everything that one unit of the graph sounds, by its name there.
    case unit(String)
    /// Everything that sounds on a channel, counted from 1.
    case channel(Int)
    /// Everything.
    case all
}
