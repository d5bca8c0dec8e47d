import ALSA
import ArgumentParser
import Carillon
import Reports

/// `carillon devices volume`: how loud a sound card itself is.
struct VolumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume",
        abstract: "Show or set a sound card's own volume.",
        discussion: """
            The volume is that of the card's mixer: it applies to all programs and remains set. Decibels are those \
            that the card reports; percent are of its own steps.

            Examples:
              carillon devices volume default
              carillon devices volume hw:USB,0 -12dB
              carillon devices volume hw:USB,0 50%
              carillon devices volume hw:USB,0 --mute
            """)

    @Argument(help: ArgumentHelp("The device, as carillon devices lists it.", valueName: "name"))
    var device: String

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Decibels or percent: -12dB, 50%. Without it the volume is printed.", valueName: "volume"))
    var wanted: [String] = []

    @Option(help: ArgumentHelp("The control of the card's mixer; by default Master, PCM or the first.", valueName: "name"))
    var control: String?

    @Flag(help: "Mute it; the volume stays.")
    var mute = false

    @Flag(help: "Unmute it.")
    var unmute = false

    enum Wanted: Equatable {
        case decibels(Double)
        case share(Double)

        init?(_ text: String) {
            let text = text.lowercased()
            if text.hasSuffix("%"), let number = Double(text.dropLast()) {
                self = .share(number / 100)
            } else if text.hasSuffix("db"), let number = Double(text.dropLast(2).filter { $0 != " " }) {
                self = .decibels(number)
            } else {
                return nil
            }
        }
    }

    func validate() throws {
        if mute && unmute { throw ValidationError("--mute and --unmute say the opposite; leave one of them out") }
        if wanted.count > 1 { throw ValidationError("\(wanted[1]): one volume is enough") }
        if let text = wanted.first, Wanted(text) == nil {
            throw ValidationError("\(text): give decibels or percent, like -12dB or 50%")
        }
    }

    func run() throws {
        do {
            let volume = try SoundSystems.hardwareVolume(of: device, control: control)
            switch wanted.first.flatMap(Wanted.init) {
            case .decibels(let decibels)?: try volume.set(decibels: decibels)
            case .share(let share)?: try volume.set(share: share)
            case nil: break
            }
            if mute || unmute { try volume.set(isMuted: mute) }
            try StandardOutput.print(OneLine.text(Self.line(try volume.level, volume)))
        } catch let error as Fault {
            throw Failure.report(error)
        }
    }

    /// `hw:0: Master -12.00 dB (-45 to 0 dB), 73%`
    static func line(_ level: HardwareVolume.Level, _ volume: HardwareVolume) -> String {
        "\(volume.device): \(DeviceList.Volume(volume, level).text)"
    }
}
