// [render]
import MIDI

/// The notes that a MIDI unit has begun and not ended, of all parts, and the pedals that it holds down: they are ended for a
/// unit that stops receiving it.
///
/// Memory belongs to the unit's instance; the step that renders the unit writes it.
@frozen @usableFromInline package struct SentNotes: BitwiseCopyable {
    private static var partCount: Int { @_noLocks get { 256 } }
    private let held: UnsafeMutablePointer<KeySet>
    /// The pedals of each part that are down: sustain and sostenuto.
    private let pedals: UnsafeMutablePointer<UInt8>

    /// No notes. Control side.
    package init() {
        held = .allocate(capacity: 256)
        held.initialize(repeating: KeySet(), count: 256)
        pedals = .allocate(capacity: 256)
        pedals.initialize(repeating: 0, count: 256)
    }

    /// Control side, once.
    package func deallocate() {
        held.deallocate()
        pedals.deallocate()
    }

    /// Forgets everything: all notes have been ended for the receivers.
    @_noLocks package func forget() {
        held.update(repeating: KeySet(), count: 256)
        pedals.update(repeating: 0, count: 256)
    }

    /// Takes in what the unit plays.
    @_noLocks package func observe(_ event: MusicEvent) {
        switch event {
        case .message(let message):
            let part = message.part & 255
            switch message.status & 0xF0 {
            case 0x90: held[part].set(message.data1 & 127, message.data2 > 0)
            case 0x80: held[part].set(message.data1 & 127, false)
            case 0xB0 where message.silencesPart: held[part] = KeySet()
            case 0xB0 where message.data1 == 121: pedals[part] = 0
            case 0xB0 where message.data1 == 64 || message.data1 == 66:
                let bit: UInt8 = message.data1 == 64 ? 1 : 2
                pedals[part] = message.data2 > 0 ? pedals[part] | bit : pedals[part] & ~bit
            default: break
            }
        case .reset(_, let port):
            for channel in 0..<16 {
                held[Int(port & 15) &* 16 &+ channel] = KeySet()
                pedals[Int(port & 15) &* 16 &+ channel] = 0
            }
        default: break
        }
    }

    /// Returns the event that ends the first note, or lifts the first pedal, at or after `place`, and its place: a part has
    /// 130 of them, its keys and two pedals. nil if none is left.
    @_noLocks package func off(from place: Int) -> (event: MusicEvent, place: Int)? {
        var place = place
        while place < Self.partCount &* 130 {
            let part = place / 130, item = place % 130
            if held[part].isEmpty && pedals[part] == 0 {
                place = (part &+ 1) &* 130
                continue
            }
            if item < 128 ? held[part].contains(UInt8(item)) : pedals[part] &>> UInt8(item &- 128) & 1 == 1 {
                let key = UInt8(truncatingIfNeeded: item)
                let message =
                    item < 128
                    ? MIDIMessage(part: part, 0x80, key, 64) : MIDIMessage(part: part, 0xB0, item == 128 ? 64 : 66, 0)
                return (.message(message), place)
            }
            place &+= 1
        }
        return nil
    }
}
