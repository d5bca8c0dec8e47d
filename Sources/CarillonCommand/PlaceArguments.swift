import ArgumentParser
import Carillon
import Control
import Patches

/// `--from`, `--to`: a place of a song as `carillon ctl seek` has it, or the name of a marker.
struct PlaceOption {
    let place: TransportTarget

    init(_ text: String) throws {
        let words = text.split(separator: " ")
        guard let first = words.first else { throw ValidationError("the place is empty; choose a time, bar 17, or a marker") }
        do {
            let command = try ControlGrammar.standard.command("seek " + text)
            guard let position = command.position else { throw ValidationError("\"\(text)\" is no place of a song") }
            place = position.target
        } catch {
            // What the grammar has a word for is not the name of a marker.
            let isPlace = ["bar", "bars", "markers"].contains(first) || first.hasPrefix("+") || first.hasPrefix("-")
            if isPlace { throw ValidationError("\(error)") }
            place = .marker(text)
        }
    }
}

/// Channels as text: `10`, or `1-4,12`.
enum ChannelList {
    static func read(_ text: String) throws -> PartList {
        guard let list = PartList(text) else { throw ValidationError("give channels from 1 to 256, like 10 or 1-4,12") }
        return list
    }

    static func all(_ lists: [PartList]) -> PartList { PartList(lists.flatMap(\.parts)) }
}

/// The option for the place at which a song begins, for `render` and `play`.
struct BeginningArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Begin at a time (1m30s), at a bar ("bar 17") or at a marker (its name), with the sounds, controllers and pedals \
            set there.
            """, valueName: "place"),
        transform: PlaceOption.init)
    var from: PlaceOption?

    /// Nil means the song's beginning.
    var place: TransportTarget? { from?.place }
}

/// The channels of songs that are heard, for `render` and `play`.
struct HeardArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Mute channels, such as 10 or 1-4,12; those of the second MIDI port are 17 to 32. Can be given more than once.",
            valueName: "channels"),
        transform: ChannelList.read)
    var mute: [PartList] = []

    @Option(
        help: ArgumentHelp(
            "Solo these channels, with their effects: all solos add up to the mix. Can be given more than once.",
            valueName: "channels"),
        transform: ChannelList.read)
    var solo: [PartList] = []

    /// Channels counted from 0.
    var muted: PartList { ChannelList.all(mute) }
    var soloed: PartList { ChannelList.all(solo) }
}
