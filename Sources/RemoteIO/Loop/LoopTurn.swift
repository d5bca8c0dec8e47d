/// The outcome of a turn of the audio loop.
package enum LoopTurn: BitwiseCopyable, Sendable, Equatable {
    /// Everything is done; the next turn follows.
    case done
    /// A device of the list is to be opened, which may take memory and wait: then `AudioLoop.answer`, and the next turn.
    case open(Int)
    /// The device is to be released; then the next turn.
    case close
    /// A device that pulls in a thread of its own may do so (`PullGate`) until something happens to it: then `AudioLoop.answer`
    /// follows, and the next turn.
    case lend
    /// Simulated time stands still: the same turn is made again once more of it has passed.
    case paused
    /// The loop is over.
    case finished
}
