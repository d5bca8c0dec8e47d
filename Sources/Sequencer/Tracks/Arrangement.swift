import MIDI
import RealtimeCore

extension Song {
    /// A song's tracks for a program that changes them while they sound: notes with their lengths, at beats.
    ///
    /// A value, as the song is; `SongPlayback.Tracks` plays it. A beat is a quarter note, or a second of a song that counts film
    /// frames. Beats are kept as they are given, and played to 1/4 838 400 of a beat.
    public struct Arrangement: Hashable, Sendable {
        public var tracks: [Track]
        /// Tempos and meters for all tracks, and what is not heard of them. 120 quarter notes a minute and 4/4 until it says
        /// otherwise. Its mute, solo and loop have no effect.
        public var tempoTrack: Track

        /// Creates an arrangement.
        public init(tracks: [Track] = [], tempoTrack: Track = Track()) {
            (self.tracks, self.tempoTrack) = (tracks, tempoTrack)
        }

        /// Beats are bounded: -1 000 000 000...1 000 000 000. No number is beat 0.
        package static let lastBeat = 1e9

        /// Parts of a beat, to which events are played: a multiple of the usual divisions of files.
        static let partsPerBeat: Int64 = 4_838_400

        static func part(_ beat: Double) -> Int64 { Int64((bounded(beat) * Double(partsPerBeat)).rounded()) }

        static func bounded(_ beat: Double) -> Double { beat.isNaN ? 0 : min(max(beat, -lastBeat), lastBeat) }
    }
}

extension Song.Arrangement {
    /// A track: events in the order of their beats, and the way it is played.
    public struct Track: Hashable, Sendable {
        public var name: String
        /// The events, sorted by beat; on one beat in the order in which they were added.
        public internal(set) var events: [Event] = []
        /// True: its notes and cues are left out. Programs, controllers and System Exclusive go on.
        public var isMuted = false
        /// True: the notes and cues of all tracks that are not soloed are left out.
        public var isSoloed = false
        /// The beat at which its beat 0 is played. What falls before the beginning is left out.
        public var offset = 0.0
        /// The range that is repeated; nil plays the track once.
        public var loop: Loop?
        /// The length in beats at least; see `length`.
        public var leastLength = 0.0

        /// Creates a track of events in any order.
        public init(name: String = "", _ events: [Event] = []) {
            self.name = name
            for event in events { add(event) }
        }

        /// Where the last event ends, or `leastLength` if that is later. Unit: beats.
        public var length: Double {
            // Notes may reach beyond later ones.
            events.reduce(max(Song.Arrangement.bounded(leastLength), 0)) { max($0, $1.end) }
        }
    }

    /// A range of a track that is played several times, before the track goes on to its end.
    public struct Loop: Hashable, Sendable {
        /// Unit: beats of the track. One that is shorter than 1/32 of a beat is lengthened.
        public var beats: Range<Double>
        /// The number of times that it is played, at least once; nil: without end.
        public var rounds: Int?

        public init(_ beats: Range<Double>, rounds: Int? = nil) { (self.beats, self.rounds) = (beats, rounds) }
    }

    /// Something that happens in a track, and when.
    public struct Event: Hashable, Sendable {
        /// Unit: beats from the beginning of the track.
        public var beat: Double
        public var kind: Kind

        public init(_ beat: Double, _ kind: Kind) { (self.beat, self.kind) = (Song.Arrangement.bounded(beat), kind) }

        /// Creates a note of `length` beats.
        public init(
            _ beat: Double, note key: UInt8, length: Double, velocity: UInt8 = 100, part: UInt8 = 0
        ) {
            self.init(beat, .note(Note(key, length: length, velocity: velocity, part: part)))
        }

        /// Where it ends: a note when its key goes up, everything else at once. Unit: beats.
        public var end: Double {
            guard case .note(let note) = kind else { return beat }
            return beat + max(Song.Arrangement.bounded(note.length), 0)
        }

        /// An event of a track.
        public enum Kind: Hashable, Sendable {
            case note(Note)
            /// A channel message to the part of its port and channel. A note-on here has no length: it sounds up to a note-off.
            case message(MIDIMessage)
            /// A whole message, F0 ... F7.
            case systemExclusive([UInt8], port: UInt8 = 0)
            /// Quarter notes a minute from here on; in the tempo track alone.
            case tempo(Double)
            /// In the tempo track alone.
            case meter(TimeSignature)
            /// A mark of the program's own, which is reported when it is heard; `kind` is for the program.
            case cue([UInt8], kind: Int = 0)
            /// What a song has but does not sound: texts, keys and the like.
            case silent(SongEvent.Kind)
        }
    }

    /// Something that the tracks have come to while they were played.
    public struct Report: Hashable, Sendable {
        /// What it is.
        public enum Kind: Hashable, Sendable {
            /// A cue of the track.
            case cue([UInt8], kind: Int)
            /// The loop begins anew; the number of rounds that have passed.
            case turn(Int)
        }

        /// The track's place; nil for the tempo track.
        public let track: Int?
        /// The beat of the sequence at which it stands.
        public let beat: Double
        /// The frame on which it was played.
        public let time: SampleTime
        public let kind: Kind
    }

    /// A key that goes down, and up again after `length`.
    public struct Note: Hashable, Sendable {
        /// 0...127.
        public var key: UInt8
        /// 1...127.
        public var velocity: UInt8
        /// 0...127: how fast the key goes up.
        public var releaseVelocity: UInt8
        /// Port * 16 + channel, 0...255.
        public var part: UInt8
        /// Unit: beats, not negative.
        public var length: Double

        /// Creates a note. Numbers above 127 lose their upper bit; velocity 0 is 1.
        public init(_ key: UInt8, length: Double, velocity: UInt8 = 100, releaseVelocity: UInt8 = 64, part: UInt8 = 0) {
            (self.key, self.velocity) = (key & 127, max(velocity & 127, 1))
            (self.releaseVelocity, self.part, self.length) = (releaseVelocity & 127, part, length)
        }
    }
}
