/// A search by typing among things that have names: what was typed, and which of the matches is selected.
struct WordSearch: Equatable {
    var text = ""
    /// The match that Enter takes, by its line.
    var place = 0

    enum Outcome: Equatable {
        case goesOn
        case taken(Int)
        case givenUp
    }

    private static let longest = 40

    /// Takes a key: it types, moves, takes or gives up.
    mutating func take(_ key: Key, of count: Int) -> Outcome {
        let last = max(count - 1, 0)
        switch key {
        case .character(let character):
            if text.count < Self.longest { text.append(character) }
            place = 0
        case .backspace, .delete:
            // With nothing left to take away the search is given up.
            if text.isEmpty { return .givenUp }
            text.removeLast()
            place = 0
        case .up: place = max(place - 1, 0)
        case .down: place = min(place + 1, last)
        case .pageUp: place = max(place - 10, 0)
        case .pageDown: place = min(place + 10, last)
        case .home: place = 0
        case .end: place = last
        case .enter: return place < count ? .taken(place) : .givenUp
        case .escape, .tab: return .givenUp
        case .left, .right, .control, .alt, .paste, .unknown: break
        }
        return .goesOn
    }
}
