import MIDI

/// An instrument that makes no sound and remembers everything it was set to, by the rules of the specification and not by
/// those of the code under test.
struct RecordingInstrument: Equatable {
    struct Part: Equatable {
        var isDrums = false
        var controllers = Part.initial
        var bank: UInt8 = 0, bankLSB: UInt8 = 0, program: UInt8 = 0
        var bend = 8192
        var pressure: UInt8 = 0
        var keyPressure: [UInt8: UInt8] = [:]
        var keys: Set<UInt8> = []
        var isMono = false
        var scale = [Int16](repeating: 0, count: 12)
        /// What data entry means: nil is nothing.
        var registered: [UInt8] = [127, 127], nonRegistered: [UInt8] = [127, 127]
        var isNonRegistered = false
        /// Values of parameters by their number; those never set are missing.
        var parameters: [Int: [UInt8]] = [:]
        /// What is not as after power-on, of a drum's key or 0.
        var settings: [[UInt8]: UInt8] = [:]
        /// True once controller 37 came.
        var hasFinePortamento = false

        static var initial: [UInt8] {
            var values = [UInt8](repeating: 0, count: 128)
            for n in 70...79 { values[n] = 64 }
            (values[7], values[8], values[10], values[11], values[43], values[91]) = (100, 64, 64, 127, 127, 40)
            return values
        }

        var selected: Int? {
            let pointer = isNonRegistered ? nonRegistered : registered
            if pointer == [127, 127] { return nil }
            return (isNonRegistered ? 0 : 1 << 14) + Int(pointer[0]) * 128 + Int(pointer[1])
        }

        static func parameterDefault(_ number: Int) -> [UInt8] {
            switch number - 1 << 14 {
            case _ where number >> 7 == 127: [0, 0]
            case 0: [2, 0]
            case 3, 4, 6: [0, 0]
            case 5: [0, 64]
            default: [64, 0]
            }
        }

        /// True if no value means that it was not set: a Sound Blaster's effects and the settings of drums.
        static func isMarked(_ number: Int) -> Bool {
            number >> 7 == 127 && number & 127 < 27 || [20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31].contains(number >> 7)
        }

        mutating func enter(_ change: (inout [UInt8]) -> Void) {
            guard let selected else { return }
            var value = parameters[selected] ?? Self.parameterDefault(selected)
            change(&value)
            parameters[selected] = value == Self.parameterDefault(selected) && !Self.isMarked(selected) ? nil : value
        }
    }

    var parts: [Part]
    var volumes = [Float](repeating: 1, count: 16), tunings = [Float](repeating: 0, count: 16)
    var balances = [Float](repeating: 0, count: 16), effects = [[UInt8: Float]](repeating: [:], count: 16)
    var insertions: [[UInt8]: Float] = [:]
    /// What is not in equal temperament, by the key as it is there.
    var keyTunings: [KeyTuning: KeyTuning] = [:]
    /// As it is after power-on.
    var standards = [SystemReset](repeating: .generalMIDIOff, count: 16)

    init() { parts = (0..<256).map { part in Part(isDrums: part & 15 == 9) } }

    mutating func hear(_ event: MusicEvent) {
        switch event {
        case .reset(let standard, let port), .standard(let standard, let port):
            for part in Int(port) * 16..<Int(port) * 16 + 16 { parts[part] = Part(isDrums: part & 15 == 9) }
            (balances[Int(port)], effects[Int(port)]) = (0, [:])
            insertions = insertions.filter { $0.key[0] != port }
            keyTunings = keyTunings.filter { $0.key.port != port }
            (volumes[Int(port)], tunings[Int(port)], standards[Int(port)]) = (1, 0, standard)
        case .partMode(let mode, let port, let channel): parts[Int(port) * 16 + Int(channel)].isDrums = mode == .drums
        case .masterVolume(let volume, let port): volumes[Int(port)] = volume
        case .masterTuning(let cents, let port): tunings[Int(port)] = cents
        case .masterBalance(let balance, let port): balances[Int(port)] = balance
        case .effect(let value, let parameter, let port):
            effects[Int(port)][parameter.rawValue] = value == EffectParameter.asSet ? nil : value
        case .keyTuning(let change):
            var place = change
            (place.semitone, place.fraction) = (change.key, 0)
            keyTunings[place] = change == place ? nil : change
        case .scaleTuning(let channels, let step, let hundredths, let port):
            for channel in 0..<16 where channels >> UInt16(channel) & 1 != 0 {
                parts[Int(port) * 16 + channel].scale[Int(step)] = hundredths
            }
        case .insertion(let value, let parameter, let slot, let port):
            insertions[[port, slot, parameter]] = value == EffectParameter.asSet ? nil : value
        case .part(.bendRange, let value, _, let part) where value < 104:
            parts[Int(part)].parameters[1 << 14] = value == 2 ? nil : [value, 0]
        case .message(let message): hear(message, &parts[message.part])
        case .part(let setting, let value, let key, let part): set(setting, value, key, &parts[Int(part)])
        case .time: break
        }
    }

