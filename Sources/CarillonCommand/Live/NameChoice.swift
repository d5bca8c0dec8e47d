import Carillon

/// A name that a player looks for, because a key needs one: a parameter to learn a control for, a unit to silence.
struct NameChoice: Equatable {
    enum Purpose: Equatable, Sendable { case learn, silence }

    let purpose: Purpose
    private let names: [String]
    private(set) var search = WordSearch()

    init(_ purpose: Purpose, among names: [String]) { (self.purpose, self.names) = (purpose, names) }

    var matches: [String] { search.matches(names.map { $0.lowercased() }).map { names[$0] } }

    /// Returns nil while the search goes on.
    mutating func take(_ key: Key) -> [ControlCommand]? {
        let matches = matches
        switch search.take(key, of: matches.count) {
        case .goesOn: return nil
        case .givenUp: return []
        case .taken(let place):
            switch purpose {
            case .learn: return [.learn(matches[place])]
            case .silence: return [.panic(.unit(matches[place]))]
            }
        }
    }

    func headline(_ count: Int) -> String {
        switch purpose {
        case .learn: "\(count) parameter\(count == 1 ? "" : "s"); enter, then move a control"
        case .silence: "\(count) unit\(count == 1 ? "" : "s") to silence"
        }
    }
}
