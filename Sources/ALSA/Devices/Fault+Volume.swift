import RemoteIO
import Reports

extension Fault.Kind {
    /// There is no card of that name, or it has no mixer.
    public static let noCard = Self("noCard", .unavailable)
}

/// Volumes of sound cards that cannot be read or set. Every description is one line with the remedy.
extension Fault {
    static func noCard(device: String, _ fault: DeviceFault) -> Fault {
        Fault("has no mixer (\(fault))", .noCard, of: device, remedy: "carillon devices lists the cards", origin: fault)
    }
    package static let noDevice = Fault(
        "no device plays, so there is no volume of a card", .unavailable,
        remedy: "name the card, as carillon devices does")
    package static func ofServer(device: String) -> Fault {
        Fault(
            "a sound server has no hardware volume of its own", .unavailable, of: device,
            remedy: "name its card, as carillon devices does, or turn the gain of what plays")
    }
    static func noVolume(device: String) -> Fault {
        Fault(
            "the card has no volume of its own", .unavailable, of: device,
            remedy: "turn its knob, or the gain of what plays")
    }
    static func noControl(device: String, name: String, known: [String]) -> Fault {
        Fault(
            "has no volume control '\(name)'", .usage, of: device, remedy: "choose one of \(known.joined(separator: ", "))")
    }
    static func noSwitch(device: String, control: String) -> Fault {
        Fault("'\(control)' has no mute switch", .unavailable, of: device, remedy: "set its volume to 0%")
    }
    static func noDecibels(device: String, control: String) -> Fault {
        Fault("'\(control)' does not know its decibels", .unavailable, of: device, remedy: "give a percentage")
    }
    static func outOfRange(device: String, decibels: Double, range: ClosedRange<Double>) -> Fault {
        Fault("\(decibels) dB: the card has \(range.lowerBound) to \(range.upperBound) dB", .usage, of: device)
    }
    static func noShare(device: String, _ share: Double) -> Fault { Fault("\(share): a volume is 0 to 1", .usage, of: device) }
    static func failed(device: String, _ fault: DeviceFault) -> Fault {
        Fault("the volume cannot be read or set (\(fault))", .unavailable, of: device, remedy: "plug the card in again")
    }
}
