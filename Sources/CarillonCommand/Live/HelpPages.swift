import Carillon
import Reports

/// All keys with what they do, in pages of which each has room beside the position and a message.
struct HelpPages {
    let pages: [[String]]

    init(_ table: KeyTable, _ situation: KeyTable.Situation, columns: Int, rows: Int) {
        let room = Screen(columns: columns, style: ScreenStyle()).room, most = min(max(rows - 6, 3), 24)
        // The first two places are for the keys that end the program and turn the page.
        let front = "q quit  ? more (9/9)", keys = table.help(in: situation).filter { !$0.hasPrefix("? ") && !$0.hasPrefix("q ") }
        var pages: [[String]] = [[]], lines = 1, used = front.count
        for key in keys {
            let width = TextColumns.count(key)
            if used + 2 + width > room {
                (lines, used) = (lines + 1, -2)
                if lines > most {
                    pages.append([])
                    (lines, used) = (1, front.count)
                    if used + 2 + width > room { (lines, used) = (2, -2) }
                }
            }
            used += 2 + width
            pages[pages.count - 1].append(key)
        }
        let count = pages.count
        self.pages = pages.enumerated().map { index, keys in
            ["q quit", index + 1 < count ? "? more (\(index + 1)/\(count))" : "? close"] + keys
        }
    }
}

extension KeyTable.Situation {
    init(_ snapshot: SessionSnapshot, isTyping: Bool = false) {
        self.init(
            hasSongs: snapshot.transport != nil, hasPatches: snapshot.patches != nil, hasScenes: !snapshot.scenes.isEmpty,
            isTyping: isTyping, hasParts: snapshot.text != nil)
    }
}

extension Screen {
    /// Shows a page of all keys, counted from 1, or with 0 those to know before all others.
    mutating func addHelp(_ table: KeyTable, page: Int, _ situation: KeyTable.Situation, rows: Int, rank: Int) {
        let pages = page > 0 ? HelpPages(table, situation, columns: columns, rows: rows).pages : []
        // If asked for, the keys come before everything but the position and messages.
        if !pages.isEmpty {
            let keys = pages[min(page, pages.count) - 1]
            return add("keys", items: keys.map { ScreenLine($0, .dim) }, limit: .max, rank: 0)
        }
        // The help and the end are the first of them where a small screen has no room for all.
        let isNarrow = columns < 60, all = table.shortHelp(in: situation)
        let front = isNarrow ? ["? ", "q "].flatMap { start in all.filter { $0.hasPrefix(start) } } : []
        let keys = front + all.filter { !front.contains($0) }
        add("keys", items: keys.map { ScreenLine($0, .dim) }, limit: isNarrow ? 3 : 8, rank: rank)
    }
}
