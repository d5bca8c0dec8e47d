import Reports
import Sequencer

extension SongsPart {
    package static let fields: [PartField<SongsPart>] = [
        PartField(\.transport, "song", "The song that plays.") { $0.transport },
        PartField(showing: Field("lyrics", { $0.transport?.lyrics }, "The line that is sung.")),
        PartField(\.songEdition, "songEdition", "Increases when another song plays, or other layers over it.") {
            $0.sheets.edition
        },
        PartField(\.layers, "layers", "The layers that can play over the songs.") { $0.playlist.layers.states },
    ]
}

extension SnapshotKeys {
    /// The song, if one is played.
    public var transport: SnapshotKey<SessionSnapshot.Transport?> { SnapshotKey(nil) }
    /// The layers that can lie over the songs, in the order in which they were named.
    public var layers: SnapshotKey<[SessionSnapshot.Layer]> { SnapshotKey([]) }
    /// Rises whenever another song plays, or something else lies over it.
    public var songEdition: SnapshotKey<Int> { SnapshotKey(0) }
}

extension SessionSnapshot {
    /// The gain that the limiter works with, in decibels: the session's, and the song's own level.
    package var limitedGain: Float { self.gain + Float(self.transport?.level ?? 0) }

    /// The state of a song.
    public struct Transport: Sendable, Hashable {
        /// The song's name and its place in the list, from 1.
        public var song: String
        public var number: Int
        public var count: Int
        public var isPlaying: Bool
        /// Seconds at the song's own tempo.
        public var seconds: Double
        public var length: Double
        /// The bar, counted from 1.
        public var bar: Int
        public var beat: Int
        /// Quarter notes a minute that sound now: the song's times the factor.
        public var tempo: Double
        /// The factor.
        public var rate: Double
        public var transpose: Int
        /// What repeats: nothing, this song, or the list.
        public var repetition: SessionSnapshot.Repetition
        /// True if the songs play in random order.
        public var isShuffled = false
        /// The song's level in decibels, from its loudness and from its list.
        public var level = 0.0
        /// Channels that the song uses, counted from 1, and of these the muted and soloed ones.
        public var channels: [Int]
        public var muted: [Int]
        public var soloed: [Int]
        /// Markers that the song has; the one that was passed last, counted from 1, 0 for none; its text.
        public var markers = 0
        public var markerNumber = 0
        public var marker = ""
        /// Seconds until the next song begins by itself, in the silence between two; nil while one plays or is paused.
        public var nextIn: Double?
        /// The share of the song that is measured, 0...1, while it waits for its loudness before it plays; nil means it waits
        /// for nothing.
        public var measured: Double?
        /// True while bars are counted before it.
        public var isCountedIn = false
        /// True when the song has come to its end and its last sounds die away.
        public var hasEnded = false
        /// The number of jumps to another place.
        public var jumps = 0
        /// Times that the list, or a single song, has begun anew by itself.
        public var rounds = 0
        /// The line that is sung, of a song that has words.
        public var lyrics: Lyrics?
        /// The song that the list plays after this one; nil where nothing follows, or the list is one song.
        public var next: String?
        /// Seconds in which songs cross over; 0: they follow each other. The song that fades out beside this one.
        public var crossFade = 0.0
        public var leaving: String?
        /// A and B, between which the song loops, in seconds; B is nil until it is set.
        public var passageStart: Double?
        public var passageEnd: Double?

        /// The state as a word: `playing`, `count-in` before it, `waiting` between two songs, `measuring` before the first, `paused`,
        /// `ended`.
        package var stateWord: String {
            if measured != nil { return "measuring" }
            if isCountedIn { return "count-in" }
            return hasEnded ? "ended" : isPlaying ? "playing" : nextIn != nil ? "waiting" : "paused"
        }
    }

    /// The line that is sung, as a karaoke machine shows it.
    public struct Lyrics: Sendable, Hashable {
        /// The part of the line that has been sung, the syllable that sounds included.
        public var sung: String
        public var toCome: String
        /// The line after it; empty after the last.
        public var next: String
    }

    /// A song that can lie over those of the list.
    public struct Layer: Sendable, Hashable {
        public var name: String
        public var state: SessionLayer.State
    }
}

extension SessionSnapshot.Transport: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.song, "The song's name."),
        Field("number", \.number, as: .gauge("song_number"), "The place of the song in the list, counted from 1."),
        Field("count", \.count, "Songs of the list."),
        Field("state", \.stateWord, "measuring, count-in, playing, waiting (between two songs), paused or ended."),
        Field("isPlaying", \.isPlaying, as: .gauge("song_playing"), "Whether a song plays; 1 or 0 as a metric."),
        Field("isCountedIn", \.isCountedIn, "Whether bars are counted before it."),
        Field("nextIn", \.nextIn, "Seconds until the next song begins by itself, in the silence between two."),
        Field("measured", \.measured, "The measured part of it, 0 to 1, while its loudness is measured."),
        Field("hasEnded", \.hasEnded, "Whether it has ended and its last notes die away."),
        Field("seconds", \.seconds, as: .gauge("song_position", in: "seconds"), "The position in seconds, at its own tempo."),
        Field("length", \.length, "The song's length in seconds, at its own tempo."),
        Field("bar", \.bar, as: .gauge("song_bar"), "The bar, counted from 1."),
        Field("beat", \.beat, "The beat of the bar, counted from 1."),
        Field("tempo", \.tempo, as: .gauge("song_tempo"), "The current tempo in quarter notes per minute."),
        Field("factor", \.rate, "The tempo as a factor of the song's own."),
        Field("transpose", \.transpose, "Semitones by which it is transposed."),
        Field(
            "level", \.level, as: .gauge("song_level", in: "decibels"),
            "Gain of the song in decibels, by its loudness and its list."),
        Field("isLooping", { $0.repetition != .off }, "Whether the list or the song repeats."),
        Field("repeat", \.repetition, "What repeats."),
        Field("isShuffled", \.isShuffled, "Whether the songs play in random order."),
        Field("rounds", \.rounds, as: .counter("song_rounds"), "How often the list has repeated."),
        Field("channels", \.channels, "The channels that the song uses, counted from 1."),
        Field("muted", \.muted, "The muted channels."),
        Field("soloed", \.soloed, "The soloed channels."),
        Field("marker", { $0.markerNumber > 0 ? $0.marker : nil }, "The marker passed last."),
        Field("next", \.next, "The song that follows."),
        Field("crossFade", \.crossFade, "Seconds in which songs cross over; 0 if they follow each other."),
        Field("leaving", \.leaving, "The song that fades out beside this one."),
        Field("passageStart", \.passageStart, "The place A of a loop between two places, in seconds."),
        Field("passageEnd", \.passageEnd, "The place B."),
    ]
}

extension SessionSnapshot.Lyrics: Fielded {
    package static let fields: [Field<Self>] = [
        Field("sung", \.sung, "The part of the line that has been sung."),
        Field("toCome", \.toCome, "The rest of the line."),
        Field("next", \.next, "The line after it."),
    ]
}

extension SessionSnapshot.Layer: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The layer's name."), Field("state", \.state, "Whether it is heard, begins or ends."),
    ]
}

extension SessionLayer.State: FieldWord {}
