// [render]
import MIDI

/// The writing of the log, where there is one: of note-ons and keys by the first share alone, of voices by the share that has
/// them.
extension Sampler {
    /// Writes a note-on down, with the shift of its pitch.
    @_noLocks func logStrike(_ kind: NoteRecord.Kind, _ channel: Int, _ key: UInt8, _ velocity: UInt8) {
        guard let log = pool.log else { return }
        // Whoever is struck again has gone up before.
        log.pointee.write(NoteRecord(.keyUp, channel: channel, key: key))
        var record = NoteRecord(kind, channel: channel, key: key)
        record.note = UInt32(truncatingIfNeeded: noteNumber)
        record.velocity = velocity
        let manager = Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        var cents = masterCents + parts[channel].cents + parts[channel].cents(of: key)
        if manager != channel { cents += parts[manager].cents }
        record.cents = parts[manager].mode.isDrums ? .nan : Float(cents)
        log.pointee.write(record)
    }

    /// Writes down that all keys of the channels of a mask are up.
    @_noLocks func logKeysUp(_ channels: UInt16) {
        guard let log = pool.log else { return }
        for channel in 0..<16 where channels &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            log.pointee.write(NoteRecord(.channelUp, channel: channel))
        }
    }

    /// Writes down that a voice is released.
    @_noLocks func logRelease(_ voice: UnsafePointer<Voice>) {
        pool.log?.pointee.write(NoteRecord(.released, note: voice.pointee.note))
    }

    /// Writes down that the newest note takes a voice over.
    @_noLocks func logTakeOver(_ voice: UnsafePointer<Voice>) {
        guard let log = pool.log else { return }
        var record = NoteRecord(.takenOver, note: noteNumber)
        record.other = UInt32(truncatingIfNeeded: voice.pointee.note)
        log.pointee.write(record)
    }

    /// The channels whose voices hear what is said to `channel`, one bit each.
    @_noLocks func hearers(of channel: Int) -> UInt16 {
        var mask: UInt16 = 0
        for other in 0..<16 {
            let manager = Int(zones.manager(of: UInt8(truncatingIfNeeded: other)))
            if other == channel || manager == channel { mask |= 1 &<< UInt16(truncatingIfNeeded: other) }
        }
        return mask
    }
}
