/// An event that reached the units, and the frame on which it did: a line of the journal.
///
/// If a fresh renderer with the same graph gets all performed events again, in this order and through `Renderer.send` alone,
/// it gives the same samples bit for bit, for any slices. If a score plays too, the journal must contain the score's events
/// as well (`Renderer.init(recordsScore:)`): among events of one frame the order counts.
package struct PerformedEvent: BitwiseCopyable, Sendable {
    /// The sender of an event.
    package enum Source: UInt8, BitwiseCopyable, Sendable {
        case command, live, score, lane

        /// True for what was posted in segments.
        var isScored: Bool {
            @_noLocks get {
                switch self {
                case .score, .lane: true
                case .command, .live: false
                }
            }
        }
    }

    /// The event that took effect; its time is the frame on which it did so, not the one it was meant for.
    package var command: RenderCommand
    /// The sender of the event.
    package var source: Source
    /// Frames by which it took effect after the time that it was meant for; 0 for what was meant to be at once.
    package var lateness: Int32
    /// True for music that an instrument has heard as it is; what MIDI units make of it is theirs.
    package var isPlayed: Bool

    /// Creates a line of a journal.
    @_noLocks package init(_ command: RenderCommand, source: Source, lateness: Int32 = 0, isPlayed: Bool = false) {
        (self.command, self.source, self.lateness, self.isPlayed) = (command, source, lateness, isPlayed)
    }
}
