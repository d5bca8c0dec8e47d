import ALSA
import Reports

/// The volume of the sound card that a session plays on: a look at its `HardwareVolume`.
package struct CardVolume: Sendable, Hashable {
    /// The device, as it was named, and the control of its card's mixer.
    package let device: String
    package let control: String
    /// Decibels, and the quietest and the loudest; nil where the card does not know.
    package let decibels: Double?
    package let range: ClosedRange<Double>?
    /// The share of the card's own steps, 0...100.
    package let percent: Double
    /// True if the card is switched off; nil where it has no switch.
    package let isMuted: Bool?

    init(_ volume: HardwareVolume) throws(Fault) {
        let level = try volume.level
        (device, control, range) = (volume.device, volume.control, volume.decibels)
        (decibels, percent, isMuted) = (level.decibels, level.share * 100, level.isMuted)
    }
}
