import Carillon
import DSP

/// The decibels by which a song could be louder, if they are many: the level is set so that no song presses the limiter,
/// and so most songs leave some room.
struct RoomLine {
    /// Room that is worth telling, in decibels.
    private static let least: Float = 9
    /// Decibels below full scale, so that the limiter, which begins at 1 dB and looks between the samples, has nothing to do.
    private static let margin: Float = 2

    /// `14 dB of room (--gain 14 uses it)`.
    let text: String

    /// Nil if there is little room, and for silence.
    /// `peak` is linear, full scale 1; `gain` the `--gain` that it was made with.
    init?(peak: Float, gain: Float) {
        guard let fitting = Self.fittingGain(peak: peak, gain: gain), Self.room(peak) >= Self.least,
            EngineSetting.gain.spec.range.contains(Float(fitting))
        else { return nil }
        text = "\(Int(Self.room(peak).rounded(.down))) dB of room (--gain \(fitting) uses it)"
    }

    /// The `--gain` in whole decibels that brings the peak to about 2 dB below full scale; nil for silence.
    static func fittingGain(peak: Float, gain: Float) -> Int? {
        peak > 0 ? Int((gain + room(peak)).rounded(.down)) : nil
    }

    private static func room(_ peak: Float) -> Float { -Decibels.level(ofAmplitude: peak) - margin }
}
