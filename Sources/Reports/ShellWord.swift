/// A word of a command line that can be pasted into a shell.
public enum ShellWord {
    /// Returns `word`, in quotation marks if a shell would read it as anything but itself.
    public static func quoted(_ word: String) -> String {
        // A program would take it for an option, zsh for the path of a command.
        if word.hasPrefix("-"), word != "-" { return quoted("./" + word) }
        let isPlain =
            !word.hasPrefix("=")
            && word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789./_-+,=:@%".unicodeScalars.contains($0)
            }
        if isPlain, !word.isEmpty { return word }
        var quoted = "'"
        for character in word { if character == "'" { quoted += "'\\''" } else { quoted.append(character) } }
        return quoted + "'"
    }
}
