/// The part of a session that a unit of its graph belongs to. Rules on the units of others ask for it, and not for their names.
package enum NodeOwner: Hashable, Sendable {
    /// The patch that sounds; every unit of a graph without a session.
    case patch
    /// The patch that sounds, until the unit has rung out: another has taken its name.
    case leaving
    /// A patch of a set list that was left and rings on, by its number.
    case former(Int)
    /// The set list: what adds its patches up.
    case setList
    /// The songs that play beside a set list.
    case songs
    /// The songs that cross over with those.
    case otherSongs
    /// The patch that stays through all those of a set list.
    case always
    /// A sound of the session, such as an announcement.
    case sound
    /// The metronome of the session.
    case metronome

    /// True for a unit that rings on, after another has taken its place.
    package var isRinging: Bool {
        switch self {
        case .leaving, .former: true
        case .patch, .setList, .songs, .otherSongs, .always, .sound, .metronome: false
        }
    }
    /// True for a unit that users address by its name only, not by the name of its type.
    package var isApart: Bool {
        switch self {
        case .former, .setList, .songs, .otherSongs, .always: true
        case .patch, .leaving, .sound, .metronome: false
        }
    }
    /// True for a unit that is not listed for users.
    package var isHidden: Bool { isRinging || self == .setList }
}

extension Graph {
    /// Gives units to another owner.
    package mutating func give(_ units: Set<NodeID>, to owner: NodeOwner) {
        for index in nodes.indices where units.contains(nodes[index].id) { nodes[index].owner = owner }
    }
}
