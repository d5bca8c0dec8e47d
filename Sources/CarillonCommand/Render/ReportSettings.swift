import Carillon

/// A form of `--progress`.
enum ProgressForm: String, SettingWord {
    case lines
    /// A JSON object on a line of its own for each step, for a program.
    case json
}

/// The options for the reports of a render.
struct ReportSettings: SettingOwner, Hashable {
    var json = false
    var quiet = false
    var progress: ProgressForm?
    var failOn: RemarkLimit?

    static let settings: [Setting<ReportSettings>] = [
        Setting.flag(
            "json", \.json, "Report as one JSON object: on standard output, or on standard error when the sound goes there."
        ).ofCall,
        .flag("quiet", \.quiet, "Print errors only; without --json, loudness is not measured."),
        Setting.word(
            "progress", \.progress, "lines|json",
            """
            Report progress on standard error when it is not a terminal: a line every five seconds, or, as json, an object per \
            line every second and for each song; then only errors are printed besides.
            """
        ).ofCall,
        .word(
            "fail-on", \.failOn, "missing|remarks",
            """
            Write no file and exit with 65 if something is missing (samples, presets, files), or on any remark except \
            those on the level.
            """),
    ]

    var isForAPerson: Bool { !quiet && !json && progress != .json }

    /// Adds the form that `--progress` has by default after it, so that the next word keeps its meaning.
    static func completed(_ words: [String]) -> [String] {
        var result: [String] = [], isOption = true
        for (index, word) in words.enumerated() {
            if word == "--" { isOption = false }
            let before = isOption && index > 0 ? words[index - 1] : ""
            if before == "--progress", ProgressForm(rawValue: word) != nil {
                result[result.count - 1] = "--progress=\(word)"
            } else {
                result.append(isOption && word == "--progress" ? "--progress=\(ProgressForm.lines.rawValue)" : word)
            }
        }
        return result
    }
}
