import Carillon
import Control
import Patches
import SongFiles

// Settings of songs that `render` and `play` have in common.

extension SongPassage: SettingOwner {
    static let beginning = Setting<SongPassage>(
        "from", \.from, "place",
        """
        Begin at a time (1m30s), at a bar ("bar 17") or at a marker (its name), with the sounds, controllers and pedals \
        set there.
        """, takesDashes: true, read: place)

    static let ending = Setting<SongPassage>(
        "to", \.to, "place",
        """
        End at a place: as --from, and +30s, "bars 8" or "markers 1" count from there. Notes ring on as --tail says.
        """, takesDashes: true, read: place)

    /// Reads a place of a song as `carillon ctl seek` has it, or the name of a marker.
    private static func place(_ text: String) throws -> TransportTarget {
        guard let first = text.split(separator: " ").first else {
            throw SettingError("the place is empty; choose a time, bar 17, or a marker")
        }
        do {
            let command = try ControlGrammar.standard.command("seek " + text)
            guard let position = command.position else { throw SettingError("\"\(text)\" is no place of a song") }
            return position.target
        } catch {
            // What the grammar has a word for is not the name of a marker.
            let isPlace = ["bar", "bars", "markers"].contains(first) || first.hasPrefix("+") || first.hasPrefix("-")
            if isPlace { throw SettingError("\(error)") }
            return .marker(text)
        }
    }
}

extension ChannelChoice: SettingOwner {
    /// Channels that are muted and soloed.
    static let heard: [Setting<ChannelChoice>] = [
        Setting(
            SettingForm(
                "mute", .many, "channels",
                "Mute channels, such as 10 or 1-4,12; those of the second MIDI port are 17 to 32. Can be given more than once.")
        ) { for part in try parts($0) { $1.muted.insert(part) } },
        Setting(
            SettingForm(
                "solo", .many, "channels",
                "Solo these channels, with their effects: all solos add up to the mix. Can be given more than once.")
        ) { for part in try parts($0) { $1.soloed.insert(part) } },
    ]

    static let only = Setting<ChannelChoice>(
        SettingForm(
            "only-channel", .many, "channels", "Play only the notes of these channels; nothing is rendered for the others.")
    ) { $1.only = PartList(try parts($0).union($1.only?.parts ?? [])) }

    private static func parts(_ text: String) throws -> Set<Int> {
        guard let list = PartList(text) else { throw SettingError("give channels from 1 to 256, like 10 or 1-4,12") }
        return list.parts
    }
}

/// How songs are read: the same for all commands that do.
struct ReadingSettings: SettingTable, SettingOwner, Hashable {
    var noEmbeddedBank = false
    var textEncoding: TextEncoding?

    static let settings: [Setting<ReadingSettings>] = [
        .flag(
            "no-embedded-bank", \.noEmbeddedBank,
            "Ignore SoundFonts embedded in songs (RMID); otherwise such a SoundFont has priority for its song."),
        Setting(
            "text-encoding", \.textEncoding, "name",
            """
            The encoding of words and names that do not say theirs, such as cp1251 or SHIFT_JIS. The default is \
            UTF-8 where it is that, else Latin-1.
            """
        ) { try TextEncoding($0) },
    ]
}
