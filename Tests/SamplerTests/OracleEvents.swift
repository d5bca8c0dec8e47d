import MIDI

/// Channel messages as the tests say them; channels 0...15.
extension MusicEvent {
    static func raw(_ status: UInt8, _ a: UInt8, _ b: UInt8 = 0) -> MusicEvent {
        .message(MIDIMessage(status: status, data1: a, data2: b))
    }
    static func channelPressure(_ value: UInt8, on channel: UInt8 = 0) -> MusicEvent { raw(0xD0 | channel, value) }
    static func keyPressure(_ key: UInt8, _ value: UInt8, on channel: UInt8 = 0) -> MusicEvent {
        raw(0xA0 | channel, key, value)
    }
    /// -8192...8191.
    static func bend(_ value: Int, on channel: UInt8 = 0) -> MusicEvent {
        raw(0xE0 | channel, UInt8((value + 8_192) & 127), UInt8((value + 8_192) >> 7))
    }
    static func change(_ controller: UInt8, _ value: UInt8, on channel: UInt8 = 0) -> MusicEvent {
        raw(0xB0 | channel, controller, value)
    }
    static func key(_ key: UInt8, _ velocity: UInt8 = 127, on channel: UInt8 = 0) -> MusicEvent {
        raw(0x90 | channel, key, velocity)
    }
    static func up(_ key: UInt8, on channel: UInt8 = 0) -> MusicEvent { raw(0x80 | channel, key, 64) }
}

extension MusicEvent {
    /// The same for channel 10.
    static func onDrums(_ event: MusicEvent) -> MusicEvent {
        guard case .message(let message) = event else { return event }
        return raw(message.status & 0xF0 | 9, message.data1, message.data2)
    }
}
