// [render]

/// The position of the music: messages to the units that follow a song's tempo, each on its frame.
///
/// A song sends them at its beginning and at every change of tempo or meter; between two of them time passes evenly. They
/// belong to no part and no port: every follower gets them. Messages on one frame come in the order of the cases, the place
/// after all that it counts from.
@frozen public enum MusicalTime: Hashable, BitwiseCopyable, Sendable {
    /// The tempo from here on. Unit: quarter notes a minute. In a song it is the song's own; followers get the tempo at which
    /// it is played.
    case tempo(Float)
    /// The meter from here on, and the number of the bar that begins at place 0, from 0 on: bars go on from there.
    case meter(bar: Int32, Meter)
    /// The number of the beat at place 0, from 0 on: all beats of the music before it, in any meter.
    case beat(Int32)
    /// The frames of sound from the beginning of the music to here, at the speed at which it is played; at most what 32 bits
    /// hold, which at 48 kHz are 12 hours.
    case frame(Int32)
    /// The distance of the music from the last bar line at which a meter began. Unit: `partsPerQuarter` of a quarter note. The
    /// count begins anew after `partsPerRound`.
    case place(Int32)
    /// The music stands still: followers go on alone, at the tempo that they had.
    case stopped

    /// Parts of a quarter note that `place` counts: a multiple of the usual divisions of files, 96 to 1920.
    public static var partsPerQuarter: Int64 { @_noLocks get { 26_880 } }

    /// Parts after which the count of `place` begins anew: a whole number of all bars of up to 12 halves, quarters ...
    public static var partsPerRound: Int64 { @_noLocks get { partsPerQuarter &* 55_440 } }
}
