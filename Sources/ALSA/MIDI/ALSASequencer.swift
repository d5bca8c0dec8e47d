import Graphs
import MIDI
import RemoteIO

/// The system's MIDI ports, through the ALSA sequencer.
public struct ALSASequencer: MIDISystem {
    public init() {}

    /// Opens a client. - Throws: `MIDIInletError`, `rule` for a connection that cannot be read.
    package func open(
        _ wanted: MIDIInletSetup
    ) throws(MIDIInletError) -> (inlet: any MIDIInlet, outlet: (any MIDIOutlet)?) {
        var rules: [ConnectionRule] = []
        for connection in wanted.connections {
            var rule = try ConnectionRule(connection.rule)
            if let input = connection.input { rule.input = input }
            rules.append(rule)
        }
        let setup = MIDIClientSetup(
            ports: wanted.ports, rules: rules, isImmediate: wanted.isImmediate, master: wanted.master)
        let client = try MIDIClient(setup, filter: wanted.filter, time: wanted.time, send: wanted.send)
        return (client, client)
    }
}

extension MIDIClient: MIDIInlet {
    /// The sources; at most 20 ms old.
    package var keyboards: [MIDIKeyboard] {
        sources.map { source in
            MIDIKeyboard(
                name: source.name, identity: source.identity.description, isConnected: source.isConnected,
                reason: source.reason.description, heldNotes: source.heldNotes.count, events: source.eventCount)
        }
    }

    /// Note-ons given up.
    public var droppedEvents: Int { counters.dropped }

    /// Returns the notices, as sentences.
    public func takeSentences() -> [String] { takeNotices().map(\.description) }

    /// The messages of sources that had no effect; at most 20 ms old.
    package var unfollowed: [UnfollowedMusic.Entry] { counters.unfollowed }

    /// Releases what a device holds.
    public func release(keyboard identity: String) {
        for source in sources where source.identity.description == identity { panic(source: source.identity) }
    }

    /// Releases what every source holds, and silences every part.
    public func releaseAll() { panicAll() }
}
