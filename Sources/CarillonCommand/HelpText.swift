/// The help of a command as ArgumentParser writes it, in its parts: whole for `--help`, and in short for `-h`.
struct HelpText {
    private struct Section {
        let title: String
        var entries: [[Substring]]
    }

    /// Lines before the usage: overview, discussion, examples.
    private let opening: [Substring]
    private let usage: [Substring]
    private let sections: [Section]
    private let rest: [Substring]

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? lines.endIndex
        let end = lines[start...].firstIndex { $0.isEmpty } ?? lines.endIndex
        opening = Array(lines[..<start])
        usage = Array(lines[start..<end])
        var sections: [Section] = [], rest: [Substring] = []
        for line in lines[end...] where !line.isEmpty {
            let isEntry = line.hasPrefix("  ")
            if !isEntry, line.hasSuffix(":") {
                sections.append(Section(title: String(line), entries: []))
            } else if isEntry, rest.isEmpty, let last = sections.indices.last {
                let begins = !line.hasPrefix("   ") || sections[last].entries.isEmpty
                if begins {
                    sections[last].entries.append([line])
                } else {
                    sections[last].entries[sections[last].entries.count - 1].append(line)
                }
            } else {
                rest.append(line)
            }
        }
        (self.sections, self.rest) = (sections, rest)
    }

    /// The whole text; a usage of more than two lines is shortened to its arguments.
    var whole: String {
        var text = opening + (usage.count > 2 ? [shortUsage[...]] : usage)
        for section in sections { text += [""] + Self.lines(section) }
        if !rest.isEmpty { text += [""] + rest }
        return text.joined(separator: "\n")
    }

    /// Abstract, usage, arguments and the options that are used most: `options` with their dashes, in this order; empty: all.
    func short(_ command: String, options: [String]) -> String {
        let overview = opening.prefix { !$0.isEmpty }
        let named = sections.flatMap(\.entries).filter { $0[0].hasPrefix("  -") }
        let common = options.isEmpty ? [] : options.compactMap { option in named.first { Self.names($0).contains(option) } }
        let shown =
            options.isEmpty
            ? sections
            : sections.filter { $0.title == "ARGUMENTS:" } + [Section(title: "OPTIONS MOST USED:", entries: common)]
        var text = overview + ["", shortUsage[...]]
        for section in shown { text += [""] + Self.lines(section) }
        text += ["", "\(command) --help lists all\(options.isEmpty ? "" : ", and has examples")."]
        return text.joined(separator: "\n")
    }

    var optionNames: Set<String> { Set(sections.flatMap(\.entries).flatMap(Self.names)) }

    /// `USAGE: carillon render <song.mid> ... [<options>]`.
    private var shortUsage: String {
        let words = usage.joined(separator: " ").split(separator: " ")
        let head = words.prefix { !$0.hasPrefix("[") && !$0.hasPrefix("<") && !$0.hasPrefix("-") }
        // The argument of an option is in its brackets.
        var arguments: [Substring] = [], depth = 0
        for word in words.dropFirst(head.count) {
            let isOption = depth > 0 || word.hasPrefix("[-") || word.hasPrefix("-")
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
            if !isOption && word != "[<options>]" { arguments.append(word) }
        }
        return (head + arguments + ["[<options>]"]).joined(separator: " ")
    }

    private static func names(_ entry: [Substring]) -> [String] {
        entry[0].split { " ,".contains($0) }.prefix { $0.hasPrefix("-") || $0.hasPrefix("<") }.filter { $0.hasPrefix("-") }
            .map(String.init)
    }

    private static func lines(_ section: Section) -> [Substring] { [section.title[...]] + section.entries.flatMap { $0 } }
}

extension HelpText {
    /// The options that `-h` shows for a command that has many.
    static let mostUsed: [String: [String]] = [
        "render": [
            "--output", "--output-dir", "--format", "--soundfont", "--patch", "--loudness", "--gain", "--set", "--from", "--to",
            "--loops", "--tag", "--force", "--json",
        ],
        "play": ["--soundfont", "--patch", "--device", "--loop", "--tempo", "--transpose", "--gain", "--set", "--control"],
        "live": [
            "--connect", "--soundfont", "--patch", "--list", "--device", "--period", "--capture", "--metronome", "--set",
            "--control",
        ],
        "record": ["--output", "--device", "--input-device", "--duration", "--format", "--force"],
        "serve": ["--check", "--simulate", "--example", "--device", "--control", "--http"],
    ]
}
