// [render]

/// A preset as the library numbers it.
struct LoadedPreset: BitwiseCopyable, Sendable {
    /// The library's number of the SoundFont; negative: nothing to play.
    var font: Int32
    /// The preset's numbers as the file has them.
    var bank: Int32
    var program: Int32

    /// No preset, or none that is loaded.
    static var none: LoadedPreset { @_noLocks get { LoadedPreset(font: -1, bank: 0, program: 0) } }
}
