import ALSA

/// The volume of the sound card that a session plays on: a look at its `HardwareVolume`.
public struct CardVolume: Sendable, Hashable {
    /// The device, as it was named, and the control of its card's mixer.
    public let device: String
    public let control: String
    /// Decibels, and the quietest and the loudest; nil where the card does not know.
    public let decibels: Double?
    public let range: ClosedRange<Double>?
    /// The share of the card's own steps, 0...100.
    public let percent: Double
    /// True if the card is switched off; nil where it has no switch.
    public let isMuted: Bool?

    init(_ volume: HardwareVolume) throws(HardwareVolumeError) {
        let level = try volume.level
        (device, control, range) = (volume.device, volume.control, volume.decibels)
        (decibels, percent, isMuted) = (level.decibels, level.share * 100, level.isMuted)
    }
}

extension LiveSession {
    /// The volume of the sound card that plays: the card's own, behind everything that sounds here, and every program's.
    ///
    /// - Throws: `hardwareVolume` where nothing plays, where a sound server does, and where the card has none.
    public var cardVolume: CardVolume {
        get throws(LiveError) {
            do throws(HardwareVolumeError) { return try CardVolume(mixer) } catch { throw .hardwareVolume(error) }
        }
    }

    /// Turns it.
    func turnCard(_ change: HardwareVolumeChange) throws(LiveError) {
        do throws(HardwareVolumeError) {
            let volume = try mixer
            switch change {
            case .decibels(let decibels): try volume.set(decibels: decibels)
            case .percent(let percent): try volume.set(share: percent / 100)
            case .mute(let isMuted): try volume.set(isMuted: isMuted)
            }
        } catch { throw .hardwareVolume(error) }
    }

    private var mixer: HardwareVolume {
        get throws(HardwareVolumeError) {
            guard let grant = port.grant, !grant.isNull else { throw .noDevice }
            return try SoundSystems.hardwareVolume(of: grant.device)
        }
    }
}
