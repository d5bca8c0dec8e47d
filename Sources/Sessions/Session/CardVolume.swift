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
