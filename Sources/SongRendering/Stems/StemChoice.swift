import Reports
import Sequencer

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

    /// Creates a division; dry by default.
    public init(_ division: Division, isWet: Bool = false) { (self.division, self.isWet) = (division, isWet) }

    /// Refuses options that exclude stems, before anything is read or written. `SongRenderer` asks this itself.
    ///
    /// - Parameter isTrimmed: whether silence at the ends of the mix is left out (`SilenceTrim`).
    /// - Throws: `option`, named `stems` or `stems-wet`.
    public func check(beside options: RenderOptions, isTrimmed: Bool = false) throws(Fault) {
        func refusal(_ remedy: String, _ name: String = "stems") -> Fault {
            .option(name: name, value: division.rawValue, remedy: remedy)
        }
        if let layout = options.layout, layout != .stereo, layout != .mono {
            throw refusal("stems are stereo, or mono; leave the layout \(layout.rawValue) out")
        }
        if let made = options.patch?.outputLayout.heard, made != .stereo {
            throw refusal("stems are stereo, and the patch is made for \(made.rawValue)")
        }
        if options.passage.isLoop { throw refusal("the parts of a loop do not join; render them one by one") }
        if isTrimmed { throw refusal("stems are as long as their mix; leave trim out") }
        if isWet, !options.hasEffects { throw refusal("without effects there is no share of them; leave it out", "stems-wet") }
    }
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
