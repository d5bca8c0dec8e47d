import ArgumentParser
import Carillon
import Glibc
import Installations
import Patches

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

    @OptionGroup(title: "Installation") var asked: InstallationArguments

    @OptionGroup(title: "Device") var house: InstallationMachineArguments

    @OptionGroup(title: "Remote control") var network: NetworkArguments

    @OptionGroup(title: "Report") var log: LogArguments

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
    }

    func run() throws {
        if example { return try StandardOutput.print(InstallationExample.text) }
        if schema { return try StandardOutput.print(InstallationSchema.text) }
        house.sampleMemory?.use()
        let installation = try Self.installation(file ?? "", overrides)
        if check { return try InstallationCheck(installation).run() }
        if !simulate.isEmpty { return try SimulationRun(installation, from: simulate[0], to: simulate[1]).run() }
        let access = network.access.completed(by: installation.network)
        let run = ServeRun(installation, access, LogOutput(least: log.logLevel)) { () throws(PatchFileError) in
            try Self.reading(file ?? "", overrides)
        }
        let code = try run.run()
        if code != 0 { throw ExitCode(code) }
    }

    private var example: Bool { asked.example }
    private var schema: Bool { asked.schema }
    private var check: Bool { asked.check }
    private var simulate: [String] { asked.simulate }

    /// The settings of the command line that count instead of the file's, also when it is read again.
    private struct Overrides {
        let device: [String]
        let state: String?
        let access: NetworkAccess
    }

    private var overrides: Overrides { Overrides(device: house.device, state: house.state, access: network.access) }

    /// Reads the file; the zone that it names becomes the process's.
    private static func installation(_ path: String, _ overrides: Overrides) throws -> Installation {
        do throws(PatchFileError) {
            let installation = try reading(path, overrides)
            if let zone = installation.timeZone { WallZone.setSystem(zone) }
            return installation
        } catch { throw Failure.report(error) }
    }

    private static func reading(_ path: String, _ overrides: Overrides) throws(PatchFileError) -> Installation {
        var installation = try Installation(path: path)
        if !overrides.device.isEmpty { installation.device.names = overrides.device }
        if let state = overrides.state { installation.stateFolder = state }
        overrides.access.completed(by: installation.network).write(into: &installation.network)
        return installation
    }
}
