// [render]
import MIDI

/// The notes that a MIDI unit has begun and not ended, of all parts: whoever stops hearing it has them ended.
///
/// Memory belongs to the unit's instance; the step that renders the unit writes it.
@frozen @usableFromInline package struct SentNotes: BitwiseCopyable {
    /// Channels of all ports.
    private static var partCount: Int { @_noLocks get { 256 } }
    private let held: UnsafeMutablePointer<KeySet>

    /// No notes. Control side.
    package init() {
        held = .allocate(capacity: 256)
        held.initialize(repeating: KeySet(), count: 256)
    }

    /// Control side, once.
    package func deallocate() { held.deallocate() }

    /// Takes in what the unit plays.
    @_noLocks package func observe(_ event: MusicEvent) {
        switch event {
        case .message(let message):
            let part = message.part & 255
            switch message.status & 0xF0 {
            case 0x90: held[part].set(message.data1 & 127, message.data2 > 0)
            case 0x80: held[part].set(message.data1 & 127, false)
            case 0xB0 where message.data1 == 120 || message.data1 >= 123: held[part] = KeySet()
            default: break
            }
        case .reset(_, let port):
            for channel in 0..<16 { held[Int(port & 15) &* 16 &+ channel] = KeySet() }
        default: break
        }
    }

    /// The note-off of the first note at or behind `place`, a part times 128 and a key; and its place. nil where none is left.
    @_noLocks package func off(from place: Int) -> (event: MusicEvent, place: Int)? {
        var place = place
        while place < Self.partCount &* 128 {
            let part = place &>> 7
            if held[part].isEmpty {
                place = (part &+ 1) &* 128
                continue
            }
            let key = UInt8(truncatingIfNeeded: place & 127)
            if held[part].contains(key) {
                let message = MIDIMessage(
                    status: 0x80 | UInt8(truncatingIfNeeded: part & 15), data1: key, data2: 64,
                    port: UInt8(truncatingIfNeeded: part &>> 4))
                return (.message(message), place)
            }
            place &+= 1
        }
        return nil
    }
}
