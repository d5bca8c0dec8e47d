import DSP
import EngineCore
import MIDI

/// Makes a keyboard play harder or softer.
public struct VelocityFilter: MIDIFilter {
    /// The curve that velocities follow.
    public var curve: TouchCurve

    /// Velocities by that curve.
    public init(_ curve: TouchCurve) { self.curve = curve }

    /// Returns the event; a note-on with another velocity.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(var message) = event, message.beginsNote else { return [event] }
        message.data2 = curve.value(of: message.data2)
        return [.message(message)]
    }
}
