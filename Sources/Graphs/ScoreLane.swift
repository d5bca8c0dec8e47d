/// The place in a renderer where a segment is played: in each, segments take over from each other alone.
package enum ScoreLane: BitwiseCopyable, Sendable {
    /// Songs.
    case score
    /// A song that fades in or out beside another, on ports of its own.
    case beside
    /// Loops: they end no key, pedal or bend that others hold on the same part, and others end none of theirs.
    case loops
}
