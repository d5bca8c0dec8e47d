package import EngineCore
package import Graphs
package import MIDI
package import RealtimeCore

/// Audio units and graphs for the other modules with Apple's names: the engine's unit of a handle, and the other way round.
package enum UnitAccess {
    /// The engine's unit that makes the sound of an audio unit, once the plan of an output unit has it.
    package static func node(of unit: AudioUnit) -> (engine: Engine, node: NodeID)? {
        guard let object = UnitHandles.find(unit), let host = object.host, let node = host.node(of: object) else { return nil }
        return (host.engine, node)
    }

    /// Sends music to an audio unit, on a sample time of its engine; nil for the next slice.
    package static func send(_ event: MusicEvent, to unit: AudioUnit, at time: SampleTime? = nil) -> OSStatus {
        UnitCalls.on(unit) { object in
            guard let time, let host = object.host else { return object.send(event) }
            guard let node = host.node(of: object) else { return kAudioUnitErr_Uninitialized }
            return UnitFaults.status { try host.engine.send(event, to: node, at: time) }
        }
    }
}
