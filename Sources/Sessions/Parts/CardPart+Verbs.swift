import Reports
import UnitAPI

/// The requests for the card's own volume.
extension CardPart {
    static let verbs: [Verb] = [.hardware, .hardwareVolume, .hardwarePercent, .hardwareMute]
}

extension Verb {
    package static let hardware = Verb(
        "volume hardware", help: "Reports the sound card's own volume.", "volume hardware"
    ) { (card: CardPart, _) throws(Fault) in try card.volume }
    static let hardwareVolume = Verb(
        "volume hardware", [.init("DECIBELS", .number(decibels))],
        help: "Sets the sound card's own volume, for all programs.", "volume hardware -12dB"
    ) { (card: CardPart, values) throws(Fault) in try card.turn(.decibels(values.number(0))) }
    static let hardwarePercent = Verb(
        "volume hardware share", [.init("PERCENT", .number(percent))], help: "Sets it in percent of the card's own steps.",
        "volume hardware share 50%"
    ) { (card: CardPart, values) throws(Fault) in try card.turn(.percent(values.number(0))) }
    static let hardwareMute = Verb(
        "volume hardware mute", [.onOff], help: "Mutes or unmutes the sound card.", "volume hardware mute on"
    ) { (card: CardPart, values) throws(Fault) in try card.turn(.mute(values.flag(0))) }
    private static let decibels = ParameterSpec(
        "decibels", -120...40, default: 0, unit: .decibels, help: "How loud a card is.")
    private static let percent = ParameterSpec(
        "percent", 0...100, default: 50, unit: .percent, help: "A share of a card's steps.")
}

extension ControlCommand {
    /// Volume of the sound card itself, after the whole signal chain: it applies to every program, and it stays.
    package static func hardwareVolume(_ change: HardwareVolumeChange) -> ControlCommand {
        switch change {
        case .decibels(let decibels): Verb.hardwareVolume(decibels)
        case .percent(let percent): Verb.hardwarePercent(percent)
        case .mute(let isOn): Verb.hardwareMute(isOn)
        }
    }
}

extension CardVolume: Fielded {
    package static let fields: [Field<Self>] = [
        Field("device", \.device, "The device, as it was named."),
        Field("control", \.control, "The control of the card's mixer."),
        Field("decibels", \.decibels, "The volume in decibels, if the card reports it."),
        Field("from", \.range?.lowerBound, "The quietest, in decibels."),
        Field("to", \.range?.upperBound, "The loudest, in decibels."),
        Field("percent", \.percent, "The share of the card's own steps."),
        Field("isMuted", \.isMuted, "Whether the card is muted."),
    ]
}
