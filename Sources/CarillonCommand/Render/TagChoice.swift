import AudioFiles
import Carillon
import Reports

/// One `--tag`.
struct TagOption: Sendable, Hashable {
    let name: AudioTags.Name
    /// The text; empty: the song's own is left out.
    let text: String

    init(_ argument: String) throws {
        guard let sign = argument.firstIndex(of: "=") else {
            throw SettingError("write it as name=value, such as artist=Pachelbel")
        }
        let key = String(argument[..<sign]).lowercased(), names = AudioTags.Name.allCases.map(\.rawValue)
        guard let name = AudioTags.Name(rawValue: key) else {
            // No format's reader has a place for it that our encoders can write.
            let near = key == "composer" ? "; did you mean artist?" : NearName.question(key, among: names)
            throw SettingError("there is no tag \"\(key)\"\(near); there are \(names.joined(separator: ", "))")
        }
        self.name = name
        text = AudioTags.line(String(argument[argument.index(after: sign)...]))
        if text.utf8.count > AudioTags.longestText {
            throw SettingError("\(key) is longer than \(AudioTags.longestText) bytes; shorten it")
        }
    }
}

/// The options for the texts and places that files get beside their sound.
struct TagSettings: SettingOwner, Hashable {
    var tag: [TagOption] = []
    var noTags = false

    static let settings: [Setting<TagSettings>] = [
        Setting(
            "tag", every: \.tag, "name=value",
            """
            A tag of the files: \(AudioTags.Name.allCases.map(\.rawValue).joined(separator: ", ")). It replaces the song's \
            own. Can be given more than once.
            """, read: TagOption.init),
        .flag(
            "no-tags", \.noTags,
            """
            Write no tags and cue points. Otherwise those of the song (title, artist, copyright, markers) are written, unless the \
            level is the song's own (--gain, --loudness off) and no --tag is given.
            """),
    ]

    func check() throws {
        if noTags, !tag.isEmpty {
            throw SettingError("--no-tags leaves all out, and --tag puts one in; leave one of them out")
        }
    }

    func choice(isBare: Bool) -> TagChoice {
        TagChoice(
            given: Dictionary(tag.map { ($0.name, $0.text) }) { $1 }, includesSong: !noTags && !(isBare && tag.isEmpty))
    }
}

/// The tags that a call asks for.
struct TagChoice: Sendable, Hashable {
    /// Texts that were given; empty ones leave the song's out.
    var given: [AudioTags.Name: String] = [:]
    /// True if the song's own are written too.
    var includesSong = false

    /// Refuses a text that such a file has no place for.
    func check(_ container: AudioFileFormat.Container) throws(Fault) {
        for (name, text) in given.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where !text.isEmpty && !container.holds(text, as: name) {
            let others = AudioFileFormat.Container.allCases.filter { $0.holds(text, as: name) }.map(\.rawValue)
            let what =
                container.tagNames.contains(name)
                ? "cannot be written in \(container.rawValue)" : "has no place in \(container.rawValue)"
            throw .option(
                name: "tag", value: "\(name.rawValue)=\(text)",
                remedy: "\(what); leave it out, or choose \(others.joined(separator: ", "))")
        }
    }

    /// The tags of a file, and what of the song's it has no place for, as remarks on it.
    func tags(
        of notation: @autoclosure () -> SongNotation, called song: String, cues: @autoclosure () -> [AudioTags.Cue],
        in container: AudioFileFormat.Container
    ) -> (tags: AudioTags, remarks: [Remark]) {
        guard includesSong else { return (AudioTags(given), []) }
        var tags = AudioTags(container.tagNames.isEmpty ? [:] : notation().tags), remarks: [Remark] = []
        for name in AudioTags.Name.allCases where given[name] == nil {
            guard let text = tags.texts[name], !container.holds(text, as: name) else { continue }
            tags.texts[name] = nil
            remarks.append(
                Remark(.substituted, song, "its \(name.rawValue) cannot be written in \(container.rawValue), and was left out"))
        }
        tags.texts.merge(given) { $1 }
        if container.holdsCues { tags.cues = cues() }
        if tags.cues.count > AudioTags.mostCues {
            let lost = tags.cues.count - AudioTags.mostCues
            remarks.append(
                Remark(.substituted, song, "\(lost) markers after the first \(AudioTags.mostCues) were left out", count: lost))
        }
        return (tags, remarks)
    }
}
