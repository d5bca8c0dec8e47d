/// The version of what makes sound: it rises whenever the same song, SoundFonts and options give other samples.
public enum SoundVersion {
    /// The number now.
    public static let number = 3
}
