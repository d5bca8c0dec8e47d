import ArgumentParser

/// The program `carillon`.
@main
struct CarillonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "A MIDI-driven synthesizer and sequencer.",
        discussion: """
            Exit codes: 0 done, 64 wrong arguments, 65 unreadable data, 66 no such input, 69 device unavailable, \
            70 internal fault, 73 output cannot be created, 74 input or output failed, 130 interrupted. An error is one \
            line on standard error; no output file is left behind.
            """,
        version: CarillonVersion.text,
        subcommands: [RenderCommand.self, InspectCommand.self, UnitsCommand.self, SoundFontCommand.self])
}

/// The program's version.
enum CarillonVersion {
    static let text = "0.1.0"
}
