import CarillonTestKit
import MIDI

/// Random playing on few keys and channels, so that sources meet.
enum LedgerMaterial {
    static func event(_ random: inout SeededRandom) -> MusicEvent {
        let choice = random.next() % 100, channel = UInt8(random.next() % 3), port = UInt8(random.next() % 2) * 15
        let key = UInt8(60 + random.next() % 6), value = UInt8(random.next() % 3 * 60)
        func message(_ kind: MIDIMessage.Kind, _ data1: UInt8, _ data2: UInt8) -> MusicEvent {
            .message(MIDIMessage(status: kind.rawValue | channel, data1: data1, data2: data2, port: port))
        }
        switch choice {
        case 0..<35: return message(.noteOn, key, UInt8(1 + random.next() % 127))
        case 35..<60: return message(.noteOff, key, 64)
        case 60..<65: return message(.noteOn, key, 0)
        case 65..<78: return message(.controlChange, [64, 66, 67, 69][Int(random.next() % 4)], value)
        case 78..<84: return message(.pitchBend, 0, 64 + value / 2)
        case 84..<88: return message(.channelPressure, value, 0)
        case 88..<92: return message(.keyPressure, key, value)
        case 92..<95: return message(.controlChange, UInt8(120 + random.next() % 8), 0)
        case 95: return .reset(.gs, port: port)
        case 96..<98: return message(.programChange, key, 0)
        default: return message(.controlChange, 7, value)
        }
    }
}

/// What the players do, by what they said: who holds which key, who presses which pedal. A key is down from its note-on
/// to the next note-off.
struct SourcePlayers {
    private var notes: [SourceLedger.Source: Set<Int>] = [:]
    private var presses: [SourceLedger.Source: [Int: UInt8]] = [:]

    var held: Set<Int> { notes.values.reduce(into: []) { $0.formUnion($1) } }
    var pedals: [Int: UInt8] {
        presses.values.reduce(into: [:]) { $0.merge($1.filter { $0.value > 0 }) { max($0, $1) } }
    }

    func isHeld(_ slot: Int, byOthersThan source: SourceLedger.Source) -> Bool {
        notes.contains { $0.key != source && $0.value.contains(slot) }
    }

    /// Whether `event` is a note-on for a key that `source` has down already.
    func isDoubled(_ event: MusicEvent, _ source: SourceLedger.Source) -> Bool {
        guard case .message(let message) = event, message.kind == .noteOn && message.data2 > 0 else { return false }
        return notes[source]?.contains(message.part << 7 | Int(message.data1)) == true
    }

    mutating func leave(_ source: SourceLedger.Source) {
        notes[source] = nil
        presses[source] = nil
    }

    mutating func play(_ event: MusicEvent, _ source: SourceLedger.Source) {
        switch event {
        case .reset(_, let port):
            for key in presses.keys { presses[key] = presses[key]?.filter { $0.key >> 6 != Int(port) } }
        case .message(let message): play(message, source)
        default: break
        }
    }

    private mutating func play(_ message: MIDIMessage, _ source: SourceLedger.Source) {
        let slot = message.part << 7 | Int(message.data1)
        switch message.kind {
        case .noteOn where message.data2 > 0: notes[source, default: []].insert(slot)
        case .noteOn, .noteOff: notes[source]?.remove(slot)
        case .controlChange where [64, 66, 67, 69].contains(message.data1):
            presses[source, default: [:]][message.part << 2 | pedalIndex(message.data1)] = message.data2
        case .controlChange where message.data1 == 121:
            presses[source] = presses[source]?.filter { $0.key >> 2 != message.part }
        case .controlChange where message.data1 == 120 || message.data1 == 123:
            notes[source] = notes[source]?.filter { $0 >> 7 != message.part }
        case .controlChange where message.data1 >= 124:
            for key in notes.keys { notes[key] = notes[key]?.filter { $0 >> 7 != message.part } }
        default: break
        }
    }
}

/// An instrument: one that counts note-ons and note-offs, or one that falls silent with the first note-off.
struct LedgerInstrument {
    private let isCounting: Bool
    private var counts: [Int: Int] = [:]
    private var moved: Set<Int> = []
    private(set) var pedals: [Int: UInt8] = [:]

    init(isCounting: Bool) { self.isCounting = isCounting }

    var sounding: Set<Int> { Set(counts.keys) }
    var isAtRest: Bool { counts.isEmpty && pedals.isEmpty && moved.isEmpty }

    mutating func play(_ event: MusicEvent) {
        switch event {
        case .reset(_, let port): for part in 0..<16 { rest(Int(port) * 16 + part) }
        case .message(let message): play(message)
        default: break
        }
    }

    private mutating func play(_ message: MIDIMessage) {
        let part = message.part, slot = part << 7 | Int(message.data1)
        switch message.kind {
        case .noteOn where message.data2 > 0: counts[slot, default: 0] += 1
        case .noteOn, .noteOff:
            let count = isCounting ? counts[slot, default: 0] - 1 : 0
            counts[slot] = count > 0 ? count : nil
            if count <= 0 { moved.remove(1 << 24 | slot) }
        case .pitchBend: set(2 << 24 | part << 7, message.bend != 0)
        case .channelPressure: set(3 << 24 | part << 7, message.data1 != 0)
        case .keyPressure: set(1 << 24 | slot, message.data2 != 0)
        case .controlChange where [64, 66, 67, 69].contains(message.data1):
            pedals[part << 2 | pedalIndex(message.data1)] = message.data2 > 0 ? message.data2 : nil
        case .controlChange where message.data1 == 121: rest(part)
        case .controlChange where message.data1 >= 120 && message.data1 != 122:
            for slot in counts.keys where slot >> 7 == part {
                counts[slot] = nil
                moved.remove(1 << 24 | slot)
            }
        default: break
        }
    }

    private mutating func set(_ what: Int, _ isMoved: Bool) {
        if isMoved { moved.insert(what) } else { moved.remove(what) }
    }

    private mutating func rest(_ part: Int) {
        for pedal in 0..<4 { pedals[part << 2 | pedal] = nil }
        moved = moved.filter { ($0 & 0xFF_FFFF) >> 7 != part }
    }
}

private func pedalIndex(_ controller: UInt8) -> Int { [64: 0, 66: 1, 67: 2, 69: 3][controller] ?? 0 }