    private func set(_ setting: PartParameter, _ value: UInt8, _ key: UInt8, _ part: inout Part) {
        if setting == .randomPan { part.controllers[10] = 64 }
        let isSet = value != PartParameter.asPowerOn && value != setting.initialValue
        part.settings[[setting.rawValue, key]] = isSet ? value : nil
        guard value == PartParameter.asPowerOn else { return }
        if setting == .finePortamento { (part.controllers[37], part.hasFinePortamento) = (0, false) }
        for effect in UInt8(0)..<27 where setting == .soundBlaster(effect) { part.parameters[127 << 7 | Int(effect)] = nil }
        for control in DrumControl.allCases where setting == .drum(control) {
            part.parameters[Int(control.rawValue) << 7 | Int(key)] = nil
        }
    }

    private func hear(_ message: MIDIMessage, _ part: inout Part) {
        switch message.kind {
        case .noteOn where message.data2 > 0:
            part.keys.insert(message.data1)
            part.keyPressure[message.data1] = nil
        case .noteOn, .noteOff:
            part.keys.remove(message.data1)
            part.keyPressure[message.data1] = nil
        case .keyPressure: part.keyPressure[message.data1] = message.data2 == 0 ? nil : message.data2
        case .programChange:
            (part.bank, part.bankLSB, part.program) = (part.controllers[0], part.controllers[32], message.data1)
        case .channelPressure: part.pressure = message.data1
        case .pitchBend: part.bend = message.bend + 8192
        case .controlChange: control(message.data1, message.data2, &part)
        case nil: break
        }
    }

    private func control(_ number: UInt8, _ value: UInt8, _ part: inout Part) {
        switch number {
        case 6: part.enter { $0[0] = value }
        case 38: part.enter { $0[1] = value }
        case 96: part.enter { $0[0] = min($0[0] + 1, 127) }
        case 97: part.enter { $0[0] = max($0[0], 1) - 1 }
        case 98: (part.nonRegistered[1], part.isNonRegistered) = (value, true)
        case 99: (part.nonRegistered[0], part.isNonRegistered) = (value, true)
        case 100: (part.registered[1], part.isNonRegistered) = (value, false)
        case 101: (part.registered[0], part.isNonRegistered) = (value, false)
        case 121:
            for n in [1, 64, 65, 66, 67, 68] { part.controllers[n] = 0 }
            part.controllers[11] = 127
            (part.bend, part.pressure, part.keyPressure) = (8192, 0, [:])
            (part.registered, part.nonRegistered, part.isNonRegistered) = ([127, 127], [127, 127], false)
        case 126, 127: part.isMono = number == 126
        case 84, 120, 122...125: break
        case 10: (part.controllers[10], part.settings[[PartParameter.randomPan.rawValue, 0]]) = (value, nil)
        case 37: (part.controllers[37], part.hasFinePortamento) = (value, true)
        default: part.controllers[Int(number)] = value
        }
    }

    /// Without what nobody chases: notes that sound, and which null parameter is chosen.
    var settings: RecordingInstrument {
        var result = self
        for part in result.parts.indices {
            result.parts[part].keys = []
            let selected = parts[part].selected
            result.parts[part].registered = [selected.map { UInt8($0 >> 14) } ?? 127]
            result.parts[part].nonRegistered = [selected.map { UInt8($0 >> 7 & 127) } ?? 127, UInt8((selected ?? 0) & 127)]
            result.parts[part].isNonRegistered = false
        }
        return result
    }

    /// In which settings two instruments differ, one line each.
    func differences(from other: RecordingInstrument) -> [String] {
        let (a, b) = (settings, other.settings)
        var lines: [String] = []
        for (index, (x, y)) in zip(a.parts, b.parts).enumerated() where x != y {
            for n in 0..<128 where x.controllers[n] != y.controllers[n] {
                lines.append("part \(index) controller \(n): \(x.controllers[n]), not \(y.controllers[n])")
            }
            for n in Set(x.parameters.keys).union(y.parameters.keys).sorted() where x.parameters[n] != y.parameters[n] {
                lines.append("part \(index) parameter \(n): \(x.parameters[n] ?? []), not \(y.parameters[n] ?? [])")
            }
            func compare<Value: Equatable>(_ name: String, _ value: (Part) -> Value) {
                if value(x) != value(y) { lines.append("part \(index) \(name): \(value(x)), not \(value(y))") }
            }
            compare("program") { [$0.bank, $0.bankLSB, $0.program] }
            compare("settings") { $0.settings }
            compare("bend") { $0.bend }
            compare("scale") { $0.scale }
            compare("pressure") { $0.pressure }
            compare("controller 37") { $0.hasFinePortamento }
            compare("key pressure") { $0.keyPressure }
            compare("drums and mono mode") { [$0.isDrums, $0.isMono] }
            compare("selection") { [$0.registered, $0.nonRegistered] }
        }
        if a.volumes != b.volumes { lines.append("volumes \(a.volumes), not \(b.volumes)") }
        if a.tunings != b.tunings { lines.append("tunings \(a.tunings), not \(b.tunings)") }
        if a.balances != b.balances { lines.append("balances \(a.balances), not \(b.balances)") }
        if a.insertions != b.insertions { lines.append("insertions \(a.insertions), not \(b.insertions)") }
        if a.effects != b.effects { lines.append("effects \(a.effects), not \(b.effects)") }
        if a.keyTunings != b.keyTunings { lines.append("keys \(a.keyTunings), not \(b.keyTunings)") }
        if a.standards != b.standards { lines.append("standards \(a.standards), not \(b.standards)") }
        return lines
    }
}
