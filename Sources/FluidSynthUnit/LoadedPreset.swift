// [render]

/// A preset as the library numbers it.
struct LoadedPreset: BitwiseCopyable, Sendable {
    /// The library's number of the SoundFont; negative: nothing to play.
    var font: Int32
    var bank: Int32
    var program: Int32

    static var none: LoadedPreset { @_noLocks get { LoadedPreset(font: -1, bank: 0, program: 0) } }
}
