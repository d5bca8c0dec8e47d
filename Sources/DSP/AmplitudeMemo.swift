// [render]

/// The amplitude of a level in decibels, computed again only when the level has changed.
///
/// Many gains rest for hours, and an exponential costs as much as dozens of frames of a mix.
@frozen public struct AmplitudeMemo: BitwiseCopyable {
    @usableFromInline var decibels: Float = 0
    @usableFromInline var amplitude: Float = 1

    /// Knows that 0 dB is 1.
    @_noLocks @inlinable
    public init() {}

    /// `Decibels.amplitude`, the same bits.
    @_noLocks @inlinable @inline(__always)
    public mutating func callAsFunction(_ decibels: Float) -> Float {
        if decibels != self.decibels {
            self.decibels = decibels
            amplitude = Decibels.amplitude(decibels)
        }
        return amplitude
    }
}
