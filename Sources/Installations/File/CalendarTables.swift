import Document

extension InstallationTables {
    func entry(_ name: String) -> FileTable<CalendarEntry> {
        FileTable(CalendarEntry(name), "a mapping with days, from, to, playlist, ...") {
            FileField(
                "days", days, \.days, "The days of the week on which it begins: mon-fri, sun; by default every day.")
            FileField(
                "dates",
                ValueKind.parsed(
                    "a date like 12-24, 2026-05-01, or two of them like 12-24..01-06", { DateSpan($0) }, \.description
                ).orMore, \.dates, "The dates on which it begins: 12-24, 2026-05-01 or 12-24..01-06.")
            FileField("from", time, \.from, "The time of day at which it begins.")
            FileField("to", time, \.to, "The time of day at which it ends; if before from, on the next day.")
            effect(
                "playlist", self.name("a playlist", of: playlists).map({ .playlist($0) }, \.playlist), "The playlist that plays.")
            effect(
                "closed", ValueKind.flag.map({ $0 ? .closed : nil }, { $0 == .closed }), "Nothing plays; the card is released.")
            effect(
                "paused", ValueKind.flag.map({ $0 ? .paused : nil }, { $0 == .paused }),
                "The music pauses and resumes afterwards.")
            FileField("level", .quantity(InstallationSetting.level.spec), \.level, InstallationSetting.level.spec.help)
            FileField(
                "fade", .quantity(InstallationSetting.fade.spec), \.fade,
                "How long the music takes to fade in and out with this entry.")
        } finish: { (entry, cursor) throws(DocumentError) in
            if entry.from == entry.to, cursor.node.entry("from") != nil {
                let expected = "another time in to than in from; leave both out for the whole day:"
                throw cursor.error(.wrongKind(expected: expected), at: cursor.place)
            }
            if entry.effect == nil, entry.level == nil {
                throw cursor.error(
                    .wrongKind(expected: "a playlist, a level, closed: yes or paused: yes"), at: cursor.place)
            }
        }
    }

    private func effect(
        _ name: String, _ kind: ValueKind<CalendarEntry.Effect?>, _ help: String
    ) -> FileField<CalendarEntry> {
        FileField(name, help, schema: kind.schema) { (entry, cursor) throws(DocumentError) in
            guard let effect = try kind.read(cursor) else { return }
            if let other = entry.effect {
                throw cursor.error(.wrongKind(expected: "one of \(other.key) and \(name), not both,"), at: cursor.place)
            }
            entry.effect = effect
        } write: { (entry, _) throws(DocumentError) in
            guard let effect = entry.effect, effect.key == name else { return nil }
            return .init(key: name, value: try kind.write(effect))
        }
    }

    /// Days of the week: `mon-fri, sun`, over the week's end too.
    private var days: ValueKind<Set<Weekday>> {
        func days(_ text: String) -> Set<Weekday>? {
            var days: Set<Weekday> = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { end in
                    Weekday(name: String(end.filter { $0 != " " }))
                }
                guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
                var place = first.place
                days.insert(first)
                while place != last.place {
                    place = (place + 1) % 7
                    days.insert(Weekday.allCases[place])
                }
            }
            return days
        }
        return ValueKind<Set<Weekday>>.parsed(
            "days like mon-fri, sun", days, { $0.sorted().map(\.rawValue).joined(separator: ", ") }
        ).orMore.map({ $0.reduce(into: []) { $0.formUnion($1) } }, { [$0] })
    }

    /// A time of day in seconds: `9:00`, `17:30:15`, `24:00`.
    var time: ValueKind<Int> {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return .parsed("a time of day from 0:00 to 24:00, like 9:30,") { text in
            let words = text.split(separator: ":", omittingEmptySubsequences: false)
            let numbers = words.compactMap { word in
                (1...2).contains(word.count) && word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil
            }
            guard numbers.count == words.count, (2...3).contains(numbers.count), numbers[1] < 60 else { return nil }
            let seconds = numbers.count == 3 ? numbers[2] : 0, time = numbers[0] * 3600 + numbers[1] * 60 + seconds
            return seconds < 60 && time <= 86_400 ? time : nil
        } _: { time in
            "\(time / 3600):\(digits(time / 60 % 60))" + (time % 60 == 0 ? "" : ":\(digits(time % 60))")
        }
    }
}

extension CalendarEntry.Effect {
    fileprivate var key: String {
        switch self {
        case .playlist: "playlist"
        case .closed: "closed"
        case .paused: "paused"
        }
    }
}

extension CalendarEntry.Effect? {
    fileprivate var playlist: String { if case .playlist(let name)? = self { name } else { "" } }
}
