import ArgumentParser
import PlugIns

/// `carillon plug-in-child`: the process of a plug-in that is asked for with `in-child: true`. Nobody types it.
struct PlugInChildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plug-in-child", abstract: "Run one plug-in for the process that started this one.",
        shouldDisplay: false)

    func run() throws { PlugInProcess.run() }
}
