// [render]

/// Where the music stands: what units that follow a song's tempo are told, each on its frame.
///
/// A song says it where it begins and at every change of tempo or meter; between two of them time passes evenly. It belongs to
/// no part and no port: whoever follows hears it. What is said of one frame comes in the order of the cases, the place behind
/// all that it counts from.
@frozen public enum MusicalTime: Hashable, BitwiseCopyable, Sendable {
    /// The tempo from here on. Unit: quarter notes a minute. A song's own; who hears it is told it as fast as it is played.
    case tempo(Float)
    /// The meter from here on, and the number of the bar that begins at place 0, from 0 on: bars go on from there.
    case meter(bar: Int32, Meter)
    /// The number of the beat at place 0, from 0 on: all beats of the music before it, whatever their meters.
    case beat(Int32)
    /// The number of frames of sound that the music is behind its beginning, as fast as it is played; at most what 32 bits
    /// hold, which at 48 kHz are 12 hours.
    case frame(Int32)
    /// The distance of the music from the last bar line at which a meter began. Unit: `partsPerQuarter` of a quarter note. The
    /// count begins anew after `partsPerRound`.
    case place(Int32)
    /// The music stands still: who followed it goes on alone, at the tempo that it had.
    case stopped

    /// Parts of a quarter note that `place` counts: a multiple of the usual divisions of files, 96 to 1920.
    public static var partsPerQuarter: Int64 { @_noLocks get { 26_880 } }

    /// Parts after which the count of `place` begins anew: a whole number of all bars of up to 12 halves, quarters ...
    public static var partsPerRound: Int64 { @_noLocks get { partsPerQuarter &* 55_440 } }
}
