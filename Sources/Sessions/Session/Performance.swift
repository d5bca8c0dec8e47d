import EngineCore
import Graphs
import RealtimeCore
import UnitAPI

/// The record of what took effect between two looks at the renderer, in the order of time: the events that units got, the edits
/// of the graph. Recorders, captures and displays are fed with it.
package struct Performance {
    var entries: [Journal.Entry] = []
    /// The commands of these entries.
    var commands: [RenderCommand] = []
    /// Those of keyboards and other surfaces.
    var live: [RenderCommand] = []
    var edits: [Journal.Edit] = []
    /// The music that instruments heard: as it was sent (unit nil), and what MIDI units have made, by the unit's name.
    var played: [Journal.Entry] = []
    /// The number of events of MIDI units that were lost so far, because they were not read in time.
    var unrecorded = 0
}

/// Reads the events that an engine has performed, with the names of the units. Control side, the only reader.
struct PerformanceReader {
    /// A MIDI unit, by the name that it had when it came.
    private struct Player {
        let name: String
        let music: PlayedMusic
    }

    private let engine: Engine
    private var names: [NodeID: String] = [:]
    private var players: [NodeID: Player] = [:]
    /// Music that instruments heard after the time up to which all is known.
    private var waiting: [Journal.Entry] = []
    /// The number of events of units that have gone that were lost.
    private var gone = 0

    init(_ engine: Engine) {
        self.engine = engine
        for node in engine.graph.nodes {
            names[node.id] = node.name
            players[node.id] = node.instance.played.map { Player(name: node.name, music: $0) }
        }
    }

    /// Since the last time. `lateness` gets that of each event that was played live, nanoseconds.
    mutating func read(lateness: (Int64) -> Void) -> Performance {
        // Before this time nothing more can be performed.
        let now = engine.renderer.sampleTime
        var performance = Performance()
        while let performed = engine.renderer.nextPerformed() {
            let command = performed.command
            if case .adopted(let plan) = command.event {
                if let edit = engine.takeEdit(Int(plan)) { follow(edit, at: command.time, &performance) }
                continue
            }
            performance.commands.append(command)
            if performed.source == .live || performed.source == .command { performance.live.append(command) }
            if performed.source == .live { lateness(Int64(performed.lateness)) }
            let unit = command.node.map { names[$0] ?? "\($0)" }
            performance.entries.append(Journal.Entry(time: command.time, unit: unit, event: command.event))
            if performed.isPlayed { waiting.append(Journal.Entry(time: command.time, unit: nil, event: command.event)) }
        }
        for (_, player) in players.sorted(by: { $0.key < $1.key }) { take(player) }
        performance.unrecorded = gone + players.values.reduce(0) { $0 + $1.music.lostEvents }
        waiting.sort { $0.time < $1.time }
        let known = waiting.firstIndex { $0.time >= now } ?? waiting.count
        performance.played = Array(waiting[..<known])
        waiting.removeFirst(known)
        return performance
    }

    private mutating func follow(_ edit: JournalledEdit, at time: SampleTime, _ performance: inout Performance) {
        performance.edits.append(Journal.Edit(time: time, edit.difference))
        // The names of units since that edit, not the current ones: another edit may be under way.
        names.merge(edit.names) { $1 }
        for (node, music) in edit.players { players[node] = Player(name: names[node] ?? "\(node)", music: music) }
        for node in edit.gone {
            names[node] = nil
            guard let player = players.removeValue(forKey: node) else { continue }
            take(player)
            gone += player.music.lostEvents
        }
    }

    private mutating func take(_ player: Player) {
        while let event = player.music.next() {
            waiting.append(Journal.Entry(time: event.time, unit: player.name, event: .music(event.event)))
        }
    }
}
