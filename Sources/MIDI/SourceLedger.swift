/// The notes, pedals, bends and pressures that each source of live MIDI holds, and what has to be sent when one of them goes:
/// exactly its own.
///
/// - A source holds a key from its note-on to its next note-off, even after several note-ons: that is when an instrument
///   falls silent. Note-offs that are then still owed matter only to an instrument that counts.
/// - A key that two sources hold sounds until both have released it; the note-offs held back are sent with the last one, so
///   that an instrument that counts ends at zero.
/// - A pedal is where the source that presses it deepest has it.
/// - A bend or a pressure belongs to the source that moved it last.
///
/// With one source everything passes as it came. Pure; any one thread (the MIDI thread, in `MIDIClient`).
package struct SourceLedger: Sendable {
    /// A source of live MIDI, by a number of the caller's choice.
    package struct Source: RawRepresentable, Hashable, Comparable, Sendable {
        package var rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static func < (a: Source, b: Source) -> Bool { a.rawValue < b.rawValue }
    }

    /// A key that a source holds down.
    package struct HeldNote: Hashable, Sendable {
        /// 0...255: port and channel.
        package let part: Int
        /// 0...127.
        package let key: UInt8
        /// The number of note-ons that wait for their note-off.
        package let count: Int
    }

    private struct Note {
        var count = 0
        var isHeld = false
        /// The number of the first note-on: notes are released in the order in which they were struck.
        let order: Int
    }

    private struct Sounding {
        var holders = 0
        /// Note-offs held back because another source holds the key.
        var heldBack = 0
    }

    private struct Press {
        let source: Source
        var value: UInt8
    }

    /// By source and slot; a slot is part * 128 + key. No dictionary here is walked without being sorted.
    private var notes: [Source: [Int: Note]] = [:]
    private var sounding: [Int: Sounding] = [:]
    private var pedals: [Int: [Press]] = [:]
    /// The sources that moved a bend or a pressure last, as long as it is not at rest: by part, by part and by slot.
    private var bends: [Int: Source] = [:]
    private var pressures: [Int: Source] = [:]
    private var keyPressures: [Int: Source] = [:]
    private var struck = 0

    /// No more note-offs than that are owed for a key, so that the number sent when a source goes is bounded.
    private static let mostOwed = 128
    private static let pedalControllers: [Controller] = [.sustain, .sostenuto, .softPedal, .hold2]

    /// Creates an empty ledger.
    package init() {}

    /// True while no source holds anything, and no note-off is owed.
    package var isEmpty: Bool {
        notes.isEmpty && sounding.isEmpty && pedals.isEmpty && bends.isEmpty && pressures.isEmpty && keyPressures.isEmpty
    }

    /// The notes that `source` holds, in the order in which they were struck.
    package func heldNotes(of source: Source) -> [HeldNote] {
        inOrder((notes[source] ?? [:]).filter(\.value.isHeld)).map {
            HeldNote(part: $0.slot >> 7, key: UInt8($0.slot & 127), count: $0.count)
        }
    }

    /// Returns the number of keys that `source` holds.
    package func noteCount(of source: Source) -> Int { notes[source]?.values.count(where: \.isHeld) ?? 0 }

    /// Enters what `source` sends, and calls `send` with the events for the instruments: mostly the event itself, nothing if
    /// another source still holds the same, more if an ending was held back.
    package mutating func take(_ event: MusicEvent, from source: Source, send: (MusicEvent) -> Void) {
        switch event {
        case .message(let message):
            take(message, from: source) { send(.message($0)) }
        case .reset(_, let port), .standard(_, let port):
            // The instruments' controllers are at their defaults now; keys stay as they are.
            for part in Self.parts(of: port) { forgetControllers(part) }
            send(event)
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part,
            .insertion, .time:
            send(event)
        }
    }

    private mutating func take(_ message: MIDIMessage, from source: Source, send: (MIDIMessage) -> Void) {
        let part = message.part & 255, slot = part << 7 | Int(message.data1 & 127)
        switch message.kind {
        case .noteOn where message.data2 > 0:
            begin(slot, source)
            send(message)
        case .noteOn, .noteOff:
            end(message, slot, source, send)
        case .controlChange:
            control(message, part, source, send)
        case .pitchBend:
            bends[part] = message.bend == 0 ? nil : source
            send(message)
        case .channelPressure:
            pressures[part] = message.data1 == 0 ? nil : source
            send(message)
        case .keyPressure:
            keyPressures[slot] = message.data2 == 0 ? nil : source
            send(message)
        case .programChange, nil:
            send(message)
        }
    }

    private mutating func begin(_ slot: Int, _ source: Source) {
        struck += 1
        var note = notes[source]?[slot] ?? Note(order: struck)
        if !note.isHeld { sounding[slot, default: Sounding()].holders += 1 }
        note.isHeld = true
        note.count = min(note.count + 1, Self.mostOwed)
        notes[source, default: [:]][slot] = note
    }

    private mutating func end(_ off: MIDIMessage, _ slot: Int, _ source: Source, _ send: (MIDIMessage) -> Void) {
        guard var note = notes[source]?[slot] else {
            // Not its own: it may end a note that no source here holds, but never another source's note.
            if sounding[slot] == nil { send(off) }
            return
        }
        if note.isHeld { sounding[slot]?.holders -= 1 }
        let hasLetGo = note.isHeld
        note.isHeld = false
        note.count -= 1
        notes[source]?[slot] = note.count == 0 ? nil : note
        if notes[source]?.isEmpty == true { notes[source] = nil }
        if var total = sounding[slot], total.holders > 0 {
            // Another source holds the key, too.
            total.heldBack = min(total.heldBack + 1, Self.mostOwed)
            sounding[slot] = total
            if hasLetGo && keyPressures[slot] == source {
                keyPressures[slot] = nil
                send(Self.message(.keyPressure, slot >> 7, off.data1, 0))
            }
            return
        }
        let heldBack = sounding.removeValue(forKey: slot)?.heldBack ?? 0
        for _ in 0...heldBack { send(off) }
        keyPressures[slot] = nil
    }

    private mutating func control(
        _ message: MIDIMessage, _ part: Int, _ source: Source, _ send: (MIDIMessage) -> Void
    ) {
        let controller = Controller(rawValue: message.data1)
        if let pedal = Self.pedalControllers.firstIndex(of: controller) {
            press(message, part << 2 | pedal, source, send)
            return
        }
        switch controller {
        case .allSoundOff, .allNotesOff:
            if isHeld(part, byOthersThan: source) { endNotes(of: source, on: part, send) } else { pass() }
        case .omniOff, .omniOn, .mono, .poly:
            pass()
        case .resetAllControllers:
            if hasControllers(part, ofOthersThan: source) {
                releaseControllers(of: source, on: part, send)
            } else {
                forgetControllers(part)
                send(message)
            }
        default:
            send(message)
        }

        func pass() {
            for owner in notes.keys.sorted() {
                for note in inOrder(notes[owner] ?? [:]) where note.slot >> 7 == part {
                    notes[owner]?[note.slot] = nil
                    sounding[note.slot] = nil
                    keyPressures[note.slot] = nil
                }
                if notes[owner]?.isEmpty == true { notes[owner] = nil }
            }
            send(message)
        }
    }

    private mutating func press(
        _ message: MIDIMessage, _ pedal: Int, _ source: Source, _ send: (MIDIMessage) -> Void
    ) {
        var presses = pedals[pedal] ?? []
        let before = presses.map(\.value).max() ?? 0
        presses.removeAll { $0.source == source }
        if message.data2 > 0 { presses.append(Press(source: source, value: message.data2)) }
        pedals[pedal] = presses.isEmpty ? nil : presses
        let now = presses.map(\.value).max() ?? 0
        var passed = message
        passed.data2 = now
        if now != before || now == message.data2 { send(passed) }
    }

    private func isHeld(_ part: Int, byOthersThan source: Source) -> Bool {
        notes.contains { $0.key != source && $0.value.contains { $0.value.isHeld && $0.key >> 7 == part } }
    }

    private func hasControllers(_ part: Int, ofOthersThan source: Source) -> Bool {
        (0..<4).contains { pedals[part << 2 | $0]?.contains { $0.source != source } == true }
            || bends[part].map { $0 != source } == true || pressures[part].map { $0 != source } == true
            || keyPressures.contains { $0.key >> 7 == part && $0.value != source }
    }

    private mutating func forgetControllers(_ part: Int) {
        for pedal in 0..<4 { pedals[part << 2 | pedal] = nil }
        bends[part] = nil
        pressures[part] = nil
        for slot in keyPressures.keys.sorted() where slot >> 7 == part { keyPressures[slot] = nil }
    }

    /// Returns the events that end everything that `source` holds, and nothing else: its notes in the order in which they were
    /// struck, then its pedals, bends and pressures. It holds nothing afterwards.
    package mutating func release(_ source: Source) -> [MusicEvent] {
        var events: [MusicEvent] = []
        let send: (MIDIMessage) -> Void = { events.append(.message($0)) }
        endNotes(of: source, on: nil, send)
        releaseControllers(of: source, on: nil, send)
        return events
    }

    /// Returns what ends everything that any source holds, and then silences every part of the first 1...16 `ports` for good
    /// measure: all sound off, all notes off, controllers to their defaults. The ledger is empty afterwards.
    package mutating func panic(ports: Int) -> [MusicEvent] {
        var events: [MusicEvent] = []
        for source in holders { events += release(source) }
        for part in 0..<(min(max(ports, 1), 16) * 16) {
            for controller in [Controller.allSoundOff, .allNotesOff, .resetAllControllers] {
                events.append(.message(Self.message(.controlChange, part, controller.rawValue, 0)))
            }
        }
        return events
    }

    /// The sources that hold anything, in the order of their numbers.
    package var holders: [Source] {
        var all = Set(notes.keys).union(bends.values).union(pressures.values).union(keyPressures.values)
        for presses in pedals.values { all.formUnion(presses.map(\.source)) }
        return all.sorted()
    }

    private mutating func endNotes(of source: Source, on part: Int?, _ send: (MIDIMessage) -> Void) {
        for note in inOrder(notes[source] ?? [:]) where part.map({ note.slot >> 7 == $0 }) ?? true {
            let off = Self.message(.noteOff, note.slot >> 7, UInt8(note.slot & 127), 64)
            for _ in 0..<note.count { end(off, note.slot, source, send) }
        }
    }

    private mutating func releaseControllers(of source: Source, on part: Int?, _ send: (MIDIMessage) -> Void) {
        func isMeant(_ other: Int) -> Bool { part.map { other == $0 } ?? true }
        for pedal in pedals.keys.sorted() where isMeant(pedal >> 2) {
            guard pedals[pedal]?.contains(where: { $0.source == source }) == true else { continue }
            let controller = Self.pedalControllers[pedal & 3].rawValue
            press(Self.message(.controlChange, pedal >> 2, controller, 0), pedal, source, send)
        }
        for part in bends.keys.sorted() where isMeant(part) && bends[part] == source {
            bends[part] = nil
            send(Self.message(.pitchBend, part, 0, 64))
        }
        for part in pressures.keys.sorted() where isMeant(part) && pressures[part] == source {
            pressures[part] = nil
            send(Self.message(.channelPressure, part, 0, 0))
        }
        for slot in keyPressures.keys.sorted() where isMeant(slot >> 7) && keyPressures[slot] == source {
            keyPressures[slot] = nil
            send(Self.message(.keyPressure, slot >> 7, UInt8(slot & 127), 0))
        }
    }

    private func inOrder(_ notes: [Int: Note]) -> [(slot: Int, count: Int)] {
        notes.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.count) }
    }

    private static func parts(of port: UInt8) -> Range<Int> { Int(port & 15) * 16..<Int(port & 15) * 16 + 16 }

    private static func message(_ kind: MIDIMessage.Kind, _ part: Int, _ data1: UInt8, _ data2: UInt8) -> MIDIMessage {
        MIDIMessage(
            status: kind.rawValue | UInt8(part & 15), data1: data1, data2: data2, port: UInt8(part >> 4 & 15))
    }
}
