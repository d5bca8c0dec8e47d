// [render]
import MIDI

/// The notes of the score that sound, and the shift of each: so that a note-off finds its note even if the transposition has
/// changed since, and a switch of segments can end the score's own notes and no others.
///
/// Indexed by part and by the key as the score has it. Memory belongs to the renderer.
struct ScoreNotes: BitwiseCopyable {
    /// The shift of a note that was left out because its key would be out of range, and of keys with no note-off to come.
    static var dropped: Int8 { @_noLocks get { 127 } }
    private static var keyCount: Int { @_noLocks get { 256 * 128 } }
    static var partCount: Int { @_noLocks get { 256 } }

    /// The shift of each key's last note-on, in semitones.
    private let shifts: UnsafeMutablePointer<Int8>
    private let held: UnsafeMutablePointer<KeySet>
    private let drums: UnsafeMutablePointer<Bool>

    init() {
        shifts = .allocate(capacity: 256 * 128)
        shifts.initialize(repeating: 0, count: 256 * 128)
        held = .allocate(capacity: Self.partCount)
        held.initialize(repeating: KeySet(), count: Self.partCount)
        drums = .allocate(capacity: 256)
        drums.initialize(repeating: false, count: 256)
        for part in 0..<256 { drums[part] = PartMode.initial(part).isDrums }
    }

    /// Control side, once.
    func deallocate() {
        shifts.deallocate()
        held.deallocate()
        drums.deallocate()
    }

    @_noLocks func observe(_ music: MusicEvent) {
        switch music {
        case .reset(_, let port), .standard(_, let port):
            for channel in 0..<16 { drums[Int(port & 15) &* 16 &+ channel] = PartMode.initial(channel).isDrums }
        case .partMode(let mode, let port, let channel):
            drums[Int(port & 15) &* 16 &+ Int(channel & 15)] = mode.isDrums
        default: break
        }
    }

    /// The first part from `part` on in which a note sounds; `partCount` for none.
    @_noLocks func firstHeld(from part: Int) -> Int {
        var part = part
        while part < Self.partCount && held[part].isEmpty { part &+= 1 }
        return part
    }

    @_noLocks func release(in part: Int) -> MusicEvent {
        let key = held[part].first ?? 0
        held[part].set(key, false)
        return off(part: part, key: Int(key))
    }

    /// Drops the note-offs of all notes so far.
    @_noLocks func forget() { shifts.update(repeating: Self.dropped, count: Self.keyCount) }

    /// Returns what the units receive, if anything, and whether it is finished: a note that sounds at another shift ends first.
    @_noLocks func take(_ music: MusicEvent, transpose: Int8) -> (heard: MusicEvent?, isDone: Bool) {
        guard case .message(var message) = music else {
            observe(music)
            if case .reset(_, let port) = music {
                for channel in 0..<16 { held[Int(port & 15) &* 16 &+ channel] = KeySet() }
            }
            return (music, true)
        }
        let part = message.part & 255, played = message.data1 & 127
        let index = part &* 128 &+ Int(played)
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0:
            let shift = drums[part] ? 0 : transpose
            if held[part].contains(played) && shifts[index] != shift {
                held[part].set(played, false)
                return (off(part: part, key: index & 127), false)
            }
            let key = Int(played) &+ Int(shift)
            guard key >= 0 && key <= 127 else {
                shifts[index] = Self.dropped
                return (nil, true)
            }
            shifts[index] = shift
            held[part].set(played, true)
            message.data1 = UInt8(truncatingIfNeeded: key)
        case 0x80, 0x90:
            held[part].set(played, false)
            guard shift(&message, by: shifts[index]) else { return (nil, true) }
        case 0xA0:
            guard shift(&message, by: shifts[index]) else { return (nil, true) }
        case 0xB0 where message.data1 == 84 && !drums[part]:    // the key that the next note glides from
            let key = Int(message.data2 & 127) &+ Int(transpose)
            if key >= 0 && key <= 127 { message.data2 = UInt8(truncatingIfNeeded: key) }
        case 0xB0 where message.silencesPart:
            held[part] = KeySet()
        default: break
        }
        return (.message(message), true)
    }

    @_noLocks private func shift(_ message: inout MIDIMessage, by shift: Int8) -> Bool {
        let key = Int(message.data1 & 127) &+ Int(shift)
        if shift == Self.dropped || key < 0 || key > 127 { return false }
        message.data1 = UInt8(truncatingIfNeeded: key)
        return true
    }

    @_noLocks private func off(part: Int, key: Int) -> MusicEvent {
        var message = MIDIMessage(part: part, 0x80, UInt8(truncatingIfNeeded: key), 64)
        _ = shift(&message, by: shifts[part &* 128 &+ key])
        return .message(message)
    }
}
