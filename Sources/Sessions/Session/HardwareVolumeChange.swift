/// A request for the volume of the sound card that plays.
package enum HardwareVolumeChange: Sendable, Hashable {
    /// Makes it as loud as the card's step that is nearest, -120...40.
    case decibels(Double)
    /// Makes it as loud as a share of the card's own steps, 0...100.
    case percent(Double)
    /// Switches it off, or on; the volume stays.
    case mute(Bool)
}
