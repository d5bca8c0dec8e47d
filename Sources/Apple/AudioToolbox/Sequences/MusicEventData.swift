internal import MIDI
internal import Sequencer

typealias EngineTrack = Song.Arrangement.Track
typealias EngineEvent = Song.Arrangement.Event

enum MusicEventData {
    /// Longest data of an event, so that a length that is no length is an error code.
    static let longest = 1 << 24

    static func beat(_ beat: MusicTimeStamp) throws -> MusicTimeStamp {
        guard beat.isFinite, beat >= 0, beat < kMusicTimeStamp_EndOfTrack else { throw Refusal(kAudio_ParamError) }
        return beat
    }

    /// Reads the struct that a type of events has; nil if the type has none, or it cannot be.
    static func kind(_ type: MusicEventType, _ data: UnsafeRawPointer?) -> EngineEvent.Kind? {
        guard let data else { return nil }
        switch type {
        case kMusicEventType_MIDINoteMessage:
            let note = data.loadUnaligned(as: MIDINoteMessage.self)
            guard note.note < 128, note.channel < 16, note.duration.isFinite, note.duration >= 0 else { return nil }
            return .note(
                Song.Arrangement.Note(
                    note.note, length: Double(note.duration), velocity: note.velocity, releaseVelocity: note.releaseVelocity,
                    part: note.channel))
        case kMusicEventType_MIDIChannelMessage:
            let message = data.loadUnaligned(as: MIDIChannelMessage.self)
            guard (0x80..<0xF0).contains(message.status) else { return nil }
            return .message(MIDIMessage(status: message.status, data1: message.data1 & 127, data2: message.data2 & 127))
        case kMusicEventType_MIDIRawData:
            guard let bytes = bytes(data, lengthAt: 0) else { return nil }
            return bytes.first == 0xF0 ? .systemExclusive(bytes) : .cue(bytes, kind: Int(type))
        case kMusicEventType_User:
            guard let bytes = bytes(data, lengthAt: 0) else { return nil }
            return .cue(bytes, kind: Int(type))
        case kMusicEventType_Meta:
            guard let bytes = bytes(data, lengthAt: 4) else { return nil }
            return meta(data.load(as: UInt8.self), bytes)
        case kMusicEventType_ExtendedTempo:
            let tempo = data.loadUnaligned(as: ExtendedTempoEvent.self).bpm
            return tempo.isFinite && tempo > 0 ? .tempo(tempo) : nil
        case kMusicEventType_ExtendedNote: return .cue(raw(data, ExtendedNoteOnEvent.self), kind: Int(type))
        case kMusicEventType_Parameter: return .cue(raw(data, ParameterEvent.self), kind: Int(type))
        default: return nil
        }
    }

    private static func bytes(_ data: UnsafeRawPointer, lengthAt offset: Int) -> [UInt8]? {
        let length = Int((data + offset).loadUnaligned(as: UInt32.self))
        guard length <= longest else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: data + offset + 4, count: length))
    }

    private static func raw<Value>(_ data: UnsafeRawPointer, _: Value.Type) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: data, count: MemoryLayout<Value>.size))
    }

    static func meta(_ type: UInt8, _ bytes: [UInt8]) -> EngineEvent.Kind? {
        switch type {
        case 0x2F: return nil
        case 0x51 where bytes.count == 3:
            let microseconds = bytes.reduce(0) { $0 << 8 | Int($1) }
            return microseconds > 0 ? .tempo(60_000_000 / Double(microseconds)) : nil
        case 0x58 where bytes.count == 4 && bytes[0] > 0 && bytes[1] < 8:
            return .meter(
                TimeSignature(
                    numerator: bytes[0], denominatorPower: bytes[1], clocksPerClick: bytes[2], thirtySecondsPerQuarter: bytes[3]))
        case 0x59 where bytes.count == 2:
            return .silent(.key(KeySignature(sharps: Int8(bitPattern: bytes[0]), isMinor: bytes[1] != 0)))
        default:
            if let text = SongText.Kind(rawValue: type) { return .silent(.text(SongText(text, bytes: bytes))) }
            return .silent(.meta(type: type, bytes: bytes))
        }
    }

    static func data(_ kind: EngineEvent.Kind) -> (MusicEventType, [UInt8]) {
        switch kind {
        case .note(let note):
            let message = MIDINoteMessage(
                channel: note.part & 15, note: note.key, velocity: note.velocity, releaseVelocity: note.releaseVelocity,
                duration: Float(note.length))
            return (kMusicEventType_MIDINoteMessage, withUnsafeBytes(of: message) { [UInt8]($0) })
        case .message(let message):
            return (kMusicEventType_MIDIChannelMessage, [message.status, message.data1, message.data2, 0])
        case .systemExclusive(let bytes, _): return (kMusicEventType_MIDIRawData, length(bytes) + bytes)
        case .tempo(let tempo): return (kMusicEventType_ExtendedTempo, withUnsafeBytes(of: tempo) { [UInt8]($0) })
        case .meter(let meter):
            return meta(0x58, [meter.numerator, meter.denominatorPower, meter.clocksPerClick, meter.thirtySecondsPerQuarter])
        case .cue(let bytes, let kind):
            let type = MusicEventType(truncatingIfNeeded: kind)
            return (type, type == kMusicEventType_User || type == kMusicEventType_MIDIRawData ? length(bytes) + bytes : bytes)
        case .silent(.text(let text)): return meta(text.kind.rawValue, text.bytes)
        case .silent(.key(let key)): return meta(0x59, [UInt8(bitPattern: key.sharps), key.isMinor ? 1 : 0])
        case .silent(.meta(let type, let bytes)): return meta(type, bytes)
        case .silent(.escape(let bytes)), .silent(.systemExclusive(let bytes)):
            return (kMusicEventType_MIDIRawData, length(bytes) + bytes)
        case .silent(.port(let port)): return meta(0x21, [port])
        case .silent(.message), .silent(.tempo), .silent(.timeSignature): return (kMusicEventType_NULL, [])
        }
    }

    private static func meta(_ type: UInt8, _ bytes: [UInt8]) -> (MusicEventType, [UInt8]) {
        (kMusicEventType_Meta, [type, 0, 0, 0] + length(bytes) + bytes)
    }

    private static func length(_ bytes: [UInt8]) -> [UInt8] { withUnsafeBytes(of: UInt32(bytes.count)) { [UInt8]($0) } }

    /// A note of any pitch as the key next to it; nil for bytes that are none.
    static func note(ofExtended bytes: [UInt8]) -> Song.Arrangement.Note? {
        guard bytes.count == MemoryLayout<ExtendedNoteOnEvent>.size else { return nil }
        let event = bytes.withUnsafeBytes { $0.loadUnaligned(as: ExtendedNoteOnEvent.self) }, params = event.extendedParams
        guard params.mPitch.isFinite, params.mVelocity.isFinite, event.duration.isFinite else { return nil }
        return Song.Arrangement.Note(
            UInt8(min(max(params.mPitch.rounded(), 0), 127)), length: Double(max(event.duration, 0)),
            velocity: UInt8(min(max(params.mVelocity.rounded(), 1), 127)), part: UInt8(event.groupID & 15))
    }
}
