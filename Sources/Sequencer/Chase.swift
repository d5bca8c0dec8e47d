import MIDI
import RealtimeCore

/// The settings that a song has given its instruments, at any place of it: so that playing on from there sounds as if it had
/// been played up to there.
///
/// Chased are resets, part modes, banks and programs, controllers (but not those of the moment: 84, 120, 122...125),
/// registered and non-registered parameters with what data entry set them to, bend, pressure of channels and of sounding
/// keys, mono mode, master volume, tuning and balance, tuning tables, effects. Notes are not struck again; but instruments that
/// take turns hear of them (`countsStrikes`).
///
/// A snapshot every `interval` events makes any place take O(`interval`), for any length of the song. Control side.
package struct Chase: Sendable {
    /// The song's events, in the order of time.
    package let events: [TimedMusicEvent]
    private let interval: Int
    private let snapshots: [ChaseState]
    private let touched: [ChaseState.Slot]
    private let isTouched: Set<ChaseState.Slot>
    private let ports: [UInt8]
    /// Parts that anything is sent to.
    private let parts: [UInt8]
    /// True if instruments count what is struck: then the strikes before a place are sent to every part with notes.
    package var countsStrikes = false
    /// Ports whose first reset is GS's, before any program.
    private let beginningWithGS: Set<UInt8>

    /// - Parameters:
    ///   - events: a timeline's, sorted by time.
    ///   - interval: events from snapshot to snapshot, at least 1.
    package init(_ events: [TimedMusicEvent], interval: Int = 1024) {
        self.events = events
        self.interval = max(interval, 1)
        var snapshots: [ChaseState] = []
        var state = ChaseState(), seen: Set<ChaseState.Slot> = []
        var begun: Set<UInt8> = [], beginningWithGS: Set<UInt8> = []
        // No sets: it is a long way through a song.
        var isPort = [Bool](repeating: false, count: 256), isPart = isPort
        for (index, event) in events.enumerated() {
            if index % self.interval == 0 {
                seen.formUnion(state.settings.keys)
                snapshots.append(state)
            }
            // What is set and reset between two snapshots counts as well.
            if case .reset = event.event { seen.formUnion(state.settings.keys) }
            if case .message(let message) = event.event, message.kind == .controlChange, message.data1 == 121 {
                seen.formUnion(state.settings.keys)
            }
            if case .part(.unmoved, _, let number, let part) = event.event {
                seen.insert(ChaseState.Slot(kind: .controller, part: part, number: UInt32(number)))
            }
            state.apply(event.event)
            isPort[Int(event.event.port)] = true
            if let part = event.event.part { isPart[part & 255] = true }
            switch event.event {
            case .reset(let standard, let port):
                if begun.insert(port).inserted, standard == .gs { beginningWithGS.insert(port) }
            case .message(let message) where message.kind == .programChange: begun.insert(message.port)
            default: break
            }
        }
        seen.formUnion(state.settings.keys)
        // A key's pressure ends with its note.
        touched = seen.filter { $0.kind != .keyPressure }.sorted()
        isTouched = seen
        ports = isPort.indices.filter { isPort[$0] }.map { UInt8($0) }
        parts = isPart.indices.filter { isPart[$0] }.map { UInt8($0) }
        self.beginningWithGS = beginningWithGS
        self.snapshots = snapshots
    }

    /// The index of the first event at `frame` or later.
    package func index(at frame: Int64) -> Int { events.partitioningIndex { $0.time.rawValue >= frame } }

    /// The first event of a loop's next round, while notes of the round before still ring: after resets that precede its
    /// first note. They would cut off the ringing notes; `prologue` has the same effect without them.
    package func firstEvent(ofRound loop: Range<Int64>) -> Int {
        let first = index(at: loop.lowerBound)
        var behind = first
        for (offset, event) in events[first..<index(at: loop.upperBound)].enumerated() {
            if case .reset = event.event { behind = first + offset + 1 }
            if case .message(let message) = event.event, message.kind == .noteOn, message.data2 > 0 { break }
        }
        return behind
    }

    /// Returns the events that set an instrument that is as after power-on, but still rings, to the state it has after the
    /// events before `index`: settings that would cut off ringing notes are sent in another way.
    package func opening(at index: Int) -> [MusicEvent] {
        prologue(at: index, from: 0).map { event in
            if case .reset(let standard, let port) = event { .standard(standard, port: port) } else { event }
        }
    }

    /// Returns what sets an instrument to the state it has after the events before `index`: pedals up, resets, defaults of what
    /// the song has not set yet, then what it has, in its order.
    ///
    /// - Parameter origin: the song has left the instruments in the state after the events before `origin`. A reset is left out
    ///   if the same standard is in force, since it would cut off what still sounds. nil means they may be in any state.
    package func prologue(at index: Int, from origin: Int?) -> [MusicEvent] {
        let state = self.state(before: index), before = origin.map { self.state(before: $0) }
        var result = restoring(true) + pedalsUp(before)
        var isFresh = [Bool](repeating: false, count: 16)
        for port in ports {
            let standard = state.standards[Int(port)] ?? .generalMIDIOff
            if let before {
                let former = before.standards[Int(port)] ?? .generalMIDIOff
                // Up to a GS reset that no program precedes, no bank is chosen: GS's rules do as well.
                let isAsGood = former == .gs && state.standards[Int(port)] == nil && beginningWithGS.contains(port)
                if former == standard || isAsGood { continue }
            }
            result.append(.reset(standard, port: port))
            isFresh[Int(port)] = true
        }
        // A reset has forgotten that something is restored.
        if countsStrikes { result += restoring(true) + strikes(before: index) }
        for slot in touched where state.settings[slot] == nil && !isFresh[Int(slot.port)] {
            standard(slot, &result)
            if countsStrikes, slot.kind == .controller {
                result.append(.part(.unmoved, 0, key: UInt8(slot.number), part: slot.part))
            }
        }
        let places = places(state)
        for (slot, _, _) in places {
            guard let setting = state.settings[slot] else { continue }
            give(slot, setting.value, &result)
            // A message may have set it without choosing it.
            let isChosen = slot.number >> 14 == 0 || (100...101).allSatisfy { state.controller($0, slot.part) != nil }
            if case .data = setting.value, !isChosen {
                for number: UInt8 in [101, 100] { result.append(control(slot.part, number, 127)) }
            }
        }
        return result + restoring(false)
    }

    private func restoring(_ begins: Bool) -> [MusicEvent] {
        countsStrikes ? parts.map { .part(.restoring, begins ? 1 : 0, key: 0, part: $0) } : []
    }

    /// True if the song chooses programs of a part.
    func hasPrograms(_ part: UInt8) -> Bool { isTouched.contains(ChaseState.Slot(kind: .program, part: part)) }

    /// Sustain and sostenuto up on the parts where the song has them down after the events before `index`: what keys
    /// do not hold any more then ends.
    package func pedalsUp(at index: Int) -> [MusicEvent] { pedalsUp(state(before: index)) }

    private func pedalsUp(_ state: ChaseState?) -> [MusicEvent] {
        touched.compactMap { slot in
            guard slot.kind == .controller, slot.number == 64 || slot.number == 66 else { return nil }
            if let state, (state.controller(slot.number, slot.part) ?? 0) < 64 { return nil }
            return control(slot.part, UInt8(slot.number), 0)
        }
    }

    private func state(before index: Int) -> ChaseState {
        let index = min(max(index, 0), events.count)
        if snapshots.isEmpty { return ChaseState() }
        let nearest = min(index / interval, snapshots.count - 1)
        var state = snapshots[nearest]
        for event in events[nearest * interval..<index] { state.apply(event.event) }
        return state
    }

    /// The order to send settings in: as they came; but a selection comes after all data entry of its part, which brings its own.
    private func places(_ state: ChaseState) -> [(ChaseState.Slot, Int, Int)] {
        var lastEntry = [Int](repeating: 0, count: 256)
        for (slot, setting) in state.settings where slot.kind == .parameter {
            lastEntry[Int(slot.part)] = max(lastEntry[Int(slot.part)], setting.order)
        }
        return state.settings.map { slot, setting in
            let isSelection = slot.kind == .controller && (98...101).contains(slot.number)
            return (slot, isSelection ? max(setting.order, lastEntry[Int(slot.part)]) : setting.order, setting.order)
        }.sorted { a, b in
            a.1 != b.1
                ? a.1 < b.1
                : (a.0.kind == .parameter) != (b.0.kind == .parameter)
                    ? a.0.kind == .parameter : a.2 < b.2
        }
    }

    private func control(_ part: UInt8, _ number: UInt8, _ value: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0xB0 | part & 15, data1: number, data2: value, port: part >> 4))
    }

    private func program(_ part: UInt8, _ number: UInt8, _ bank: UInt8?, _ lower: UInt8?, _ to: inout [MusicEvent]) {
        for (controller, value) in [(UInt32(0), bank), (32, lower)] {
            let slot = ChaseState.Slot(kind: .controller, part: part, number: controller)
            if let value {
                to.append(control(part, UInt8(controller), value))
            } else if isTouched.contains(slot) {
                to.append(control(part, UInt8(controller), 0))
            }
        }
        to.append(.message(MIDIMessage(status: 0xC0 | part & 15, data1: number, port: part >> 4)))
    }

    private func select(_ slot: ChaseState.Slot, _ to: inout [MusicEvent]) {
        let isRegistered = slot.number >> 14 == 1
        to.append(control(slot.part, isRegistered ? 101 : 99, UInt8(slot.number >> 7 & 127)))
        to.append(control(slot.part, isRegistered ? 100 : 98, UInt8(slot.number & 127)))
    }

    func give(_ slot: ChaseState.Slot, _ value: ChaseState.Value, _ to: inout [MusicEvent]) {
        switch value {
        case .event(let event): to.append(event)
        case .program(let number, let bank, let lower): program(slot.part, number, bank, lower, &to)
        case .data(let high, let low, let isLowLast, let steps):
            let initial = ChaseState.initial(slot.number)
            select(slot, &to)
            if low == nil || !isLowLast { to.append(control(slot.part, 38, low ?? initial.low)) }
            to.append(control(slot.part, 6, high ?? initial.high))
            if let low, isLowLast { to.append(control(slot.part, 38, low)) }
            for _ in 0..<abs(steps) { to.append(control(slot.part, steps > 0 ? 96 : 97, 0)) }
        }
    }

    /// What holds until a song sets it. Sources: General MIDI 2, section 3.3; RP-001; 40 for the reverb as the strips have it.
    private func standard(_ slot: ChaseState.Slot, _ to: inout [MusicEvent]) {
        let part = slot.part
        switch slot.kind {
        case .masterVolume: to.append(.masterVolume(1, port: part))
        case .masterTuning: to.append(.masterTuning(cents: 0, port: part))
        case .masterBalance: to.append(.masterBalance(0, port: part))
        case .effect:
            if let parameter = EffectParameter(rawValue: UInt8(slot.number)) {
                to.append(.effect(EffectParameter.asSet, of: parameter, port: part))
            }
        // An effect that the song has not begun yet is not heard.
        case .insertion:
            to.append(
                .insertion(
                    EffectParameter.asSet, of: UInt8(slot.number & 255), slot: UInt8(slot.number >> 8), port: part))
        case .partSetting:
            let parameter = PartParameter(rawValue: UInt8(slot.number >> 7))
            to.append(.part(parameter, PartParameter.asPowerOn, key: UInt8(slot.number & 127), part: part))
        case .keyTuning:
            let key = UInt8(slot.number & 127)
            to.append(
                .keyTuning(
                    KeyTuning(
                        key: key, semitone: key, program: UInt8(slot.number >> 7 & 127), bank: UInt8(slot.number >> 14),
                        port: part)))
        case .scaleTuning:
            to.append(
                .scaleTuning(channels: 1 << UInt16(part & 15), step: UInt8(slot.number), hundredths: 0, port: part >> 4))
        case .partMode: to.append(.partMode(.initial(Int(part)), port: part >> 4, channel: part & 15))
        case .program: program(part, 0, nil, nil, &to)
        case .bend: to.append(.message(MIDIMessage(status: 0xE0 | part & 15, data1: 0, data2: 64, port: part >> 4)))
        case .pressure: to.append(.message(MIDIMessage(status: 0xD0 | part & 15, data1: 0, port: part >> 4)))
        case .keyPressure: break
        case .controller:
            let number = UInt8(slot.number)
            switch number {
            case 7: to.append(control(part, number, 100))
            case 11, 43: to.append(control(part, number, 127))
            case 8, 10, 70...79: to.append(control(part, number, 64))
            case 91: to.append(control(part, number, 40))
            case 98, 99, 100, 101: to.append(control(part, number, 127))
            case 121: break
            case 126: to.append(control(part, 127, 0))
            default: to.append(control(part, number, 0))
            }
        // Notes that ring would follow a value.
        case .parameter where slot.isSoundBlaster: break
        case .parameter:
            select(slot, &to)
            to.append(control(part, 38, ChaseState.initial(slot.number).low))
            to.append(control(part, 6, ChaseState.initial(slot.number).high))
            for number: UInt8 in slot.number >> 14 == 1 ? [101, 100] : [99, 98] { to.append(control(part, number, 127)) }
        }
        if let (setting, key) = slot.marked { to.append(.part(setting, PartParameter.asPowerOn, key: key, part: part)) }
    }
}
