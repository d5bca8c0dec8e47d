import Document
import Patches
import Units

/// Saved loops as a file has them: `NAME.yaml`, and beside it the folder `NAME` with their sound, and songs of MIDI loops.
package struct LoopFile: Hashable {
    /// A loop.
    struct Item: Hashable {
        var track = 1
        /// The path of its sound.
        var file = ""
        var times = 1
        var fraction: Float?
        var level: Float?, pan: Float?, feedback: Float?, output: Float?
        /// Whether it keeps to the bars of the tempo.
        var isOfBars = false
        /// Its tempo, where that is not the one of the file.
        var tempo: Float?
        var isMuted = false, isReversed = false
        /// How fast it is played: one of `speeds`.
        var speed: Float = 1
        /// Whether its end leads into its beginning without a fade.
        var joins = true

        /// By the looper's choice `speed`.
        static let speeds: [Float] = [0.5, 1, 2]

        /// True for a MIDI loop.
        var isMIDI: Bool { file.hasSuffix(".mid") }
    }

    static let version = 1
    var tempo: Float?
    var items: [Item] = []
    /// The loops of sound.
    var sounds: [Item] { items.filter { !$0.isMIDI } }

    init() {}

    /// Reads the file at `path`. - Throws: all that is wrong, with its lines and remedies.
    package init(path: String) throws(DocumentError) {
        let cursor = try FileCursor(text: PatchFile.source(path: path), path: path)
        try cursor.checkVersion(Self.version)
        self = try Self.table(in: FileFolder(of: path)).document(cursor)
    }

    /// The text of the file at a path. Reading it gives the loops again.
    func text(path: String) throws(DocumentError) -> String {
        "# Loops, for looper load. Their sound is in the folder of this name, as are MIDI loops.\n"
            + FileText().text(.mapping(try Self.table(in: FileFolder(of: path)).entries(self)))
    }

    private static func table(in folder: FileFolder) -> FileTable<LoopFile> {
        let item = item(in: folder)
        return FileTable(LoopFile(), "a mapping with version, tempo, loops") {
            FileField.version(version)
            FileField("tempo", .number(20...400), \.tempo, "The tempo to which they were played, in quarter notes a minute.")
            FileField(
                "loops", item.kind.list("a list of loops like {track: 1, file: evening/1.wav}"), \.items, example: "",
                "The loops, each with its track.")
        } finish: { (file, cursor) throws(DocumentError) in
            if Set(file.items.map(\.track)).count < file.items.count {
                throw cursor.error(.refused("two loops are on one track; give each a track of its own"), at: cursor.place)
            }
        }
    }

    private static func item(in folder: FileFolder) -> FileTable<Item> {
        FileTable(Item(), "a mapping with track, file, ...") {
            FileField("track", .whole(1...Looper.tracks), \.track, example: "1", "Its track.")
            FileField(
                "file", .file("a sound file or a MIDI file", in: folder), \.file, example: "evening/1.wav",
                "Its sound, or its song (.mid), from this file's folder on.")
            FileField("times", .whole(1...64), \.times, "How many times as long as its first recording it is.")
            FileField("fraction", .number(-1...1), \.fraction, "Frames by which its recording is shorter than its bars.")
            quantity(.level, \.level)
            quantity(.pan, \.pan)
            quantity(.feedback, \.feedback)
            quantity(.output, \.output)
            FileField("bars", .flag, \.isOfBars, "Whether it keeps to the bars of the tempo.")
            FileField("tempo", .number(20...400), \.tempo, "Its tempo, where that is not the one of the file.")
            FileField("mute", .flag, \.isMuted, "Whether it goes on without being heard.")
            FileField("reverse", .flag, \.isReversed, "Whether it is played backwards.")
            FileField("speed", .number(0.5...2), \.speed, "How fast it is played: 0.5, 1 or 2.")
            FileField("joins", .flag, \.joins, "Whether its end leads into its beginning without a fade.")
        } finish: { (item, cursor) throws(DocumentError) in
            if !Item.speeds.contains(item.speed) {
                throw cursor.error(.refused("a loop has no speed of \(item.speed); choose 0.5, 1 or 2"), at: cursor.place)
            }
        }
    }

    private static func quantity(_ parameter: Looper.Parameter, _ property: WritableKeyPath<Item, Float?>) -> FileField<Item> {
        FileField(parameter.spec.name, .quantity(parameter.spec), property, parameter.spec.help)
    }
}
