import EngineCore
import MIDI

/// Plays higher or lower. Keys that do not exist there, 0...127, are not heard.
public struct TransposeFilter: MIDIFilter {
    /// Semitones, up or down.
    public var semitones: Int
    /// True if keys of channel 10 move too, which are drums mostly.
    public var movesDrums: Bool

    public init(semitones: Int, movesDrums: Bool = false) {
        self.semitones = semitones
        self.movesDrums = movesDrums
    }

    /// Returns the event, with another key where it has one.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(var message) = event, message.hasKey,
            movesDrums || !PartMode.initial(message.part).isDrums
        else { return [event] }
        guard let key = UInt8(exactly: Int(message.data1) + semitones), key < 128 else { return [] }
        message.data1 = key
        return [.message(message)]
    }
}

extension MIDIMessage {
    var hasKey: Bool { kind == .noteOn || kind == .noteOff || kind == .keyPressure }
}
