import Reports

/// The parts of an entry, in the order in which they are played, each with the words that its text has for it.
package struct EntrySheet: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        package var part: SetList.Part
        package var lines: [ChordSheet.Line] = []
    }

    package let title: String?
    package private(set) var parts: [Part] = []
    /// The names of parts that the text does not have, and of its sections.
    package private(set) var missing: [String] = []
    package let known: [String]

    /// The parts, with the sections of these names: the second verse has the second section of this name, or else the last. If the
    /// sections of the text have no names, they are the parts in order. Without parts the sections are the parts.
    package init(_ text: ChordSheet?, parts given: [SetList.Part]) {
        title = text?.title
        let sections = text?.sections ?? []
        known = sections.map(\.name).filter { !$0.isEmpty }
        if given.isEmpty {
            parts = sections.enumerated().map { place, section in
                Part(part: SetList.Part(name: section.name.isEmpty ? "\(place + 1)" : section.name), lines: section.lines)
            }
            return
        }
        var used: [String: Int] = [:]
        for (place, part) in given.enumerated() {
            let name = part.name.lowercased(), same = sections.filter { $0.name.lowercased() == name }
            let section =
                known.isEmpty
                ? (sections.indices.contains(place) ? sections[place] : nil)
                : same.isEmpty ? nil : same[min(used[name, default: 0], same.count - 1)]
            used[name, default: 0] += 1
            parts.append(Part(part: part, lines: section?.lines ?? []))
            if section == nil, !sections.isEmpty { missing.append(part.name) }
        }
    }
}

extension SnapshotKeys {
    /// The part of the entry that is played, and its words; nil for an entry without any.
    public var text: SnapshotKey<SessionSnapshot.Text?> { SnapshotKey(nil) }
}

extension SessionSnapshot {
    /// The part of an entry that is played, and its words.
    public struct Text: Sendable, Hashable {
        public var title: String?
        /// The name of the part, and its place among all, from 1.
        public var part: String
        public var number: Int
        /// The names of all parts.
        public var parts: [String]
        package var lines: [ChordSheet.Line]
        /// The words of the part after it.
        package var ahead: [ChordSheet.Line]
    }
}

extension SessionSnapshot.Text: Fielded {
    package static let fields: [Field<Self>] = [
        Field("title", \.title, "The title that the text says."), Field("part", \.part, "The part that is played."),
        Field("number", \.number, "Its place among the parts, from 1."), Field("parts", \.parts, "All parts, in order."),
        Field("lines", \.lines, "Its words and chords."), Field("ahead", \.ahead, "Those of the part after it."),
    ]
}
