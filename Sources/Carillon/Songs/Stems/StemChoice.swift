/// The division of a song into stems, for a render that gives them beside its mix.
public struct StemChoice: Sendable, Hashable {
    /// The rule by which channels become stems.
    public enum Division: String, Sendable, Hashable, CaseIterable {
        /// A stem for each channel that plays.
        case channel
        /// A stem for each family of instruments: drums, and the sixteen of General MIDI.
        case group
        /// A stem for each track; no channel may be played by two of them.
        case track
        /// A stem for each sound; no channel may play two of them.
        case instrument
    }

    /// The rule.
    public var division: Division
    /// True if each stem has its own share of the effects; else they are dry, and each effect has a stem of its own.
    public var isWet: Bool

    /// A division; dry unless told otherwise.
    public init(_ division: Division, isWet: Bool = false) { (self.division, self.isWet) = (division, isWet) }
}

/// A part of a mix that is rendered beside it. All stems of a song, added up in their order, are its mix before master effects and
/// limiter, to the last bit of a float.
public struct Stem: Sendable, Hashable {
    /// The content of a stem.
    public enum Kind: String, Sendable, Hashable {
        /// Channels without their share of the effects.
        case dry
        /// Channels with their share of the effects.
        case wet
        /// An effect that channels send to.
        case effect
    }

    /// The sound, the family, the track or the effect.
    public let name: String
    public let kind: Kind
    /// Channels that are heard in it, counted from 1; those of the second port are 17 to 32.
    public let channels: [Int]
    /// The units that lead into it: strips, and instruments that have none.
    let units: [String]
    /// Notes of its channels in the whole song.
    let notes: Int
}
