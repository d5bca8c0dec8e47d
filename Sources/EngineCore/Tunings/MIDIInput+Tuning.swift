import Graphs
import MIDI
import PlugIns
import RealtimeCore
import Reports

extension MIDIInput {
    /// Tunes all instruments, drums apart: those that sound, and those that come later. nil: equal temperament at 440 Hz.
    public func tune(_ tuning: Tuning?) {
        self.tuning = tuning
        if let graph = engine?.graph { tune(graph.nodes, tuning?.events ?? Tuning.equal, at: nil) }
    }

    /// Gives the units that come with an edit the tuning of the others.
    func tuneUnits(of next: Graph, besides former: Graph, at time: SampleTime?) {
        if let tuning { tune(next.nodes.filter { former[$0.id] == nil }, tuning.events, at: time) }
    }

    /// What finds no room goes with `Engine.maintain()`.
    private func tune(_ nodes: [Graph.Node], _ events: [MusicEvent], at time: SampleTime?) {
        for node in nodes where node.instance.descriptor.acceptsMusic {
            waiting += events.map { RenderCommand(time: time ?? .inTurn, node: node.id, event: .music($0)) }
        }
        flush()
    }

    /// One for each plug-in, which may follow a tuning or not.
    package var tuningRemarks: [Remark] {
        let nodes = tuning == nil ? [] : engine?.graph.nodes ?? []
        return nodes.filter {
            PlugInCatalog.isName($0.instance.descriptor.name) && $0.instance.descriptor.acceptsMusic
        }.map {
            Remark(
                .notFollowed, $0.name, "gets the tuning by messages of the MIDI Tuning Standard, which not every plug-in follows")
        }
    }
}
