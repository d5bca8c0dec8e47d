import ArgumentParser
import Carillon
import Glibc
import Installation

/// `carillon serve`: an installation, for months and alone.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run an unattended installation: playlists on a calendar, for months.",
        discussion: """
            One file says what plays and when: playlists (in order or shuffled, with loops, fades, levels), and a calendar of \
            opening hours, exceptions and quiet hours. Outside opening hours the sound card is released. The position is saved \
            every few seconds, so that after a power cut it resumes at the same bar. SIGHUP reloads the file without a gap, \
            SIGTERM fades out and ends. Under systemd it reports readiness and status, and feeds the watchdog only while \
            sound is produced.

            Examples:
              carillon serve --example > museum.yaml
              carillon serve --schema > carillon-installation.json
              carillon serve museum.yaml --check
              carillon serve museum.yaml --simulate 2026-12-01 2027-01-01
              carillon serve museum.yaml
              carillon serve museum.yaml --device null
              carillon serve museum.yaml --http 8642
            """)

    @Argument(help: ArgumentHelp("The installation.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @Flag(help: "Print a commented example of an installation.")
    var example = false

    @Flag(help: "Print the JSON Schema of installations, with which editors complete and check them.")
    var schema = false

    @Flag(help: "Check whether it can run, and report errors with their lines and songs that cannot be played.")
    var check = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Print what would play from one date to another, like 2026-12-01 or 2026-12-01T09:30; takes seconds, without sound.",
            valueName: "from to"))
    var simulate: [String] = []

    @Option(
        help: ArgumentHelp(
            "The audio device, instead of the file's; give several to fall back on. null is none.",
            valueName: "name"))
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder for the state (what is playing), instead of the file's.", valueName: "folder"),
        completion: .directory)
    var state: String?

    @OptionGroup var network: NetworkArguments

    @OptionGroup var log: LogArguments

    func validate() throws {
        if example || schema {
            if file != nil || check || !simulate.isEmpty || example == schema {
                throw ValidationError("\(example ? "--example" : "--schema") stands alone")
            }
            return
        }
        if file == nil { throw ValidationError("name the installation; carillon serve --example prints one") }
        if check, !simulate.isEmpty { throw ValidationError("--check and --simulate: give one of them") }
        if !simulate.isEmpty, simulate.count != 2 {
            throw ValidationError("--simulate: give two dates, like 2026-12-01 2027-01-01")
        }
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
        if state == "" { throw ValidationError("--state: the name is empty") }
    }

    func run() throws {
        if example { return try StandardOutput.print(InstallationExample.text) }
        if schema { return try StandardOutput.print(InstallationSchema.text) }
        let installation = try Self.installation(file ?? "", device: device, state: state)
        if check { return try InstallationCheck(installation).run() }
        if !simulate.isEmpty { return try SimulationRun(installation, from: simulate[0], to: simulate[1]).run() }
        let access = network.access.completed(by: installation.network)
        let run = ServeRun(installation, access, LogOutput(least: log.logLevel)) { () throws(PatchFileError) in
            try Self.reading(file ?? "", device: device, state: state)
        }
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    /// Reads the file; the zone that it names becomes the process's.
    private static func installation(_ path: String, device: [String], state: String?) throws -> Installation {
        do throws(PatchFileError) { return try reading(path, device: device, state: state) } catch {
            throw Failure.report(error)
        }
    }

    private static func reading(_ path: String, device: [String], state: String?) throws(PatchFileError) -> Installation {
        var installation = try Installation(path: path)
        if let zone = installation.timeZone { WallZone.setSystem(zone) }
        if !device.isEmpty { installation.device.names = device }
        if let state { installation.stateFolder = state }
        return installation
    }
}
