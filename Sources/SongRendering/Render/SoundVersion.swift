/// The version of what makes sound: it rises whenever the same song, SoundFonts and options give other samples.
package enum SoundVersion {
    /// The number now.
    package static let number = 4
}
