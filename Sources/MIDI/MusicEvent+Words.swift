import RealtimeCore

/// Events by the words of musicians. Channels and ports count from 1, as they do on keyboards and in books.
extension MusicEvent {
    /// A key goes down: 60 is middle C; velocity 1...127.
    ///
    /// Precondition: `key` and `velocity` are 0...127, `channel` and `port` 1...16.
    public static func noteOn(_ key: UInt8, velocity: UInt8 = 100, channel: Int = 1, port: Int = 1) -> MusicEvent {
        message(0x90, key, velocity, channel, port)
    }

    /// A key goes down, by numbers that a program computed: `key` and `velocity` are brought into 0...127.
    ///
    /// Precondition: `channel` and `port` are 1...16.
    @_disfavoredOverload
    public static func noteOn(_ key: Int, velocity: Int = 100, channel: Int = 1, port: Int = 1) -> MusicEvent {
        message(0x90, UInt8(min(max(key, 0), 127)), UInt8(min(max(velocity, 0), 127)), channel, port)
    }

    /// A key goes up, by a number that a program computed: `key` is brought into 0...127.
    ///
    /// Precondition: `channel` and `port` are 1...16.
    @_disfavoredOverload
    public static func noteOff(_ key: Int, channel: Int = 1, port: Int = 1) -> MusicEvent {
        message(0x80, UInt8(min(max(key, 0), 127)), 64, channel, port)
    }

    /// A key goes up.
    ///
    /// Precondition: `key` and `velocity` are 0...127, `channel` and `port` 1...16.
    public static func noteOff(_ key: UInt8, velocity: UInt8 = 64, channel: Int = 1, port: Int = 1) -> MusicEvent {
        message(0x80, key, velocity, channel, port)
    }

    /// A controller, 0...127, moves to `value`, 0...127.
    ///
    /// Precondition: `number` and `value` are 0...127, `channel` and `port` 1...16.
    public static func controller(_ number: UInt8, _ value: UInt8, channel: Int = 1, port: Int = 1) -> MusicEvent {
        message(0xB0, number, value, channel, port)
    }

    /// Program `number`, 1...128 as books count, from here on.
    ///
    /// Precondition: `number` is 1...128, `channel` and `port` are 1...16.
    public static func program(_ number: Int, channel: Int = 1, port: Int = 1) -> MusicEvent {
        precondition((1...128).contains(number), "a program is 1...128")
        return message(0xC0, UInt8(number - 1), 0, channel, port)
    }

    /// The bend wheel: -1 is all the way down, 0 the middle, 1 all the way up; `amount` is brought there, and is 0 if it is no
    /// finite number (`NonFiniteValues`).
    ///
    /// Precondition: `channel` and `port` are 1...16.
    public static func pitchBend(_ amount: Float, channel: Int = 1, port: Int = 1) -> MusicEvent {
        let value = Int((min(max(amount.finite, -1), 1) * 8191.5 + 8191.5).rounded(.up))
        return message(0xE0, UInt8(min(value, 16_383) & 127), UInt8(min(value, 16_383) >> 7), channel, port)
    }

    private static func message(_ kind: UInt8, _ data1: UInt8, _ data2: UInt8, _ channel: Int, _ port: Int) -> MusicEvent {
        precondition((1...16).contains(channel), "a channel is 1...16")
        precondition((1...16).contains(port), "a port is 1...16")
        precondition(data1 < 128 && data2 < 128, "data bytes are 0...127")
        return .message(
            MIDIMessage(status: kind | UInt8(channel - 1), data1: data1, data2: data2, port: UInt8(port - 1)))
    }
}
