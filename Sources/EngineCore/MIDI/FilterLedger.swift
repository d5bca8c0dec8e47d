import MIDI

/// A record of what each note-on and each pedal that went through a filter has become, so that their end gets there even if the
/// filter has changed meanwhile.
///
/// - A key is held from its note-on to its next note-off, however many note-ons there were: then the notes that they became get
///   as many note-offs.
/// - A note that two keys have become sounds until both are up.
/// - A pedal that goes up goes up wherever it went down.
/// - If the filter changes nothing, everything passes as it came.
///
/// Pure; any one thread.
package struct FilterLedger: Sendable {
    private struct Sounding {
        var holders = 0
        /// Note-offs that are owed to it for those that are up already.
        var owed = 0
    }

    /// The notes, as part * 128 + key as they are heard, that a key became, by part * 128 + key as it was played.
    private var notes: [Int: [Int]] = [:]
    private var sounding: [Int: Sounding] = [:]
    /// The pedals, as part * 128 + controller, that a controller pressed, by part * 128 + controller as it was played.
    private var pedals: [Int: [Int]] = [:]

    private static let pedalControllers: [Controller] = [.sustain, .sostenuto, .softPedal, .hold2]

    /// Note-offs that one key may owe.
    private static let mostOwed = 128

    package init() {}

    /// True while nothing is held.
    package var isEmpty: Bool { notes.isEmpty && pedals.isEmpty && sounding.isEmpty }

    /// Returns whether a key or a pedal holds anything on these ports.
    package func holds(_ ports: Set<UInt8>) -> Bool {
        func lies(_ slot: Int) -> Bool { ports.contains(UInt8(slot >> 11 & 15)) }
        return sounding.keys.contains(where: lies) || pedals.values.contains { $0.contains(where: lies) }
    }

    /// Returns whether the key of a message, as it is played, is held.
    package func holds(_ message: MIDIMessage) -> Bool { notes[message.slot] != nil }

    /// Returns the events to send for `event`, of which a filter has made `made`.
    package mutating func events(for event: MusicEvent, filtered made: [MusicEvent]) -> [MusicEvent] {
        switch event {
        case .message(let message):
            if message.beginsNote { return begin(message, made) }
            let made = made.filter { !$0.beginsNote }
            if message.endsNote { return end(message, made) }
            switch message.kind {
            case .keyPressure: return notes[message.slot].map { press($0, message.data2, made) } ?? made
            case .controlChange: return control(message, made)
            default: return made
            }
        case .reset(_, let port):
            let held = (Int(port) * 16..<Int(port) * 16 + 16).flatMap { releaseNotes(of: $0) + releasePedals(of: $0) }
            return held + made.filter { !$0.beginsNote }
        case .standard, .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect,
            .part, .insertion, .time:
            return made.filter { !$0.beginsNote }
        }
    }

    package mutating func releaseAll() -> [MusicEvent] { (0..<256).flatMap { releaseNotes(of: $0) + releasePedals(of: $0) } }

    private mutating func begin(_ message: MIDIMessage, _ made: [MusicEvent]) -> [MusicEvent] {
        // Also of a note that became nothing: its note-off must not become anything either.
        notes[message.slot, default: []].reserveCapacity(1)
        for case .message(let note) in made where note.beginsNote {
            // A source that never lifts a key owes no more than this, so that its end has bounded work.
            if notes[message.slot]?.count ?? 0 >= Self.mostOwed { continue }
            notes[message.slot, default: []].append(note.slot)
            sounding[note.slot, default: Sounding()].holders += 1
        }
        return made
    }

    private mutating func end(_ message: MIDIMessage, _ made: [MusicEvent]) -> [MusicEvent] {
        guard let became = notes.removeValue(forKey: message.slot) else {
            // The note was not begun here, so it may not end what others hold.
            return made.filter { $0.liftedSlot.map { sounding[$0] == nil } ?? true }
        }
        let note = sounding[message.slot]
        if made == [.message(message)], note?.holders == became.count, note?.owed == 0,
            became.allSatisfy({ $0 == message.slot })
        {
            sounding[message.slot] = nil
            return made
        }
        return made.filter { $0.liftedSlot == nil } + release(became, velocity: message.kind == .noteOff ? message.data2 : 64)
    }

    /// Removes one holder of each; a note without holders gets the note-offs that it is owed.
    private mutating func release(_ slots: [Int], velocity: UInt8) -> [MusicEvent] {
        var sent: [MusicEvent] = []
        for slot in slots {
            var note = sounding[slot] ?? Sounding(holders: 1)
            note.holders -= 1
            note.owed += 1
            sounding[slot] = note.holders > 0 ? note : nil
            if note.holders > 0 { continue }
            for _ in 0..<note.owed { sent.append(.message(MIDIMessage(0x80, slot, velocity))) }
        }
        return sent
    }

    private mutating func releaseNotes(of part: Int) -> [MusicEvent] {
        (part * 128..<part * 128 + 128).flatMap { release(notes.removeValue(forKey: $0) ?? [], velocity: 64) }
    }

    /// The pressure of the keys that one key has become: as the filter makes it, if it makes anything of it.
    private func press(_ slots: [Int], _ value: UInt8, _ made: [MusicEvent]) -> [MusicEvent] {
        slots.map { slot in made.first { $0.pressedSlot == slot } ?? .message(MIDIMessage(0xA0, slot, value)) }
    }

    private mutating func control(_ message: MIDIMessage, _ made: [MusicEvent]) -> [MusicEvent] {
        // If the message itself passes, its own part needs no other.
        func besides(_ held: [MusicEvent]) -> [MusicEvent] {
            made.contains(.message(message)) ? held.filter { $0.part != message.part } : held
        }
        switch message.data1 {
        case Controller.allSoundOff.rawValue:
            // Silences every part that it has played, not only those that the filter would play now.
            let parts = Set((message.part * 128..<message.part * 128 + 128).flatMap { notes[$0] ?? [] }.map { $0 >> 7 })
            let silence = parts.sorted().map { MusicEvent.message(MIDIMessage(0xB0, $0 << 7 | Int(message.data1), 0)) }
            return besides(releaseNotes(of: message.part)) + besides(silence) + made
        case Controller.resetAllControllers.rawValue: return besides(releasePedals(of: message.part)) + made
        case Controller.allNotesOff.rawValue...Controller.poly.rawValue: return besides(releaseNotes(of: message.part)) + made
        default: break
        }
        var pressed = pedals[message.slot] ?? [], moved: Set<Int> = []
        for case .message(let pedal) in made
        where pedal.kind == .controlChange && Self.pedalControllers.contains(Controller(rawValue: pedal.data1)) {
            moved.insert(pedal.slot)
            pressed.removeAll { $0 == pedal.slot }
            if pedal.data2 > 0 { pressed.append(pedal.slot) }
        }
        // A pedal goes up wherever it went down, even if the filter would not send it any more.
        let left = message.data2 < 64 ? pressed.filter { !moved.contains($0) } : []
        if message.data2 == 0 { pressed.removeAll { left.contains($0) } }
        pedals[message.slot] = pressed.isEmpty ? nil : pressed
        return made + left.map { .message(MIDIMessage(0xB0, $0, message.data2)) }
    }

    private mutating func releasePedals(of part: Int) -> [MusicEvent] {
        (part * 128..<part * 128 + 128).flatMap { slot in
            (pedals.removeValue(forKey: slot) ?? []).map { .message(MIDIMessage(0xB0, $0, 0)) }
        }
    }
}

extension MusicEvent {
    fileprivate var part: Int? { if case .message(let message) = self { message.part } else { nil } }

    fileprivate var pressedSlot: Int? {
        if case .message(let message) = self, message.kind == .keyPressure { message.slot } else { nil }
    }

    fileprivate var liftedSlot: Int? {
        if case .message(let message) = self, message.endsNote { message.slot } else { nil }
    }
}

extension MIDIMessage {
    fileprivate var slot: Int { part * 128 + Int(data1 & 127) }

    /// Creates a message to the part and with the first data byte of `slot`.
    fileprivate init(_ kind: UInt8, _ slot: Int, _ data2: UInt8) {
        self.init(
            status: kind | UInt8(slot >> 7 & 15), data1: UInt8(slot & 127), data2: data2, port: UInt8(slot >> 11))
    }
}
