import ArgumentParser
import Carillon
import Document
import Patches
import Reports

/// `carillon list check`.
struct ListCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether set lists can be played, and report errors and likely mistakes with their lines.")

    @Argument(help: ArgumentHelp("The lists.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Exit with 65 if something is missing, or on any remark except those on the level.", valueName: "missing|remarks"))
    var failOn: RemarkLimit?

    func run() throws {
        var failure: ExitCode?
        for file in files {
            // Every file is checked, even if others have faults.
            do { try check(file) } catch let code as ExitCode { failure = failure ?? code }
        }
        if let failure { throw failure }
    }

    private func check(_ file: String) throws {
        let list: SetList
        do throws(DocumentError) { list = try SetList(path: file) } catch { throw Failure.report(error) }
        let loading = StuckCall(over: file, patience: StuckCall.loadPatience), read = ListLoading(list)
        loading.stop()
        let remarks = read.broken + read.remarks, refused = failOn?.refused(remarks) ?? []
        for remark in remarks { StandardError.print(OneLine.text(remark.description)) }
        if !refused.isEmpty { throw Failure.report(.refused(RemarkLimit.sentence(refused))) }
        // The reasons have been printed.
        if read.playable == 0 {
            throw Failure.report("\(file): none of its \(read.list.entries.count) entries can be played", exitCode: 78)
        }
        try StandardOutput.print(
            OneLine.text("\(file): it plays: \(read.playable) of \(read.list.entries.count) entries"))
    }
}
