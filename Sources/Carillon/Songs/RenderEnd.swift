/// The units that a session adds to the end of what plays.
struct RenderEnd: Hashable, Sendable {
    /// True if a patch is stereo, whatever it makes: where several take turns.
    var isStereo = false
    /// True if a patch without a mixer of its own gets a unit that has the volume.
    var hasVolume = false
    /// The level of a fader after the mix, before a limiter of our own, in decibels; nil: there is none.
    var faderLevel: Float?
}
