import MIDI

/// The settings that a stretch of music has left its instruments with: for each thing that can be set, the last event that did,
/// and when it came, so that the same events in the same order set an instrument to the same state.
package struct ChaseState: Sendable {
    package struct Slot: Hashable, Comparable, Sendable {
        /// The things that can be set, in the order in which defaults are given.
        enum Kind: UInt8, Sendable {
            case masterVolume, masterTuning, masterBalance, effect, insertion, keyTuning
            case partMode, scaleTuning, partSetting, controller, program, bend, pressure, keyPressure, parameter

            var isOfPort: Bool { rawValue <= Self.keyTuning.rawValue }
        }

        var kind: Kind
        /// 0...255; the port for what belongs to a port.
        var part: UInt8
        /// Controller, key, step of the octave, parameter of an effect; a registered or non-registered parameter: 14 bits, and
        /// bit 14 for a registered one; a tuning program's key: bank, program and key, seven bits each.
        var number: UInt32 = 0

        package static func < (a: Slot, b: Slot) -> Bool {
            (a.kind.rawValue, a.part, a.number) < (b.kind.rawValue, b.part, b.number)
        }

        var port: UInt8 { kind.isOfPort ? part : part >> 4 }

        /// The setting, of a drum's key or 0, whose mark says that this was never set: no value of a message does.
        var marked: (setting: PartParameter, key: UInt8)? {
            if kind == .controller, number == 37 { return (.finePortamento, 0) }
            guard kind == .parameter, number < 1 << 14 else { return nil }
            let lower = UInt8(number & 127)
            if isSoundBlaster { return (.soundBlaster(lower), 0) }
            return DrumControl(upper: UInt8(number >> 7)).map { (.drum($0), lower) }
        }

        /// True for an effect of a Sound Blaster.
        var isSoundBlaster: Bool { kind == .parameter && ChaseState.isSoundBlaster(number) }
    }

    package enum Value: Hashable, Sendable {
        case event(MusicEvent)
        /// A program with the bank bytes in force when it came.
        case program(UInt8, bank: UInt8?, bankLSB: UInt8?)
        /// Data entry: the bytes as they came, and steps up or down since.
        case data(high: UInt8?, low: UInt8?, isLowLast: Bool, steps: Int)
    }

    package struct Setting: Hashable, Sendable {
        package var order: Int
        package var value: Value
    }

    private enum Selection: Sendable { case nothing, registered, nonRegistered }
    private struct Pointers: Sendable {
        var registered: (high: UInt8, low: UInt8) = (127, 127), nonRegistered: (high: UInt8, low: UInt8) = (127, 127)
        var selection = Selection.nothing

        var number: UInt32? {
            switch selection {
            case .nothing: nil
            case .registered:
                registered == (127, 127) ? nil : 1 << 14 | UInt32(registered.high) << 7 | UInt32(registered.low)
            case .nonRegistered:
                nonRegistered == (127, 127) ? nil : UInt32(nonRegistered.high) << 7 | UInt32(nonRegistered.low)
            }
        }
    }

    package private(set) var settings: [Slot: Setting] = [:]
    /// The standard of each port's last reset.
    package private(set) var standards = [SystemReset?](repeating: nil, count: 16)
    private var pointers = [Pointers](repeating: Pointers(), count: 256)
    /// One bit per part: keys of it have pressure of their own.
    private var hasKeyPressure = [Bool](repeating: false, count: 256)
    private var order = 0

    package init() {}

    package mutating func apply(_ music: MusicEvent) {
        order += 1
        switch music {
        case .message(let message): apply(message)
        case .reset(let standard, let port), .standard(let standard, let port):
            let port = port & 15
            for slot in settings.keys where slot.port == port { settings[slot] = nil }
            for part in Int(port) * 16..<Int(port) * 16 + 16 {
                pointers[part] = Pointers()
                hasKeyPressure[part] = false
            }
            standards[Int(port)] = standard
        case .partMode(_, let port, let channel):
            set(Slot(kind: .partMode, part: (port & 15) << 4 | channel & 15), .event(music))
        case .masterVolume(_, let port): set(Slot(kind: .masterVolume, part: port & 15), .event(music))
        case .masterTuning(_, let port): set(Slot(kind: .masterTuning, part: port & 15), .event(music))
        case .masterBalance(_, let port): set(Slot(kind: .masterBalance, part: port & 15), .event(music))
        case .effect(_, let parameter, let port):
            set(Slot(kind: .effect, part: port & 15, number: UInt32(parameter.rawValue)), .event(music))
        case .insertion(_, let parameter, let slot, let port):
            set(Slot(kind: .insertion, part: port & 15, number: UInt32(slot) << 8 | UInt32(parameter)), .event(music))
        case .part(let parameter, let value, let key, let part): apply(parameter, value, key, part, music)
        case .keyTuning(let change):
            let number = UInt32(change.bank) << 14 | UInt32(change.program) << 7 | UInt32(change.key)
            set(Slot(kind: .keyTuning, part: change.port & 15, number: number), .event(music))
        case .scaleTuning(let channels, let step, let hundredths, let port):
            // One for each channel: the next message may name others.
            for channel in UInt8(0)..<16 where channels >> channel & 1 != 0 {
                let single = MusicEvent.scaleTuning(
                    channels: 1 << channel, step: step, hundredths: hundredths, port: port)
                set(Slot(kind: .scaleTuning, part: (port & 15) << 4 | channel, number: UInt32(step)), .event(single))
            }
        // The tempo map knows it for any place.
        case .time: break
        }
    }

    /// What is another name of a controller or a registered parameter is set as that: the later of both counts.
    private mutating func apply(_ parameter: PartParameter, _ value: UInt8, _ key: UInt8, _ part: UInt8, _ music: MusicEvent) {
        switch parameter {
        case .unmoved: settings[Slot(kind: .controller, part: part, number: UInt32(key))] = nil
        // `Chase` counts strikes by itself.
        case _ where parameter.restoresStrikes: break
        case .randomPan: set(Slot(kind: .controller, part: part, number: 10), .event(music))
        case .bendRange where value < 104:
            set(Slot(kind: .parameter, part: part, number: 1 << 14), .data(high: value, low: 0, isLowLast: false, steps: 0))
        default:
            set(Slot(kind: .partSetting, part: part, number: UInt32(parameter.rawValue) << 7 | UInt32(key)), .event(music))
        }
    }

    private mutating func set(_ slot: Slot, _ value: Value) { settings[slot] = Setting(order: order, value: value) }

    private mutating func apply(_ message: MIDIMessage) {
        let part = UInt8(truncatingIfNeeded: message.part)
        switch message.kind {
        case .noteOn, .noteOff:
            if hasKeyPressure[Int(part)] {
                settings[Slot(kind: .keyPressure, part: part, number: UInt32(message.data1))] = nil
            }
        case .keyPressure:
            hasKeyPressure[Int(part)] = true
            set(Slot(kind: .keyPressure, part: part, number: UInt32(message.data1)), .event(.message(message)))
        case .controlChange: control(part, message)
        case .programChange:
            set(
                Slot(kind: .program, part: part),
                .program(message.data1, bank: controller(0, part), bankLSB: controller(32, part)))
        case .channelPressure: set(Slot(kind: .pressure, part: part), .event(.message(message)))
        case .pitchBend: set(Slot(kind: .bend, part: part), .event(.message(message)))
        case nil: break
        }
    }

    func controller(_ number: UInt32, _ part: UInt8) -> UInt8? {
        guard case .event(.message(let message)) = settings[Slot(kind: .controller, part: part, number: number)]?.value
        else { return nil }
        return message.data2
    }

    private mutating func control(_ part: UInt8, _ message: MIDIMessage) {
        let value = message.data2
        switch message.data1 {
        case 6: enter(part) { high, _, isLowLast, steps in (high, isLowLast, steps) = (value, false, 0) }
        case 38: enter(part) { _, low, isLowLast, _ in (low, isLowLast) = (value, true) }
        case 96: enter(part) { _, _, _, steps in steps += 1 }
        case 97: enter(part) { _, _, _, steps in steps -= 1 }
        case 98...101: select(part, message)
        case 121:
            // Which controllers that resets is up to the instrument: it comes again, at its place among them.
            for number in UInt32(98)...101 { settings[Slot(kind: .controller, part: part, number: number)] = nil }
            pointers[Int(part)] = Pointers()
            settings[Slot(kind: .bend, part: part)] = nil
            settings[Slot(kind: .pressure, part: part)] = nil
            if hasKeyPressure[Int(part)] {
                for slot in settings.keys where slot.kind == .keyPressure && slot.part == part { settings[slot] = nil }
            }
            set(Slot(kind: .controller, part: part, number: 121), .event(.message(message)))
        case 126, 127: set(Slot(kind: .controller, part: part, number: 126), .event(.message(message)))
        case 84, 120...125: break    // of the moment
        default: set(Slot(kind: .controller, part: part, number: UInt32(message.data1)), .event(.message(message)))
        }
    }

    private static func isSoundBlaster(_ parameter: UInt32) -> Bool { parameter >> 7 == 127 && parameter & 127 < 27 }

    /// A parameter's value until data entry changes it: bend range, tuning program, depth of modulation, zone; the middle.
    static func initial(_ number: UInt32) -> (high: UInt8, low: UInt8) {
        switch number {
        case 1 << 14: (2, 0)
        // Tuning program and bank, and an MPE zone's channels: none but those of power-on.
        case 1 << 14 | 3, 1 << 14 | 4, 1 << 14 | 6: (0, 0)
        case 1 << 14 | 5: (0, 64)
        case _ where isSoundBlaster(number): (0, 0)
        default: (64, 0)
        }
    }

    private mutating func enter(
        _ part: UInt8, _ change: (inout UInt8?, inout UInt8?, inout Bool, inout Int) -> Void
    ) {
        guard let number = pointers[Int(part)].number else { return }
        let slot = Slot(kind: .parameter, part: part, number: number)
        var high: UInt8?, low: UInt8?, isLowLast = false, steps = 0
        if case .data(let oldHigh, let oldLow, let wasLowLast, let oldSteps) = settings[slot]?.value {
            (high, low, isLowLast, steps) = (oldHigh, oldLow, wasLowLast, oldSteps)
        }
        change(&high, &low, &isLowLast, &steps)
        // A step beyond the end is none.
        let base = Int(high ?? Self.initial(number).high)
        set(slot, .data(high: high, low: low, isLowLast: isLowLast, steps: min(max(steps, -base), 127 - base)))
    }

    private mutating func select(_ part: UInt8, _ message: MIDIMessage) {
        let value = message.data2 & 127
        switch message.data1 {
        case 98: pointers[Int(part)].nonRegistered.low = value
        case 99: pointers[Int(part)].nonRegistered.high = value
        case 100: pointers[Int(part)].registered.low = value
        default: pointers[Int(part)].registered.high = value
        }
        pointers[Int(part)].selection = message.data1 >= 100 ? .registered : .nonRegistered
        set(Slot(kind: .controller, part: part, number: UInt32(message.data1)), .event(.message(message)))
    }
}
