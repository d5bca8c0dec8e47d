/// GM2's controller destinations (F0 7F dd 09 01...03) and key-based instrument controllers (F0 7F dd 0A 01).
///
/// Sources: General MIDI 2, "Controller destination setting" (CA-022) and "Key-based instrument controller" (CA-023).
extension SystemExclusive {
    func destinations(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        let isOfController = message[3] == 3, first = isOfController ? 6 : 5
        guard (1...3).contains(message[3]), message.count > first else { return [] }
        let part = port << 4 | message[4] & 15
        var events: [MusicEvent] = [], source = ControlSource.pressure
        switch (message[3], message[first - 1]) {
        case (1, _): break
        case (2, _): source = .keyPressure
        case (_, 1): source = .modulation
        default:
            source = .first
            events.append(.part(.firstController, message[5] & 127, key: 0, part: part))
        }
        let targets: [ControlDestination] = [.pitch, .cutoff, .level, .vibrato, .filterSwing, .tremolo]
        return events
            + Self.pairs(of: message, from: first).compactMap { number, value in
                guard number < targets.count else { return nil }
                return .part(.depth(source, targets[Int(number)]), value, key: 0, part: part)
            }
    }

    func keyControllers(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        guard message.count > 6, message[3] == 1 else { return [] }
        let part = port << 4 | message[4] & 15
        return Self.pairs(of: message, from: 6).compactMap { number, value in
            Self.drumControl(number).map { .part(.drum($0), value, key: message[5] & 127, part: part) }
        }
    }

    private static func drumControl(_ number: UInt8) -> DrumControl? {
        switch number {
        case 7: .share
        case 10: .pan
        case 71: .resonance
        case 73: .attack
        case 74: .cutoff
        case 75: .decay
        case 91: .reverb
        case 93: .chorus
        case 120: .finePitch
        case 121: .pitch
        default: nil
        }
    }

    private static func pairs(of message: [UInt8], from first: Int) -> [(UInt8, UInt8)] {
        stride(from: first, to: message.count - 1, by: 2).map { (message[$0] & 127, message[$0 + 1] & 127) }
    }
}
