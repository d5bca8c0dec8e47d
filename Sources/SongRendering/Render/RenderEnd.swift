/// The units that a session adds to the end of its graph.
package struct RenderEnd: Hashable, Sendable {
    /// True if a patch is folded to stereo in any case: if several patches take turns.
    package var isStereo = false
    /// True if a patch without a mixer of its own gets a unit that has the volume.
    package var hasVolume = false
    /// The level of a fader after the mix, before a limiter of our own, in decibels; nil means there is none.
    package var faderLevel: Float?

    package init(isStereo: Bool = false, hasVolume: Bool = false, faderLevel: Float? = nil) {
        (self.isStereo, self.hasVolume, self.faderLevel) = (isStereo, hasVolume, faderLevel)
    }
}
