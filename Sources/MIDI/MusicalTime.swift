// [render]

/// Where the music stands: what units that follow a song's tempo are told, each on its frame.
///
/// A song says it where it begins and at every change of tempo or meter; between two of them time passes evenly. It belongs to
/// no part and no port: whoever follows hears it.
@frozen public enum MusicalTime: Hashable, BitwiseCopyable, Sendable {
    /// The tempo from here on. Unit: quarter notes a minute. A song's own; who hears it is told it as fast as it is played.
    case tempo(Float)
    /// How far the music is behind the last bar line at which a meter began. Unit: `partsPerQuarter` of a quarter note.
    case place(Int32)
    /// The music stands still: who followed it goes on alone, at the tempo that it had.
    case stopped

    /// Parts of a quarter note that `place` counts: a multiple of the usual divisions of files, 96 to 1920.
    public static var partsPerQuarter: Int64 { @_noLocks get { 26_880 } }

    /// Quarter notes after which the count of `place` begins anew: a multiple of all usual bars.
    public static var quartersPerRound: Int64 { @_noLocks get { 60_000 } }
}
