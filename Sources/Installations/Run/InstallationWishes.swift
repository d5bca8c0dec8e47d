import Carillon

/// Wishes of users that override the calendar for a while: each until a moment, by default the calendar's next change. They
/// are saved with the place of the music, and end by themselves. A value.
public struct InstallationWishes: Hashable, Sendable {
    /// The music that is wanted instead of the calendar's.
    enum Opening: Hashable, Sendable {
        case closed
        /// nil means the calendar's, or the one that played last.
        case open(playlist: String?)
    }

    struct Wish<Value: Hashable & Sendable>: Hashable, Sendable {
        let value: Value
        let until: WallTime
        var by: String?
    }

    var opening: Wish<Opening>?
    /// Decibels by which everything is softer.
    var reduction: Wish<Double>?

    /// None.
    public init() {}

    var isEmpty: Bool { opening == nil && reduction == nil }

    mutating func pass(to now: WallTime) {
        if let opening, now >= opening.until { self.opening = nil }
        if let reduction, now >= reduction.until { self.reduction = nil }
    }

    var ends: [WallTime] { [opening?.until, reduction?.until].compactMap { $0 } }

    /// With this situation of the calendar.
    /// `usual` is the playlist of an installation that is open though its calendar has none.
    func applied(
        to planned: InstallationCalendar.Situation, at now: WallTime, usual: String?
    ) -> InstallationCalendar.Situation {
        var situation = planned
        if let opening, now < opening.until {
            switch opening.value {
            case .closed:
                situation = InstallationCalendar.Situation()
                situation.entries = planned.entries
            case .open(let playlist):
                if playlist != nil || situation.playlist == nil {
                    (situation.playlist, situation.isPaused) = (playlist ?? usual, false)
                }
            }
        }
        if let reduction, now < reduction.until, situation.playlist != nil { situation.level -= reduction.value }
        return situation
    }

    /// Empty without a wish.
    var text: String {
        var lines: [String] = []
        if let opening {
            switch opening.value {
            case .closed: lines.append("wish-closed \(opening.until.seconds)")
            case .open(let playlist): lines.append("wish-open \(opening.until.seconds) \(StateWord.written(playlist ?? ""))")
            }
        }
        if let by = opening?.by { lines.append("wish-opening-by \(StateWord.written(by))") }
        if let reduction { lines.append("wish-quieter \(reduction.until.seconds) \(reduction.value)") }
        if let by = reduction?.by { lines.append("wish-quieter-by \(StateWord.written(by))") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Lines that are not wishes, and what makes no sense, are left alone.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let asker = line.firstIndex(of: " ").map { StateWord.read(line[line.index(after: $0)...]) }
            if line.hasPrefix("wish-opening-by ") { opening?.by = asker }
            if line.hasPrefix("wish-quieter-by ") { reduction?.by = asker }
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count >= 2, let seconds = Int64(words[1]) else { continue }
            let until = WallTime(seconds: seconds)
            switch words[0] {
            case "wish-closed": opening = Wish(value: .closed, until: until)
            case "wish-open":
                let name = words.count > 2 ? StateWord.read(words[2]) : ""
                opening = Wish(value: .open(playlist: name.isEmpty ? nil : name), until: until)
            case "wish-quieter":
                guard words.count > 2, let value = Double(words[2]), (0...120).contains(value) else { continue }
                reduction = Wish(value: value, until: until)
            default: continue
            }
        }
    }
}

/// Names as the state file has them: they may hold anything that files may, and what would break a line is written as `%0A`.
enum StateWord {
    static func written(_ text: String) -> String {
        text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
            .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "%0A")
    }

    static func read(_ text: Substring) -> String {
        text.split(separator: "%0A", omittingEmptySubsequences: false).joined(separator: "\n")
            .split(separator: "%25", omittingEmptySubsequences: false).joined(separator: "%")
    }
}
