import ArgumentParser
import Carillon
import Control
import Corpus
import Glibc
import Installations

/// `carillon ctl`: steers a session that runs.
struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Control and monitor a running session.",
        discussion: """
            The session must have been started with --control PATH. carillon ctl help lists all requests, carillon ctl seek \
            --help those that begin with seek; watch reports the status repeatedly until Ctrl-C. Answers go to standard \
            output: ok, or JSON. Exit codes: 64 request refused, 69 no session is listening, 74 connection lost.

            Examples:
              carillon ctl pause
              carillon ctl seek bar 12
              carillon ctl seek -5
              carillon ctl tempo 90%
              carillon ctl volume -6dB
              carillon ctl set reverb.decay=2.5s
              carillon ctl status
              carillon ctl --control carillon.sock next
              carillon ctl help
            """)

    @Option(
        name: [.customLong("control"), .customLong("socket")],
        help: ArgumentHelp(
            "The session's socket. (default: $CARILLON_CONTROL, else carillon.sock in $XDG_RUNTIME_DIR)", valueName: "path"),
        completion: .file())
    var control: String?

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The request, word by word; a name with spaces goes in quotes.", valueName: "word"),
        completion: .custom { words, index, _ in CtlCommand.completions(words, index) })
    var words: [String] = []

    func run() throws {
        if let word = words.first, ["--help", "-h"].contains(word) { throw CleanExit.helpRequest(self) }
        if let word = words.first, word.hasPrefix("-") { throw ValidationError("Unknown option '\(word)'") }
        if words.isEmpty { throw Failure.report("give a request; carillon ctl help lists them", exitCode: 64) }
        if words == ["help", "--markdown"] { return try StandardOutput.print(ControlReference(.installation).markdown) }
        if let last = words.last, ["--help", "-h"].contains(last) {
            return try StandardOutput.print(Self.help(words.dropLast()))
        }
        let line = Self.line(words), request: ControlRequest
        do { request = try ControlGrammar.installation.request(line) } catch {
            throw Failure.report("\(error)", exitCode: error.exitCode)
        }
        // The table is this program's own: no session needs to run.
        if request == .help { return try StandardOutput.print(ControlGrammar.installation.help) }
        do {
            let client = try ControlClient(try Self.path(control))
            var answer = try client.ask(line)
            if answer.hasPrefix("error ") {
                throw Failure.report(String(answer.dropFirst("error ".count)), exitCode: 64)
            }
            try StandardOutput.print(answer)
            guard case .watch = request else { return }
            while true {
                answer = try client.nextLine()
                try StandardOutput.print(answer)
            }
        } catch let error as Fault { throw Failure.report(error) }
    }

    private static func help(_ words: [String]) throws(ExitCode) -> String {
        do { return try ControlGrammar.installation.help(on: words.flatMap { $0.split(separator: " ").map(String.init) }) } catch
        {
            throw Failure.report("\(error)", exitCode: 64)
        }
    }

    /// The shell has removed quotes: a word with blanks gets them back. A single word is a line unchanged.
    static func line(_ words: [String]) -> String {
        if words.count == 1 { return words[0] }
        return words.map { $0.contains(" ") && !$0.contains("\"") || $0.isEmpty ? "\"\($0)\"" : $0 }.joined(separator: " ")
    }

    static func path(
        _ given: String?, environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) throws(ExitCode) -> String {
        if let path = socket(given, environment) { return path }
        throw Failure.report("name the session's socket with --control, or set CARILLON_CONTROL", exitCode: 64)
    }

    private static func socket(
        _ given: String?, _ environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> String? {
        if let given { return given }
        if let path = environment("CARILLON_CONTROL"), !path.isEmpty { return path }
        return environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 + "/carillon.sock" }
    }

    static func completions(_ words: [String], _ index: Int) -> [String] {
        var written = words.prefix(max(index, 0)).drop { $0 != "ctl" }.dropFirst()
        var given: String?
        if let first = written.first, ["--control", "--socket"].contains(first) {
            given = written.dropFirst().first
            written = written.dropFirst(2)
        }
        return ControlGrammar.installation.completions(after: Array(written)) { question, keys in
            // If no session runs, the Tab key completes nothing and does not wait.
            guard let path = socket(given) else { return [] }
            do {
                let answer = try ControlClient(path, patience: 1).ask(question)
                return try JSONValue(text: answer).texts(at: keys[...])
            } catch { return [] }
        }
    }
}
