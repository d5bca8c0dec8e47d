/// Something that happens in a track.
open class AVMusicEvent: NSObject {
    /// The type and the struct that Core Audio has for it.
    var type: MusicEventType { kMusicEventType_NULL }
    var bytes: [UInt8] { [] }

    /// The event of a struct; nil for what has no class.
    static func made(of event: MusicAccess.Event) -> AVMusicEvent? {
        func read<Value>(_: Value.Type) -> Value? {
            guard event.bytes.count >= MemoryLayout<Value>.size else { return nil }
            return event.bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
        }
        switch event.type {
        case kMusicEventType_MIDINoteMessage:
            return read(MIDINoteMessage.self).map {
                AVMIDINoteEvent(
                    channel: UInt32($0.channel), key: UInt32($0.note), velocity: UInt32($0.velocity), Double($0.duration),
                    release: $0.releaseVelocity)
            }
        case kMusicEventType_MIDIChannelMessage: return AVMIDIChannelEvent.made(of: event.bytes)
        case kMusicEventType_MIDIRawData: return AVMIDISysexEvent(data: Data(event.bytes.dropFirst(4)))
        case kMusicEventType_User: return AVMusicUserEvent(data: Data(event.bytes.dropFirst(4)))
        case kMusicEventType_Meta:
            return AVMIDIMetaEvent(type: .init(Int(event.bytes.first ?? 0) & 127), data: Data(event.bytes.dropFirst(8)))
        case kMusicEventType_ExtendedTempo: return read(Double.self).map(AVExtendedTempoEvent.init)
        case kMusicEventType_ExtendedNote:
            return read(ExtendedNoteOnEvent.self).map {
                AVExtendedNoteOnEvent(
                    midiNote: $0.extendedParams.mPitch, velocity: $0.extendedParams.mVelocity, instrumentID: $0.instrumentID,
                    groupID: $0.groupID, duration: Double($0.duration))
            }
        case kMusicEventType_Parameter:
            return read(ParameterEvent.self).map {
                AVParameterEvent(parameterID: $0.parameterID, scope: $0.scope, element: $0.element, value: $0.value)
            }
        default: return nil
        }
    }
}

/// A note with its length.
open class AVMIDINoteEvent: AVMusicEvent {
    /// Channel 0...15, key and velocity 0...127.
    open var channel: UInt32
    open var key: UInt32
    open var velocity: UInt32
    /// Beats.
    open var duration: AVMusicTimeStamp
    private let release: UInt8

    public convenience init(channel: UInt32, key keyNum: UInt32, velocity: UInt32, duration: AVMusicTimeStamp) {
        self.init(channel: channel, key: keyNum, velocity: velocity, duration, release: 64)
    }

    init(channel: UInt32, key: UInt32, velocity: UInt32, _ duration: AVMusicTimeStamp, release: UInt8) {
        (self.channel, self.key, self.velocity, self.duration, self.release) = (channel, key, velocity, duration, release)
        super.init()
    }

    override var type: MusicEventType { kMusicEventType_MIDINoteMessage }
    override var bytes: [UInt8] {
        raw(
            MIDINoteMessage(
                channel: UInt8(clamping: channel), note: UInt8(clamping: key), velocity: UInt8(clamping: min(velocity, 127)),
                releaseVelocity: release, duration: Float(duration)))
    }
}

/// A System Exclusive message.
open class AVMIDISysexEvent: AVMusicEvent {
    private let data: Data

    /// F0 ... F7.
    public init(data: Data) { self.data = data }

    open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }
    override var type: MusicEventType { kMusicEventType_MIDIRawData }
    override var bytes: [UInt8] { raw(sizeInBytes) + data }
}

/// A mark of the program's own, for which the sequencer calls back.
open class AVMusicUserEvent: AVMusicEvent {
    private let data: Data

    public init(data: Data) { self.data = data }

    open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }
    override var type: MusicEventType { kMusicEventType_User }
    override var bytes: [UInt8] { raw(sizeInBytes) + data }
}

