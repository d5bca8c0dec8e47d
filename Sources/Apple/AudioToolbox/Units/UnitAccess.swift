internal import EngineCore
package import MIDI
package import RealtimeCore

/// Audio units and graphs for the other modules with Apple's names.
package enum UnitAccess {
    /// Sends music to an audio unit, on a sample time of its engine; nil for the next slice.
    package static func send(_ event: MusicEvent, to unit: AudioUnit, at time: SampleTime? = nil) -> OSStatus {
        UnitCalls.on(unit) { object in
            guard let time, let host = object.host else { return object.send(event) }
            guard let node = host.node(of: object) else { return kAudioUnitErr_Uninitialized }
            return UnitFaults.status { try host.engine.send(event, to: node, at: time) }
        }
    }
}
