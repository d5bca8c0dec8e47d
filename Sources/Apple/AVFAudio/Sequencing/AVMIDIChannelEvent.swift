/// A message of a channel.
open class AVMIDIChannelEvent: AVMusicEvent {
    /// 0...15.
    open var channel: UInt32
    private let status: UInt8
    fileprivate var data: (UInt32, UInt32)

    fileprivate init(_ status: UInt8, _ channel: UInt32, _ data1: UInt32, _ data2: UInt32 = 0) {
        (self.status, self.channel, data) = (status, channel, (data1, data2))
        super.init()
    }

    override var type: MusicEventType { kMusicEventType_MIDIChannelMessage }
    override var bytes: [UInt8] {
        // A status that is none refuses a channel that is none.
        [channel < 16 ? status | UInt8(channel) : 0, UInt8(min(data.0, 127)), UInt8(min(data.1, 127)), 0]
    }

    static func made(of bytes: [UInt8]) -> AVMusicEvent? {
        guard bytes.count >= 3 else { return nil }
        let channel = UInt32(bytes[0] & 15), (data1, data2) = (UInt32(bytes[1]), UInt32(bytes[2]))
        switch bytes[0] & 0xF0 {
        case 0xA0: return AVMIDIPolyPressureEvent(channel: channel, key: data1, pressure: data2)
        case 0xB0: return AVMIDIControlChangeEvent(0xB0, channel, data1, data2)
        case 0xC0: return AVMIDIProgramChangeEvent(channel: channel, programNumber: data1)
        case 0xD0: return AVMIDIChannelPressureEvent(channel: channel, pressure: data1)
        case 0xE0: return AVMIDIPitchBendEvent(channel: channel, value: data2 << 7 | data1)
        default: return AVMIDIChannelEvent(bytes[0] & 0xF0, channel, data1, data2)
        }
    }
}

/// A controller.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
    /// The numbers of controllers.
    public struct MessageType: RawRepresentable, Hashable, Sendable {
        public static let bankSelect = Self(0), modWheel = Self(1), breath = Self(2), foot = Self(4), portamentoTime = Self(5)
        public static let dataEntry = Self(6), volume = Self(7), balance = Self(8), pan = Self(10), expression = Self(11)
        public static let sustain = Self(64), portamento = Self(65), sostenuto = Self(66), soft = Self(67), legatoPedal = Self(68)
        public static let hold2Pedal = Self(69), filterResonance = Self(71), releaseTime = Self(72), attackTime = Self(73)
        public static let brightness = Self(74), decayTime = Self(75), vibratoRate = Self(76), vibratoDepth = Self(77)
        public static let vibratoDelay = Self(78), reverbLevel = Self(91), chorusLevel = Self(93), rpn_LSB = Self(100)
        public static let rpn_MSB = Self(101), allSoundOff = Self(120), resetAllControllers = Self(121), allNotesOff = Self(123)
        public static let omniModeOff = Self(124), omniModeOn = Self(125), monoModeOn = Self(126), monoModeOff = Self(127)
        public let rawValue: Int
        fileprivate init(_ rawValue: Int) { self.rawValue = rawValue }
        public init?(rawValue: Int) {
            guard (0..<128).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    public convenience init(channel: UInt32, messageType: MessageType, value: UInt32) {
        self.init(0xB0, channel, UInt32(messageType.rawValue), value)
    }

    open var messageType: MessageType { MessageType(Int(data.0)) }
    /// 0...127.
    open var value: UInt32 { data.1 }
}

/// The pressure of a key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
    public convenience init(channel: UInt32, key: UInt32, pressure: UInt32) { self.init(0xA0, channel, key, pressure) }

    /// 0...127.
    open var key: UInt32 {
        get { data.0 }
        set { data.0 = newValue }
    }
    open var pressure: UInt32 {
        get { data.1 }
        set { data.1 = newValue }
    }
}

/// Another sound.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
    public convenience init(channel: UInt32, programNumber: UInt32) { self.init(0xC0, channel, programNumber) }

    /// 0...127.
    open var programNumber: UInt32 {
        get { data.0 }
        set { data.0 = newValue }
    }
}

/// The pressure of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
    public convenience init(channel: UInt32, pressure: UInt32) { self.init(0xD0, channel, pressure) }

    /// 0...127.
    open var pressure: UInt32 {
        get { data.0 }
        set { data.0 = newValue }
    }
}

/// The pitch wheel.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
    public convenience init(channel: UInt32, value: UInt32) { self.init(0xE0, channel, value & 127, min(value, 16_383) >> 7) }

    /// 0...16383; 8192 is the middle.
    open var value: UInt32 {
        get { data.1 << 7 | data.0 }
        set { data = (newValue & 127, min(newValue, 16_383) >> 7) }
    }
}
