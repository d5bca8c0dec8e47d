import ArgumentParser
import Glibc

/// The program `carillon`.
@main
struct CarillonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "A MIDI-driven synthesizer and sequencer.",
        discussion: """
            Exit codes: 0 done, 64 wrong arguments, 65 unreadable data, 66 no such input, 69 device unavailable, \
            70 internal fault, 73 output cannot be created, 74 input or output failed, 130 interrupted (143 by SIGTERM, \
            129 by SIGHUP). An error is one line on standard error; no output file is left behind.
            """,
        version: CarillonVersion.text,
        subcommands: [
            LiveCommand.self, PlayCommand.self, RenderCommand.self, DevicesCommand.self, LatencyCommand.self,
            InspectCommand.self, UnitsCommand.self, SoundFontCommand.self,
        ])

    static func main() {
        StandardStreams.occupy()
        Interruption.install()
        do {
            try requireUnicode()
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Glibc.exit(end(error).rawValue)
        }
    }

    /// Says what `error` has to say: help and the like on standard output, a mistake on one line of standard error.
    private static func end(_ error: any Error) -> ExitCode {
        let code = exitCode(for: error)
        if code.isSuccess {
            var text = fullMessage(for: error)[...]
            while text.last == "\n" { text.removeLast() }
            do { try StandardOutput.print(String(text)) } catch { return error }
            return code
        }
        let message = message(for: error)
        // An `ExitCode` has nothing to say: whoever threw it has.
        if message.isEmpty { return code }
        var line = message.split(separator: "\n").joined(separator: " ")
        if line.last == "." { line.removeLast() }
        return Failure.report("\(line); see \(helpCommand)", exitCode: code.rawValue)
    }

    /// The help that belongs to the arguments.
    private static var helpCommand: String {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let name = CommandLine.arguments.dropFirst().first, names.contains(name) else { return "carillon --help" }
        return "carillon \(name) --help"
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

/// The program's version.
enum CarillonVersion {
    static let text = "0.1.0"
}
