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

    @OptionGroup var checked: CheckedFiles

    func run() throws { try checked.each(check) }

    private func check(_ file: String) throws {
        let list: SetList
        do throws(DocumentError) { list = try SetList(path: file) } catch { throw Failure.report(error) }
        let loading = StuckCall(over: file, patience: StuckCall.loadPatience), read = ListLoading(list)
        loading.stop()
        try checked.show(read.broken + read.remarks)
        // The reasons have been printed.
        if read.playable == 0 {
            throw Failure.report("\(file): none of its \(read.list.entries.count) entries can be played", exitCode: 78)
        }
        try StandardOutput.print(
            OneLine.text("\(file): it plays: \(read.playable) of \(read.list.entries.count) entries"))
    }
}
