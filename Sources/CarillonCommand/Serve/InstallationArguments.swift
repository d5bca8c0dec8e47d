import ArgumentParser

/// The options of `carillon serve` that ask about an installation instead of running it.
struct InstallationArguments: ParsableArguments {
    @Flag(help: "Check whether it can run, and report errors by line, and songs that cannot be played.")
    var check = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Print what would play between two dates, like 2026-12-01 or 2026-12-01T09:30; takes seconds, without sound.",
            valueName: "from to"))
    var simulate: [String] = []

    @Flag(help: "Print a commented example of an installation.")
    var example = false

    @Flag(help: "Print the JSON Schema of installations, for completion and checks in editors.")
    var schema = false
}

/// The options of `carillon serve` for what it has of its own on this machine.
struct InstallationMachineArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The audio device, instead of the file's; give several as fallbacks. null is none.",
            valueName: "name"))
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder for the state (what is playing), instead of the file's.", valueName: "folder"),
        completion: .directory)
    var state: String?

    @Option(help: ArgumentHelp(MemorySize.help, valueName: "size"), transform: MemorySize.init)
    var sampleMemory: MemorySize?

    func validate() throws {
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
        if state == "" { throw ValidationError("--state: the name is empty") }
    }
}
