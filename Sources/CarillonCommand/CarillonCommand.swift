import ArgumentParser
import CProgram
import Carillon
import Glibc
import Reports

/// The program `carillon`.
@main
struct CarillonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "A MIDI-driven synthesizer and sequencer.",
        discussion: """
            Exit codes: 0 done, 64 wrong arguments, 65 unreadable data, 66 no such input, 69 device unavailable, \
            70 internal error, 73 output cannot be created, 74 input or output failed, 78 invalid patch, \
            130 interrupted (143 by SIGTERM, 129 by SIGHUP). An error is one line on standard error; no output file is left \
            behind.
            """,
        version: CarillonVersion.text,
        subcommands: [
            LiveCommand.self, PlayCommand.self, RecordCommand.self, ServeCommand.self, CtlCommand.self, RenderCommand.self,
            BatchCommand.self,
            DevicesCommand.self, MonitorCommand.self, LatencyCommand.self, InspectCommand.self, GraphCommand.self,
            PatchCommand.self, ListCommand.self,
            UnitsCommand.self, MIDIImplementationCommand.self, KeysCommand.self, SFZCommand.self,
            SoundFontCommand.self, PlugInChildCommand.self, BatchWorkerCommand.self,
        ])

    static func main() {
        StandardStreams.occupy()
        Interruption.install()
        do {
            try requireArguments()
            try requireUnicode()
            if let text = shortHelp { return try StandardOutput.print(text) }
            try requireCommand()
            var command = try namedCommand() ?? parseAsRoot(words)
            try command.run()
        } catch {
            Glibc.exit(end(error).rawValue)
        }
    }

    private static let words = ReportSettings.completed(Array(CommandLine.arguments.dropFirst()))

    /// Without making the options of the other commands, which takes a tenth of the time of a short render. Nil if there is no
    /// such command or if it refuses the arguments: then the program as a whole prints the error or the help.
    private static func namedCommand() -> (any ParsableCommand)? {
        guard let command = CommandLine.arguments.dropFirst().first.flatMap(command) else { return nil }
        do {
            return try command.parseAsRoot(Array(words.dropFirst()))
        } catch {
            return nil
        }
    }

    /// Prints the message of `error`: help and the like on standard output, a mistake on one line of standard error.
    private static func end(_ error: any Error) -> ExitCode {
        let code = exitCode(for: error)
        if code.isSuccess {
            var text = fullMessage(for: error)[...]
            // Help asked for after a command would leave out the program's own name.
            if text.hasPrefix("OVERVIEW: "), let chosen = CommandLine.arguments.dropFirst().first.flatMap(command) {
                let part = CommandLine.arguments.dropFirst(2).first
                text =
                    helpMessage(
                        for: chosen.configuration.subcommands.first { $0.configuration.commandName == part } ?? chosen)[...]
            }
            while text.last == "\n" { text.removeLast() }
            let isHelp = text.hasPrefix("OVERVIEW: ")
            do { try StandardOutput.print(isHelp ? HelpText(String(text)).whole : String(text)) } catch { return error }
            return code
        }
        let message = message(for: error)
        // An `ExitCode` has no message: it was printed where the code was thrown.
        if message.isEmpty { return code }
        let chosen = CommandLine.arguments.dropFirst().first.flatMap(command)
        let line = ArgumentMessage(message, options: options(of: chosen ?? self)) { option in
            configuration.subcommands.first { options(of: $0).contains(option) }?.configuration.commandName
        }
        var words = ["carillon"]
        if let name = chosen?.configuration.commandName { words.append(name) }
        let parts = (chosen?.configuration.subcommands ?? []).compactMap { $0.configuration.commandName }
        if let part = CommandLine.arguments.dropFirst(2).first, parts.contains(part) { words.append(part) }
        let help = words.joined(separator: " ") + " --help"
        return Failure.report("\(line.text); see \(help)", exitCode: code.rawValue)
    }

    /// The help that `-h` asks for, of the command that is named; nil if it is not asked for, and if what is steered has it.
    private static var shortHelp: String? {
        let words = words.prefix { $0 != "--" }
        guard words.contains("-h"), words.first != CtlCommand.configuration.commandName else { return nil }
        var path = ["carillon"], found: any ParsableCommand.Type = self
        for word in words {
            guard let next = found.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else { break }
            (found, path) = (next, path + [word])
        }
        if found == self { return nil }
        return HelpText(helpMessage(for: found)).short(
            path.joined(separator: " "), options: HelpText.mostUsed[path.dropFirst().joined(separator: " ")] ?? [])
    }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// The options of a command, as its help has them, with their dashes.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let parts = command == self ? [] : command.configuration.subcommands
        let help = ([command] + parts).map { helpMessage(for: $0, columns: 1_000) }.joined(separator: "\n")
        return help.split { " \n,[]|=;.()".contains($0) }.map(String.init).filter { word in
            word.hasPrefix("-") && word.drop { $0 == "-" }.first?.isLetter == true
        }
    }

    /// Help for a command that does not exist, too.
    private static func requireCommand() throws(ExitCode) {
        var words = CommandLine.arguments.dropFirst()
        if words.first == "help" { words = words.dropFirst() }
        guard let name = words.first, !name.hasPrefix("-"), name != "help" else { return }
        if let command = command(name) { return try requirePart(of: command, name, words.dropFirst().first) }
        if let hint = FileForACommand.hint(name) { throw Failure.report("\(hint); see carillon --help", exitCode: 64) }
        let known = configuration.subcommands.compactMap { command in
            command.configuration.shouldDisplay ? command.configuration.commandName : nil
        }
        throw Failure.report(
            "there is no command \"\(name)\"; \(NearName.choice(name, among: known, limit: 20)); see carillon --help",
            exitCode: 64)
    }

    /// Refuses what is none of a command's own commands: a wrong word, or a song if `show` was left out.
    private static func requirePart(
        of command: any ParsableCommand.Type, _ name: String, _ word: String?
    ) throws(ExitCode) {
        let parts = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !parts.isEmpty, let word, !word.hasPrefix("-"), word != "help", !parts.contains(word) else { return }
        let isSong = SongList.isNamedAsSong(word)
        let near = NearName.of(word, among: parts) ?? (parts.count == 1 ? parts[0] : nil)
        let question = near.map { "; did you mean carillon \(name) \($0)\(isSong ? " " + word : "")?" } ?? ""
        let known = (parts.count == 1 ? "there is " : "there are ") + parts.map { "\(name) \($0)" }.joined(separator: ", ")
        throw Failure.report("there is no command \"\(name) \(word)\"; \(known)\(question)", exitCode: 64)
    }

    /// Refuses to run if the arguments did not arrive, and to take a file for an option: `render *.mid` if one is called
    /// -hello.mid.
    private static func requireArguments() throws(ExitCode) {
        guard CommandLine.argc == program_argument_count() else {
            throw Failure.report("the arguments did not arrive; report this with your system's version", exitCode: 70)
        }
        for word in CommandLine.arguments.dropFirst().prefix(while: { $0 != "--" })
        where word.count > 1 && word.hasPrefix("-") && access(word, F_OK) == 0 {
            throw Failure.report("\(word): is the name of a file and looks like an option; write ./\(word)", exitCode: 64)
        }
    }

    /// Refuses names that Swift's strings cannot hold: it would read them as other names.
    private static func requireUnicode() throws(ExitCode) {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            let name = String(cString: argument)
            throw Failure.report(
                "\(name): the name is not UTF-8; rename the file, or give a song as /dev/stdin < FILE", exitCode: 64)
        }
    }
}
