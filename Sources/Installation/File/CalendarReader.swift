import PatchFile
import UnitAPI

/// The calendar of an installation's file.
struct CalendarReader {
    let reader: InstallationReader
    /// The names of all playlists.
    let playlists: [String]

    private static let keys = ["days", "dates", "from", "to", "playlist", "closed", "paused", "level", "fade"]

    /// The calendar's entry of an entry of the file.
    func entry(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> CalendarEntry {
        var result = CalendarEntry(entry.name)
        let entries = try reader.mapping(entry.value, key: key, of: "a mapping with days, from, to, playlist, ...")
        var effects: [String] = []
        for entry in entries {
            let node = entry.value, place = "\(key).\(entry.name)"
            switch entry.name {
            case "days": result.days = try days(node, place)
            case "dates":
                for text in try reader.texts(node, place, of: "dates like 12-24, 2026-05-01 or 12-24..01-06") {
                    guard let span = DateSpan(text) else {
                        throw reader.error(
                            .wrongKind(expected: "a date like 12-24, 2026-05-01, or two of them like 12-24..01-06"), place,
                            node)
                    }
                    result.dates.append(span)
                }
            case "from": result.from = try Self.time(node, place, reader)
            case "to": result.to = try Self.time(node, place, reader)
            case "playlist":
                let name = try reader.text(node, key: place, of: "a playlist")
                if !playlists.contains(name) { throw reader.error(.unknownKey(name, known: playlists), place, node) }
                result.effect = .playlist(name)
                effects.append("playlist")
            case "closed":
                if try reader.flag(node, key: place) {
                    result.effect = .closed
                    effects.append("closed")
                }
            case "paused":
                if try reader.flag(node, key: place) {
                    result.effect = .paused
                    effects.append("paused")
                }
            case "level": result.level = Double(try reader.value(node, of: InstallationSetting.level.spec, place))
            case "fade": result.fade = Double(try reader.value(node, of: InstallationSetting.fade.spec, place))
            default: throw reader.error(.unknownKey(entry.name, known: Self.keys), key, entry.key)
            }
        }
        if result.from == result.to, entries.contains(where: { $0.name == "from" }) {
            let expected = "another time in to than in from; leave both out for the whole day:"
            throw reader.error(.wrongKind(expected: expected), key, entry.key)
        }
        if effects.count > 1 {
            throw reader.error(.wrongKind(expected: "one of \(effects.joined(separator: " and ")), not both,"), key, entry.key)
        }
        if effects.isEmpty, result.level == nil {
            throw reader.error(.wrongKind(expected: "a playlist, a level, closed: yes or paused: yes"), key, entry.key)
        }
        return result
    }

    /// The days of the week: `mon-fri, sun`.
    private func days(_ node: FileNode, _ key: String) throws(PatchFileError) -> Set<Weekday> {
        let expected = "days like mon-fri, sun"
        var days: Set<Weekday> = []
        for text in try reader.texts(node, key, of: expected) {
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { end in
                    Weekday(name: String(end.filter { $0 != " " }))
                }
                guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                    throw reader.error(.wrongKind(expected: expected), key, node)
                }
                var place = first.place
                days.insert(first)
                // Over the week's end too: fri-mon.
                while place != last.place {
                    place = (place + 1) % 7
                    days.insert(Weekday.allCases[place])
                }
            }
        }
        return days
    }

    /// A time of day in seconds: `9:00`, `17:30:15`, `24:00`.
    static func time(_ node: FileNode, _ key: String, _ reader: InstallationReader) throws(PatchFileError) -> Int {
        let expected = "a time of day from 0:00 to 24:00, like 9:30,"
        let words = try reader.text(node, key: key, of: expected).split(separator: ":", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            (1...2).contains(word.count) && word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil
        }
        guard numbers.count == words.count, (2...3).contains(numbers.count), numbers[1] < 60 else {
            throw reader.error(.wrongKind(expected: expected), key, node)
        }
        let seconds = numbers.count == 3 ? numbers[2] : 0, time = numbers[0] * 3600 + numbers[1] * 60 + seconds
        guard seconds < 60, time <= 86_400 else { throw reader.error(.wrongKind(expected: expected), key, node) }
        return time
    }
}
