/// The MIDI Tuning Standard: CA-020 (bulk dumps and single notes), CA-021 (scale/octave tuning).
///
/// Real-time or not, all of it takes effect at once, also on notes that sound. The checksum of a dump is ignored: the message
/// counts as received, like every other message here.
extension SystemExclusive {
    func tunings(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        let data = message[4...].map { $0 & 127 }
        switch message[3] {
        case 0x01 where data.count >= 17: return dump(data[17...], program: data[0], bank: 0, port: port)
        case 0x02 where data.count >= 2:
            return keys(data[2...], count: data[1], program: data[0], bank: 0, port: port)
        case 0x04 where data.count >= 18: return dump(data[18...], program: data[1], bank: data[0], port: port)
        case 0x05 where data.count >= 18 + 12:
            return octave(data[18..<30].map(Self.hundredths), program: data[1], bank: data[0], port: port)
        case 0x06 where data.count >= 18 + 24:
            return octave(Self.pairs(data[18..<42]), program: data[1], bank: data[0], port: port)
        case 0x07 where data.count >= 3:
            return keys(data[3...], count: data[2], program: data[1], bank: data[0], port: port)
        case 0x08 where data.count >= 3 + 12: return scale(data[3..<15].map(Self.hundredths), data, port: port)
        case 0x09 where data.count >= 3 + 24: return scale(Self.pairs(data[3..<27]), data, port: port)
        default: return []
        }
    }

    private func dump(_ data: ArraySlice<UInt8>, program: UInt8, bank: UInt8, port: UInt8) -> [MusicEvent] {
        let data = Array(data)
        return (0..<min(data.count / 3, 128)).compactMap { (key: Int) -> MusicEvent? in
            tuning(UInt8(key), data[(key * 3)..<(key * 3 + 3)], program, bank, port)
        }
    }

    /// A key and three bytes, `count` times.
    private func keys(
        _ data: ArraySlice<UInt8>, count: UInt8, program: UInt8, bank: UInt8, port: UInt8
    ) -> [MusicEvent] {
        let data = Array(data)
        return (0..<min(data.count / 4, Int(count))).compactMap { index in
            tuning(data[index * 4], data[(index * 4 + 1)..<(index * 4 + 4)], program, bank, port)
        }
    }

    /// A semitone and 14 bits of the next one; three times 7F leaves the key as it is.
    private func tuning(
        _ key: UInt8, _ bytes: ArraySlice<UInt8>, _ program: UInt8, _ bank: UInt8, _ port: UInt8
    ) -> MusicEvent? {
        let bytes = Array(bytes)
        if bytes == [127, 127, 127] { return nil }
        return .keyTuning(
            KeyTuning(
                key: key, semitone: bytes[0], fraction: UInt16(bytes[1]) << 7 | UInt16(bytes[2]), program: program,
                bank: bank, port: port))
    }

    /// A tuning program made of twelve steps, each in hundredths of a cent.
    private func octave(_ steps: [Int16], program: UInt8, bank: UInt8, port: UInt8) -> [MusicEvent] {
        (0..<128).map { key in
            let moved = key * 16_384 + Int((Float(steps[key % 12]) * 1.6384).rounded())
            let place = min(max(moved, 0), 128 * 16_384 - 1)
            return .keyTuning(
                KeyTuning(
                    key: UInt8(key), semitone: UInt8(place >> 14), fraction: UInt16(place & 16_383), program: program,
                    bank: bank, port: port))
        }
    }

    /// Twelve steps of the octave for the channels of a mask of three bytes, the highest channels first.
    private func scale(_ steps: [Int16], _ data: [UInt8], port: UInt8) -> [MusicEvent] {
        let channels = UInt16(data[0] & 3) << 14 | UInt16(data[1]) << 7 | UInt16(data[2])
        if channels == 0 { return [] }
        return steps.enumerated().map { step, hundredths in
            .scaleTuning(channels: channels, step: UInt8(step), hundredths: hundredths, port: port)
        }
    }

    /// One byte: cents around 64. GS and XG use it, too.
    static func hundredths(_ byte: UInt8) -> Int16 { (Int16(byte & 127) - 64) * 100 }

    /// Two bytes: 14 bits of a semitone to either side.
    private static func pairs(_ data: ArraySlice<UInt8>) -> [Int16] {
        let data = Array(data)
        return (0..<data.count / 2).map { index in
            let value = Int(data[index * 2]) << 7 | Int(data[index * 2 + 1])
            return Int16((Float(value - 8_192) * (10_000 / 8_192)).rounded())
        }
    }
}
