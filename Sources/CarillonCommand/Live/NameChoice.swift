import Carillon

/// A name that a player looks for, because a key needs one: a parameter or a request to learn a control for, a unit to silence.
struct NameChoice: Equatable {
    enum Purpose: Equatable, Sendable { case learn, silence }

    /// A name, and the command that it stands for.
    struct Item: Equatable {
        let name: String
        let command: ControlCommand
    }

    let purpose: Purpose
    private let items: [Item]
    private(set) var search = WordSearch()

    init(_ purpose: Purpose, among items: [Item]) { (self.purpose, self.items) = (purpose, items) }

    private var found: [Item] { SoundSearch.places(of: search.text, in: items.map { $0.name.lowercased() }).map { items[$0] } }
    var matches: [String] { found.map(\.name) }

    /// Returns nil while the search goes on.
    mutating func take(_ key: Key) -> [ControlCommand]? {
        let found = found
        switch search.take(key, of: found.count) {
        case .goesOn: return nil
        case .givenUp: return []
        case .taken(let place): return [found[place].command]
        }
    }

    func headline(_ count: Int) -> String {
        switch purpose {
        case .learn: "\(count) parameter\(count == 1 ? "" : "s") and requests; enter, then move a control"
        case .silence: "\(count) unit\(count == 1 ? "" : "s") to silence"
        }
    }
}
