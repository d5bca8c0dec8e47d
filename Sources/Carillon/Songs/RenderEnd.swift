/// The units that a session adds to the end of its graph.
struct RenderEnd: Hashable, Sendable {
    /// True if a patch is folded to stereo in any case: if several patches take turns.
    var isStereo = false
    /// True if a patch without a mixer of its own gets a unit that has the volume.
    var hasVolume = false
    /// The level of a fader after the mix, before a limiter of our own, in decibels; nil: there is none.
    var faderLevel: Float?
}
