import EngineCore
import MIDI

/// Passes only some keys, and everything that is not a note. Two of them split a keyboard.
public struct KeyRange: MIDIFilter {
    /// The keys that pass, 0...127; 60 is middle C.
    public var keys: ClosedRange<UInt8>
    /// The channel that it is about, 1...16; nil for all.
    public var channel: Int?

    public init(_ keys: ClosedRange<UInt8>, channel: Int? = nil) {
        self.keys = keys
        self.channel = channel
    }

    /// Returns the event, or nothing.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        guard case .message(let message) = event, message.hasKey, channel.map({ $0 == Int(message.channel) + 1 }) ?? true
        else { return [event] }
        return keys.contains(message.data1) ? [event] : []
    }
}
