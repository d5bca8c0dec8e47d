// [render]
import MIDI

extension VoicePool {
    @_noLocks func logStrike(_ kind: NoteRecord.Kind, _ note: Voice.Note, _ received: MIDIMessage, cents: Float) {
        guard let keyLog else { return }
        // A key that is struck again has gone up before.
        keyLog.pointee.write(NoteRecord(.keyUp, channel: Int(note.channel), key: note.key))
        var record = NoteRecord(kind, channel: Int(note.channel), key: received.data1 & 127)
        record.note = UInt32(truncatingIfNeeded: note.number)
        record.other = UInt32(note.key)
        record.velocity = received.data2 & 127
        record.cents = cents
        keyLog.pointee.write(record)
    }

    @_noLocks func logUnheard(_ message: MIDIMessage, number: UInt64) {
        let note = Voice.Note(
            channel: message.channel, bus: message.channel, key: message.data1 & 127, velocity: message.data2 & 127,
            number: number)
        logStrike(.struck, note, message, cents: .nan)
    }

    @_noLocks func logKeyUp(_ channel: Int, _ key: UInt8) {
        keyLog?.pointee.write(NoteRecord(.keyUp, channel: channel, key: key))
    }

    @_noLocks func logKeysUp(_ channels: UInt16 = .max) {
        guard let keyLog else { return }
        for channel in 0..<16 where channels &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            keyLog.pointee.write(NoteRecord(.channelUp, channel: channel))
        }
    }

    @_noLocks func log(_ kind: NoteRecord.Kind, _ note: UInt64) { log?.pointee.write(NoteRecord(kind, note: note)) }

    @_noLocks func logPitch(_ voice: UnsafePointer<Voice>, _ zones: MPEZones, _ parts: UnsafePointer<Part>, master: Double) {
        guard let log else { return }
        let cents = zones.shift(of: voice.pointee.key, on: Int(voice.pointee.channel), parts, master: master)
        if cents.isNaN { return }
        var record = NoteRecord(.bent, note: voice.pointee.note)
        record.key = voice.pointee.key
        record.cents = cents
        log.pointee.write(record)
    }

    /// Logs the pitch of the voices that a channel's messages reach, once for voices of a note that follow each other.
    @_noLocks func logPitch(of channel: Int, _ zones: MPEZones, _ parts: UnsafePointer<Part>, master: Double) {
        if log == nil { return }
        let hearers = zones.hearers(of: channel)
        var last: UInt64 = 0
        for place in 0..<count {
            let voice = voice(place)
            if voice.pointee.note == last || !voice.pointee.isSounding { continue }
            if hearers &>> UInt16(voice.pointee.channel & 15) & 1 == 0 { continue }
            last = voice.pointee.note
            logPitch(voice, zones, parts, master: master)
        }
    }

    @_noLocks func logTakeOver(of voice: UnsafeMutablePointer<Voice>, by note: UInt64) {
        guard let log else { return }
        log.pointee.writeLevel(voice.pointee.note, place: voice - voices)
        var record = NoteRecord(.takenOver, note: note)
        record.other = UInt32(truncatingIfNeeded: voice.pointee.note)
        log.pointee.write(record)
    }
}

extension MPEZones {
    /// The shift of a key's pitch against equal temperament, by bend and tuning; no number for a drum. Unit: cents.
    @_noLocks func shift(of key: UInt8, on channel: Int, _ parts: UnsafePointer<Part>, master: Double) -> Float {
        let manager = Int(manager(of: UInt8(truncatingIfNeeded: channel)))
        if parts[manager].mode.isDrums { return .nan }
        let own = master + parts[channel].cents + parts[channel].cents(of: key)
        return Float(manager == channel ? own : own + parts[manager].cents)
    }

    @_noLocks func hearers(of channel: Int) -> UInt16 {
        var mask: UInt16 = 0
        for other in 0..<16 where other == channel || Int(manager(of: UInt8(truncatingIfNeeded: other))) == channel {
            mask |= 1 &<< UInt16(truncatingIfNeeded: other)
        }
        return mask
    }
}
