import UnitAPI

extension Sampler {
    /// The descriptor of this unit as the default of all that play SoundFonts.
    public static var defaultDescriptor: UnitDescriptor {
        var named = descriptor
        named.component.subtype = "sf2 "
        named.name = "soundfont"
        return named
    }
}
