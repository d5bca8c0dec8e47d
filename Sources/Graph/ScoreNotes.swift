// [render]
import MIDI

/// Which notes of the score sound, and by how much each was shifted: so that a note-off finds its note, whatever the
/// transposition has become meanwhile, and a switch of segments can end the score's own notes and no others.
///
/// Indexed by part and by the key as the score has it. Memory belongs to the renderer.
struct ScoreNotes: BitwiseCopyable {
    /// The shift of a note that was left out because its key would be none, and of keys whose offs nobody waits for.
    static var dropped: Int8 { @_noLocks get { 127 } }
    private static var keyCount: Int { @_noLocks get { 256 * 128 } }
    /// Words of 64 keys.
    static var wordCount: Int { @_noLocks get { 512 } }

    /// The shift of each key's last note-on, in semitones.
    private let shifts: UnsafeMutablePointer<Int8>
    /// One bit per key: it sounds.
    private let held: UnsafeMutablePointer<UInt64>
    /// One per part: its keys are drums, which nobody transposes.
    private let drums: UnsafeMutablePointer<Bool>

    /// No notes; every tenth channel has drums. Control side.
    init() {
        shifts = .allocate(capacity: 256 * 128)
        shifts.initialize(repeating: 0, count: 256 * 128)
        held = .allocate(capacity: 512)
        held.initialize(repeating: 0, count: 512)
        drums = .allocate(capacity: 256)
        drums.initialize(repeating: false, count: 256)
        for port in 0..<16 { drums[port * 16 + 9] = true }
    }

    /// Control side, once.
    func deallocate() {
        shifts.deallocate()
        held.deallocate()
        drums.deallocate()
    }

    /// What an event does to the meaning of keys, whoever sent it.
    @_noLocks func observe(_ music: MusicEvent) {
        switch music {
        case .reset(_, let port), .standard(_, let port):
            for channel in 0..<16 { drums[Int(port & 15) &* 16 &+ channel] = channel == 9 }
        case .partMode(let mode, let port, let channel):
            drums[Int(port & 15) &* 16 &+ Int(channel & 15)] = mode == .drums
        default: break
        }
    }

    /// The first word from `word` on in which a note sounds; `wordCount` for none.
    @_noLocks func firstHeld(from word: Int) -> Int {
        var word = word
        while word < Self.wordCount && held[word] == 0 { word &+= 1 }
        return word
    }

    /// Ends a note of a word in which one sounds.
    @_noLocks func release(in word: Int) -> MusicEvent {
        let index = word &* 64 &+ held[word].trailingZeroBitCount
        held[word] &= held[word] &- 1
        return off(part: index &>> 7, key: index & 127)
    }

    /// Lets the note-offs of all notes so far go nowhere.
    @_noLocks func forget() { shifts.update(repeating: Self.dropped, count: Self.keyCount) }

    /// Takes in an event of the score; returns what the units hear of it, which may be nothing, and whether the event is
    /// done with: a note that sounds at another shift is ended first.
    @_noLocks func take(_ music: MusicEvent, transpose: Int8) -> (heard: MusicEvent?, isDone: Bool) {
        guard case .message(var message) = music else {
            observe(music)
            if case .reset(_, let port) = music {
                for word in 0..<32 { held[Int(port & 15) &* 32 &+ word] = 0 }
            }
            return (music, true)
        }
        let part = message.part & 255
        let index = part &* 128 &+ Int(message.data1 & 127)
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0:
            let shift = drums[part] ? 0 : transpose
            if isHeld(index) && shifts[index] != shift {
                held[index &>> 6] &= ~(1 &<< UInt64(index & 63))
                return (off(part: part, key: index & 127), false)
            }
            let key = Int(message.data1 & 127) &+ Int(shift)
            guard key >= 0 && key <= 127 else {
                shifts[index] = Self.dropped
                return (nil, true)
            }
            shifts[index] = shift
            held[index &>> 6] |= 1 &<< UInt64(index & 63)
            message.data1 = UInt8(truncatingIfNeeded: key)
        case 0x80, 0x90:
            held[index &>> 6] &= ~(1 &<< UInt64(index & 63))
            guard shift(&message, by: shifts[index]) else { return (nil, true) }
        case 0xA0:
            guard shift(&message, by: shifts[index]) else { return (nil, true) }
        case 0xB0 where message.data1 == 84 && !drums[part]:         // the key that the next note glides from
            let key = Int(message.data2 & 127) &+ Int(transpose)
            if key >= 0 && key <= 127 { message.data2 = UInt8(truncatingIfNeeded: key) }
        case 0xB0 where message.data1 == 120 || message.data1 >= 123:
            held[part &* 2] = 0
            held[part &* 2 &+ 1] = 0
        default: break
        }
        return (.message(message), true)
    }

    @_noLocks private func isHeld(_ index: Int) -> Bool { held[index &>> 6] &>> UInt64(index & 63) & 1 == 1 }

    /// Moves the message's key; false where it was dropped.
    @_noLocks private func shift(_ message: inout MIDIMessage, by shift: Int8) -> Bool {
        let key = Int(message.data1 & 127) &+ Int(shift)
        if shift == Self.dropped || key < 0 || key > 127 { return false }
        message.data1 = UInt8(truncatingIfNeeded: key)
        return true
    }

    /// The note-off of a sounding key.
    @_noLocks private func off(part: Int, key: Int) -> MusicEvent {
        var message = MIDIMessage(
            status: 0x80 | UInt8(truncatingIfNeeded: part & 15), data1: UInt8(truncatingIfNeeded: key), data2: 64,
            port: UInt8(truncatingIfNeeded: part &>> 4))
        _ = shift(&message, by: shifts[part &* 128 &+ key])
        return .message(message)
    }
}
