import RemoteIO

/// A reason why the volume of a sound card cannot be read or set. Every description is one line with the remedy.
public enum HardwareVolumeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no card of that name, or it has no mixer.
    case noCard(device: String, DeviceFault)
    /// Nothing plays, so no card does.
    case noDevice
    /// A sound server plays: it has no volume itself, only its devices have.
    case ofServer(device: String)
    /// The card plays as loud as it does.
    case noVolume(device: String)
    /// The card has no volume control of that name.
    case noControl(device: String, name: String, known: [String])
    /// The control cannot be switched off.
    case noSwitch(device: String, control: String)
    /// The card does not report its steps in decibels.
    case noDecibels(device: String, control: String)
    /// Decibels that the card has not.
    case outOfRange(device: String, decibels: Double, range: ClosedRange<Double>)
    /// A share of the range that is not between 0 and 1.
    case noShare(device: String, Double)
    /// The card refused, or was unplugged.
    case failed(device: String, DeviceFault)
    /// Changes cannot be watched for.
    case noThread(DeviceError)

    public var description: String {
        switch self {
        case .noCard(let device, let fault):
            "\(device): has no mixer (\(fault)); carillon devices lists the cards"
        case .noDevice: "no device plays, so there is no volume of a card; name the card, as carillon devices does"
        case .ofServer(let device):
            "\(device): a sound server has no hardware volume of its own; name its card, as carillon devices "
                + "does, or turn the gain of what plays"
        case .noVolume(let device):
            "\(device): the card has no volume of its own; turn its knob, or the gain of what plays"
        case .noControl(let device, let name, let known):
            "\(device): has no volume control '\(name)'; choose one of \(known.joined(separator: ", "))"
        case .noSwitch(let device, let control):
            "\(device): '\(control)' has no mute switch; set its volume to 0%"
        case .noDecibels(let device, let control):
            "\(device): '\(control)' reports no decibels; give a percentage"
        case .outOfRange(let device, let decibels, let range):
            "\(device): \(decibels) dB: the card has \(range.lowerBound) to \(range.upperBound) dB"
        case .noShare(let device, let share): "\(device): \(share): a volume is 0 to 1"
        case .failed(let device, let fault): "\(device): the volume cannot be read or set (\(fault)); plug the card in again"
        case .noThread(let error): "\(error)"
        }
    }
}