/// What a song has but does not sound: texts, keys and the like.
open class AVMIDIMetaEvent: AVMusicEvent {
    /// The numbers of meta events.
    public struct EventType: RawRepresentable, Hashable, Sendable {
        public static let sequenceNumber = Self(0), text = Self(1), copyright = Self(2), trackName = Self(3), instrument = Self(4)
        public static let lyric = Self(5), marker = Self(6), cuePoint = Self(7), midiChannel = Self(0x20), midiPort = Self(0x21)
        public static let endOfTrack = Self(0x2F), tempo = Self(0x51), smpteOffset = Self(0x54), timeSignature = Self(0x58)
        public static let keySignature = Self(0x59), proprietaryEvent = Self(0x7F)
        public let rawValue: Int
        fileprivate init(_ rawValue: Int) { self.rawValue = rawValue }
        public init?(rawValue: Int) {
            guard (0..<128).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    open private(set) var eventType: EventType
    private let data: Data

    public init(type: EventType, data: Data) { (eventType, self.data) = (type, data) }

    override var type: MusicEventType { kMusicEventType_Meta }
    override var bytes: [UInt8] { [UInt8(eventType.rawValue), 0, 0, 0] + raw(UInt32(clamping: data.count)) + data }
}

/// A tempo, for the tempo track.
open class AVExtendedTempoEvent: AVMusicEvent {
    /// Quarter notes a minute.
    open var tempo: Double

    public init(tempo: Double) { self.tempo = tempo }

    override var type: MusicEventType { kMusicEventType_ExtendedTempo }
    override var bytes: [UInt8] { raw(tempo) }
}

/// A note of any pitch, which plays the key next to it.
open class AVExtendedNoteOnEvent: AVMusicEvent {
    /// The instrument that the group plays.
    public static let defaultInstrument: UInt32 = 0xFFFF_FFFF
    open var midiNote: Float
    open var velocity: Float
    open var instrumentID: UInt32
    /// The channel.
    open var groupID: UInt32
    /// Beats.
    open var duration: AVMusicTimeStamp

    public convenience init(midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp) {
        self.init(
            midiNote: midiNote, velocity: velocity, instrumentID: Self.defaultInstrument, groupID: groupID, duration: duration)
    }

    public init(midiNote: Float, velocity: Float, instrumentID: UInt32, groupID: UInt32, duration: AVMusicTimeStamp) {
        (self.midiNote, self.velocity, self.duration) = (midiNote, velocity, duration)
        (self.instrumentID, self.groupID) = (instrumentID, groupID)
    }

    override var type: MusicEventType { kMusicEventType_ExtendedNote }
    override var bytes: [UInt8] {
        var event = ExtendedNoteOnEvent()
        (event.instrumentID, event.groupID, event.duration) = (instrumentID, groupID, Float(duration))
        (event.extendedParams.argCount, event.extendedParams.mPitch, event.extendedParams.mVelocity) = (2, midiNote, velocity)
        return raw(event)
    }
}

/// A value of a parameter of the unit that plays the track.
open class AVParameterEvent: AVMusicEvent {
    open var parameterID: UInt32
    open var scope: UInt32
    open var element: UInt32
    open var value: Float

    public init(parameterID: UInt32, scope: UInt32, element: UInt32, value: Float) {
        (self.parameterID, self.scope, self.element, self.value) = (parameterID, scope, element, value)
    }

    override var type: MusicEventType { kMusicEventType_Parameter }
    override var bytes: [UInt8] {
        raw(ParameterEvent(parameterID: parameterID, scope: scope, element: element, value: value))
    }
}

/// A preset of the unit that plays the track: no track takes it, by `kAudio_UnimplementedError`.
open class AVAUPresetEvent: AVMusicEvent {
    open var scope: UInt32
    open var element: UInt32
    /// What `kAudioUnitProperty_ClassInfo` of the unit holds.
    public let presetDictionary: [AnyHashable: Any]

    public init(scope: UInt32, element: UInt32, dictionary presetDictionary: [AnyHashable: Any]) {
        (self.scope, self.element, self.presetDictionary) = (scope, element, presetDictionary)
    }

    override var type: MusicEventType { kMusicEventType_AUPreset }
}

private func raw<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { [UInt8]($0) } }
