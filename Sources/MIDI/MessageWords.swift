/// Puts the messages of one cable into words: `note on C4 (60) velocity 100 on channel 1`.
///
/// It remembers which registered or non-registered parameter each channel has chosen, so that data entry has a name. Control
/// side, one thread at a time.
package struct MessageWords: Sendable {
    private var selections = [ParameterSelection](repeating: ParameterSelection(), count: 16)

    /// Before the first message.
    package init() {}

    /// Returns what a whole message says, its status byte first. Channels count from 1.
    package mutating func words(for bytes: [UInt8]) -> String {
        guard let status = bytes.first else { return "nothing" }
        func data(_ place: Int) -> UInt8 { bytes.indices.contains(place) ? bytes[place] & 127 : 0 }
        if let kind = MIDIMessage.Kind(rawValue: status & 0xF0) {
            return words(kind, MIDIMessage(status: status, data1: data(1), data2: data(2)))
        }
        let wide = Int(data(2)) << 7 | Int(data(1))
        switch status {
        case 0xF0: return SystemExclusive.words(of: bytes)
        case 0xF1: return "time code quarter frame \(data(1) >> 4): \(data(1) & 15)"
        case 0xF2: return "song position \(wide): sixteenth \(wide % 4 + 1) of quarter \(wide / 4 + 1)"
        case 0xF3: return "song select \(data(1))"
        case 0xF6: return "tune request"
        case 0xF8: return "clock"
        case 0xFA: return "start"
        case 0xFB: return "continue"
        case 0xFC: return "stop"
        case 0xFE: return "active sensing"
        case 0xFF: return "system reset"
        case 0x80...: return "undefined message"
        default: return "data without a status byte"
        }
    }

    private mutating func words(_ kind: MIDIMessage.Kind, _ message: MIDIMessage) -> String {
        let channel = "on channel \(message.channel + 1)", key = "\(KeyName.text(of: message.data1)) (\(message.data1))"
        switch kind {
        case .noteOn where message.data2 == 0: return "note off \(key) \(channel), as a note on with velocity 0"
        case .noteOn: return "note on \(key) velocity \(message.data2) \(channel)"
        case .noteOff: return "note off \(key) velocity \(message.data2) \(channel)"
        case .keyPressure: return "key pressure \(key) \(message.data2) \(channel)"
        case .programChange: return "program \(message.data1) \(channel)"
        case .channelPressure: return "channel pressure \(message.data1) \(channel)"
        case .pitchBend: return "pitch bend \(message.bend) of -8192 to 8191 \(channel)"
        case .controlChange:
            let controller = Controller(rawValue: message.data1), name = controller.name.map { " (\($0))" } ?? ""
            return "controller \(message.data1)\(name) \(message.data2) \(channel)" + parameter(controller, message)
        }
    }

    /// The parameter that a controller chooses or moves.
    private mutating func parameter(_ controller: Controller, _ message: MIDIMessage) -> String {
        let channel = Int(message.channel)
        switch controller.rawValue {
        case 98...101: selections[channel].choose(controller, message.data2)
        case 6, 38, 96, 97: break
        default: return ""
        }
        let selection = selections[channel]
        if let number = selection.registered {
            return name(number, "registered", Self.registered[number], isFirst: controller.rawValue == 101)
        }
        if let number = selection.nonRegistered {
            return name(number, "non-registered", Self.nonRegistered(number), isFirst: controller.rawValue == 99)
        }
        return ": no parameter is chosen"
    }

    /// `isFirst` for the upper byte of a choice, whose lower byte may still come.
    private func name(_ number: UInt16, _ kind: String, _ name: String?, isFirst: Bool) -> String {
        isFirst ? "" : ": \(kind) parameter \(number >> 7) \(number & 127)" + (name.map { ", \($0)" } ?? "")
    }

    private static let registered: [UInt16: String] = [
        0: "bend range", 1: "fine tuning", 2: "coarse tuning", 3: "tuning program", 4: "tuning bank",
        5: "modulation depth", 6: "MPE zone",
    ]

    private static func nonRegistered(_ number: UInt16) -> String? {
        let upper = UInt8(truncatingIfNeeded: number >> 7), lower = UInt8(truncatingIfNeeded: number & 127)
        if upper == 1, let control = SoundControl(lower: lower) { return Controller(rawValue: control.controller).name }
        if let drum = DrumControl(upper: upper), let name = drum.name { return "drum \(name) of \(KeyName.text(of: lower))" }
        if upper == 120 { return "SoundFont generator" }
        if upper == 127, lower < 27 { return "effect of the Sound Blaster" }
        return UnfollowedMusic.nonRegistered(number)?.text
    }
}

extension DrumControl {
    /// The name of what non-registered parameters set; nil for what only System Exclusive sets.
    fileprivate var name: String? {
        switch self {
        case .cutoff: "cutoff"
        case .resonance: "resonance"
        case .attack: "attack"
        case .decay: "decay"
        case .pitch: "pitch"
        case .finePitch: "fine pitch"
        case .level: "level"
        case .pan: "pan"
        case .reverb: "reverb send"
        case .chorus: "chorus send"
        case .delay: "delay send"
        case .halfPitch, .group, .noteOn, .assign, .share: nil
        }
    }
}
