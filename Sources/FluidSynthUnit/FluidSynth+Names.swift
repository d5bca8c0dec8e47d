import UnitAPI

/// What the unit is called: `soundfont` is whatever plays SoundFonts unless somebody says more, `fluidsynth` is this one.
extension FluidSynth {
    /// The same unit under the name of its synthesizer, for a patch that means no other.
    public static var namedDescriptor: UnitDescriptor {
        var named = descriptor
        named.component.subtype = "flui"
        named.name = "fluidsynth"
        named.summary = "Plays the presets of a SoundFont through libfluidsynth, one stereo bus for each MIDI channel."
        return named
    }
}
