// [render]

/// A low-frequency oscillator of the SoundFont model: a triangle that begins upwards after a delay; one step a period of 64
/// frames. Source: SoundFont Technical Specification 2.04, section 9.1.6.
struct VoiceLFO: BitwiseCopyable {
    /// -1...1.
    private(set) var value = 0.0
    var growth = 0.0
    /// Frames before it starts.
    var delay: UInt32 = 0

    @_noLocks init() {}

    /// One period; `age` is how many frames the voice is old at its beginning.
    @_noLocks @inline(__always) mutating func step(_ age: UInt32) {
        if age < delay { return }
        value += growth
        if value > 1 {
            growth = -growth
            value = 2 - value
        } else if value < -1 {
            growth = -growth
            value = -2 - value
        }
    }
}
