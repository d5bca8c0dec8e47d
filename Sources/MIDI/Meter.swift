// [render]

/// The meter of a bar, as in a time signature: how many beats there are, and what a beat is.
@frozen public struct Meter: Hashable, BitwiseCopyable, Sendable {
    /// Beats in a bar, 1...255.
    public var beats: UInt8
    /// The note that is one beat, as a power of two, 0...7: 2 is a quarter, 3 an eighth.
    public var unit: UInt8

    /// Creates a meter; what is outside the ranges is the nearest inside.
    @_noLocks public init(beats: UInt8, unit: UInt8) {
        self.beats = max(beats, 1)
        self.unit = min(unit, 7)
    }

    /// Four quarters: the meter until a song sets another.
    public static var common: Meter { @_noLocks get { Meter(beats: 4, unit: 2) } }

    /// Parts of a quarter note in a beat, exactly; see `MusicalTime.partsPerQuarter`.
    public var partsPerBeat: Int64 { @_noLocks get { (4 &* MusicalTime.partsPerQuarter) &>> Int64(unit & 7) } }

    /// Parts of a quarter note in a bar.
    public var partsPerBar: Int64 { @_noLocks get { partsPerBeat &* Int64(max(beats, 1)) } }

    /// The lower number of the time signature: 1, 2, 4, ... 128.
    public var denominator: Int { @_noLocks get { 1 &<< Int(unit & 7) } }
}
