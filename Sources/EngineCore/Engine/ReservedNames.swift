import Patches
import Units

/// The names of units that a session makes itself, beside those of its patch: a set list's, of patches that ring, of units that
/// leave, of its sounds. No patch of a set list may use one.
package enum ReservedNames {
    /// The group of the units that add up the patches of a set list.
    package static let setList = "set-list"
    /// The beginning of the group of a patch that rings: `former-7`.
    package static let former = "former-"
    /// The beginning of the unit that plays one of the session's sounds; `-level` ends the name of the one that sets its level.
    package static let sound = "sound-"

    /// Returns whether the session has a unit's name for itself.
    package static func owns(_ name: String) -> Bool {
        let first = name.prefix { $0 != "." }
        return first == setList || isFormer(first) || LeavingUnits.owns(name)
    }

    private static func isFormer(_ group: Substring) -> Bool {
        group.hasPrefix(former) && Int(group.dropFirst(former.count)) != nil
    }

    /// Returns the name that its patch gives a unit of the graph, whether it sounds, was left or leaves.
    package static func nameInPatch(of name: String) -> String {
        guard isFormer(name.prefix { $0 != "." }) || LeavingUnits.owns(name) else { return name }
        return String(name.drop { $0 != "." }.dropFirst())
    }

    /// Returns the prefix of the names that one patch's units have in the graph: empty for the patch that sounds.
    package static func formerGroup(of name: String) -> Substring {
        let first = name.prefix { $0 != "." }
        return isFormer(first) ? first : ""
    }

    /// Returns whether a unit plays one of the session's sounds, or sets its level.
    package static func ownsSound(_ unit: PatchUnit) -> Bool {
        unit.name.hasPrefix(sound) && (unit.component == FilePlayback.descriptor.name || unit.name.hasSuffix("-level"))
    }
}
