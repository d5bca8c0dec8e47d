import Graphs
import Patches
import Units

/// The names of units that a session makes itself, beside those of its patch. No patch of a set list may use one.
package enum ReservedNames {
    /// The group of the units that add up the patches of a set list, and those of the units of songs and of a patch that stays
    /// beside them.
    package static let setList = "set-list", songs = "songs", otherSongs = "songs-2", always = "always"
    private static let former = "former-", leaving = "leaving-", sound = "sound-", level = "-level"

    /// The group of a patch that rings on: `former-7`.
    package static func former(_ number: Int) -> String { "\(former)\(number)" }

    /// The name of a unit that another has replaced: `leaving-1.lead`.
    static func leaving(_ unit: String, _ number: Int) -> String { "\(leaving)\(number).\(unit)" }

    /// The unit that plays one of the session's sounds, and the one that sets its level.
    package static func sound(_ name: String) -> String { sound + name }
    package static func level(ofSound name: String) -> String { sound + name + level }

    /// The owner of a unit of which only the name is known: a journal has no other word of it.
    package static func owner(of unit: String) -> NodeOwner {
        let group = unit.prefix { $0 != "." }
        func number(_ prefix: String) -> Int? { group.hasPrefix(prefix) ? Int(group.dropFirst(prefix.count)) : nil }
        if let number = number(former) { return .former(number) }
        if number(leaving) != nil, group.count < unit.count { return .leaving }
        if group.count < unit.count,
            let owner = [songs: NodeOwner.songs, otherSongs: .otherSongs, always: .always][String(group)]
        {
            return owner
        }
        return group == setList ? .setList : .patch
    }

    /// Returns whether a unit of a journal plays one of the session's sounds, or sets its level.
    static func ownsSound(_ unit: PatchUnit) -> Bool {
        unit.name.hasPrefix(sound) && (unit.component == FilePlayback.descriptor.name || unit.name.hasSuffix(level))
    }
}

extension Graph.Node {
    /// The name that its patch gives the unit, whether it sounds or rings on.
    package var nameInPatch: String { owner.isRinging ? String(name.drop { $0 != "." }.dropFirst()) : name }
}
