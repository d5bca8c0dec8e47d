/// A message from a sequencer to those that follow its beat. Source: MIDI 1.0 Detailed Specification 4.2, "System Real Time"
/// and "Song Position Pointer".
@frozen public enum ClockMessage: Hashable, BitwiseCopyable, Sendable {
    /// F8: a twenty-fourth of a quarter note has passed.
    case pulse
    /// FA: from the beginning; the next pulse is the first beat.
    case start
    /// FB: on from the present position; the next pulse is that position.
    case `continue`
    /// FC: stop.
    case stop
    /// F2: the place to go on from, in sixteenth notes from the beginning, 0...16383.
    case position(UInt16)

    /// Pulses of a quarter note.
    @inlinable public static var pulsesPerQuarter: Int64 { @_noLocks get { 24 } }
    /// Pulses of a sixteenth, in which positions are counted.
    @inlinable public static var pulsesPerSixteenth: Int64 { @_noLocks get { 6 } }
}
