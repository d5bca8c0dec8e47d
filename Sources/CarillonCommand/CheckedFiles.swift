import ArgumentParser
import Reports

/// The files that a check reads, and the remarks at which it fails.
struct CheckedFiles: ParsableArguments {
    @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Exit with 65 if something is missing, or on any remark except those on the level.", valueName: "missing|remarks"))
    var failOn: RemarkLimit?

    /// Checks every file, even if others have faults. Throws the first exit code that is not 0.
    func each(_ check: (String) throws -> Void) throws {
        var failure: ExitCode?
        for file in files {
            do { try check(file) } catch let code as ExitCode { failure = failure ?? code }
        }
        if let failure { throw failure }
    }

    /// Prints the remarks. Throws the exit code if `--fail-on` refuses one of them.
    func show(_ remarks: [Remark]) throws {
        for remark in remarks { StandardError.print(OneLine.text(remark.description)) }
        let refused = failOn?.refused(remarks) ?? []
        if !refused.isEmpty { throw Failure.report(.refused(RemarkLimit.sentence(refused))) }
    }
}
