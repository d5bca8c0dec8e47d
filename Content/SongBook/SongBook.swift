/// The songs that come with Carillon: what each is, and how to make it.
public enum SongBook {
    /// A song's row in the table of `songs/README.md`.
    public struct Entry: Sendable {
        /// File name in `songs/`.
        public let file: String
        public let title: String
        public let composer: String
        /// Where the notes come from.
        public let origin: String
        /// CC0 for what is our own, also for our entering and performing of what is in the public domain.
        public let licence: String
        /// The demands that the song makes on a synthesizer.
        public let exercises: String
        private let make: @Sendable () throws(NoteTextError) -> SheetMusic

        init(
            _ file: String, _ title: String, by composer: String, origin: String, licence: String, exercises: String,
            make: @escaping @Sendable () throws(NoteTextError) -> SheetMusic
        ) {
            self.file = file
            self.title = title
            self.composer = composer
            self.origin = origin
            self.licence = licence
            self.exercises = exercises
            self.make = make
        }

        /// Reads the written music. Throws where the text of the score is wrong.
        public func score() throws(NoteTextError) -> SheetMusic { try make() }
    }

    private static let ours = "composed for Carillon"
    private static let publicDomain = "music public domain, this file CC0"

    /// The songs, in the order of the table.
    public static let entries: [Entry] = [
        Entry(
            "bach-prelude-fugue-c-major.mid", "Prelude and Fugue in C major, BWV 846", by: "J. S. Bach (1722)",
            origin: "entered bar by bar after the public-domain Mutopia edition, the fugue compared with a second one",
            licence: publicDomain,
            exercises: "piano, half-bar pedalling, four voices on four channels, repeated keys",
            make: BachPreludeAndFugue.score),
        Entry(
            "pachelbel-canon.mid", "Canon in D, bars 1 to 22 and a close", by: "Johann Pachelbel (about 1690)",
            origin: "after the public-domain Mutopia edition; six voices for three and the continuo are ours",
            licence: publicDomain,
            exercises: "8 channels with their own programs and pans, long reverb, thirty-seconds",
            make: Canon.score),
        Entry(
            "drum-groove.mid", "Drum groove", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "channel 10, ghost notes, fills, hi-hat exclusive classes", make: DrumGroove.score),
        Entry(
            "sea-wall.mid", "Spring Tide at the Sea Wall", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "16 channels, tremolos, glissandos under the pedal, more than 100 keys at once",
            make: SeaWall.score),
        Entry(
            "crooked-mile.mid", "The Crooked Mile", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "7/8 5/8 3/4 11/8 2/4 4/4, accelerando and ritardando in small steps",
            make: CrookedMile.score),
        Entry(
            "glass-bridge.mid", "The Glass Bridge", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "bends with RPN ranges 2, 7, 12, fine tuning, portamento, modulation, pressure, three pedals",
            make: GlassBridge.score),
        Entry(
            "three-o-clock.mid", "Three o'clock (Westminster Quarters)", by: "W. Crotch, attributed (1793)",
            origin: "the traditional chime, entered from memory", licence: publicDomain,
            exercises: "bells that ring over each other, long releases, long reverb", make: HourChime.score),
        Entry(
            "gymnopedie-1.mid", "Gymnopédie No. 1", by: "Erik Satie (1888)",
            origin: "entered bar by bar after the public-domain Mutopia edition", licence: publicDomain,
            exercises: "solo piano, one pedal a bar, soft dynamics, hairpins", make: Gymnopedie.score),
        Entry(
            "auld-lang-syne.mid", "Auld Lang Syne", by: "traditional, words by Robert Burns (1788)",
            origin: "the traditional tune; the setting is ours", licence: publicDomain,
            exercises: "karaoke lyrics (FF 05), markers, an upbeat, rolled chords", make: AuldLangSyne.score),
        Entry(
            "blue-lantern.mid", "The Blue Lantern", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "jazz trio, swung eighths, triplets, jazz drum kit (program 33 on channel 10)",
            make: BlueLantern.score),
        Entry(
            "program-tour.mid", "A tour of 128 programs", by: "Carillon", origin: ours, licence: "CC0",
            exercises: "every General MIDI program and every key of the drum kit", make: ProgramTour.score),
    ]

    /// The text of `songs/README.md`.
    public static func table() throws(NoteTextError) -> String {
        var rows = ""
        for entry in entries {
            let seconds = Int(try entry.score().duration.rounded())
            let digits = seconds % 60
            rows +=
                "| [\(entry.file)](\(entry.file)) | \(entry.title) | \(entry.composer) | \(entry.origin) | "
                + "\(entry.licence) | \(entry.exercises) | \(seconds / 60):\(digits < 10 ? "0" : "")\(digits) |\n"
        }
        return """
            # Songs

            Made by `swift run make-songs songs`, from the written music in `Content/SongBook/Pieces`; the same bytes on
            any machine, and a test compares them. This table is made with them: do not edit it by hand.

            | file | title | composer | origin | licence | exercises | duration |
            |---|---|---|---|---|---|---|
            \(rows)
            CC0 1.0: <https://creativecommons.org/publicdomain/zero/1.0/>. Durations are those of the written music;
            sounds ring on.

            """
    }
}
