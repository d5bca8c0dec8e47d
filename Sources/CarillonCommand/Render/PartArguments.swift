import ArgumentParser
import Carillon
import Patches

/// The part of a song that `carillon render` renders, and how it is played.
struct PartArguments: ParsableArguments {
    @OptionGroup var beginning: BeginningArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            End at a place: as --from, and +30s, "bars 8" or "markers 1" count from there. Notes ring on as --tail says.
            """, valueName: "place"),
        transform: PlaceOption.init)
    var to: PlaceOption?

    @Flag(help: "Restart notes that are held where --from begins, except drums.")
    var chaseNotes = false

    @OptionGroup var manner: MannerArguments

    @OptionGroup var heard: HeardArguments

    @Option(
        help: ArgumentHelp(
            "Play only the notes of these channels; nothing is rendered for the others.",
            valueName: "channels"),
        transform: ChannelList.read)
    var onlyChannel: [PartList] = []

    @OptionGroup var programs: ProgramArguments

    @Option(
        help: ArgumentHelp(
            "A song repeated on top of the others, in their tempo and bars. Can be given more than once.",
            valueName: "song.mid"),
        completion: .file(extensions: SongList.endings))
    var layer: [String] = []

    @Option(
        parsing: .unconditional, help: EngineSetting.fadeIn.spec.argumentHelp(isDefault: false),
        transform: EngineSetting.fadeIn.spec.number)
    var fadeIn: Double?

    @Flag(help: "Trim silence (below -90 dBFS) at the beginning and at the end.")
    var trim = false

    @Flag(
        help: """
            Render only the loop: the part from --from to --to, else the song's own loop, else all of it, so that the \
            file's end joins its beginning. A WAV file marks it (smpl).
            """)
    var loopFile = false

    /// Refuses what would break a loop, beside options that are not part of this group.
    func validate(loops: Int, fade: Double?, hasTail: Bool) throws {
        guard loopFile else { return }
        let other =
            loops > 1
            ? "--loops" : fade != nil ? "--fade" : fadeIn != nil ? "--fade-in" : trim ? "--trim" : hasTail ? "--tail" : nil
        if let other { throw ValidationError("\(other) would break the loop of --loop-file; leave one of them out") }
    }

    func validate() throws {
        if layer.contains("") { throw ValidationError("--layer: the name is empty") }
        if chaseNotes, beginning.from == nil { throw ValidationError("--chase-notes: say with --from where the sound begins") }
    }

    var passage: SongPassage {
        var passage = SongPassage()
        (passage.from, passage.to, passage.chasesNotes) = (beginning.place, to?.place, chaseNotes)
        (passage.tempo, passage.transpose, passage.fadeIn) = (manner.tempo, manner.transpose, fadeIn)
        passage.isLoop = loopFile
        return passage
    }

    var channels: ChannelChoice {
        var channels = ChannelChoice()
        (channels.muted, channels.soloed, channels.programs) = (heard.muted, heard.soloed, programs.choice)
        if !onlyChannel.isEmpty { channels.only = ChannelList.all(onlyChannel) }
        return channels
    }
}
