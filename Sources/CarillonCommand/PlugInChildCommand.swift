import ArgumentParser
import PlugIns

/// `carillon plug-in-child`: the process of a plug-in with `in-child: true`. Users do not type it.
struct PlugInChildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plug-in-child", abstract: "Run one plug-in for the process that started it.",
        shouldDisplay: false)

    func run() throws { PlugInProcess.run() }
}
