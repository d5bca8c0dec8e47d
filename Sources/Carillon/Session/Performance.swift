import Graph
import RealtimeCore
import RemoteIO

/// The record of what took effect between two looks at the renderer, in the order of time: the events that units got, the edits
/// of the graph. Recorders, captures and displays are fed with it.
package struct Performance {
    var entries: [Journal.Entry] = []
    /// The commands of these entries.
    var commands: [RenderCommand] = []
    var edits: [Journal.Edit] = []
}

/// Reads what an engine has performed, and calls the units by their names. Control side, the only reader.
package struct PerformanceReader {
    private let engine: Engine
    private var names: [NodeID: String] = [:]

    init(_ engine: Engine) {
        self.engine = engine
        for node in engine.graph.nodes { names[node.id] = node.name }
    }

    /// Takes what has been performed since the last time.
    ///
    /// - Parameter lateness: gets the lateness of each event that was played live, nanoseconds.
    mutating func read(lateness: (Int64) -> Void) -> Performance {
        var performance = Performance()
        while let performed = engine.renderer.nextPerformed() {
            let command = performed.command
            if case .adopted(let plan) = command.event {
                if let edit = engine.takeEdit(Int(plan)) {
                    performance.edits.append(Journal.Edit(time: command.time, edit.difference))
                    // What units are called since then, not what they are called now: another edit may be under way.
                    names.merge(edit.names) { $1 }
                    for node in edit.gone { names[node] = nil }
                }
                continue
            }
            performance.commands.append(command)
            if performed.source == .live { lateness(Int64(performed.lateness)) }
            let unit = command.node.map { names[$0] ?? "\($0)" }
            performance.entries.append(Journal.Entry(time: command.time, unit: unit, event: command.event))
        }
        return performance
    }
}
