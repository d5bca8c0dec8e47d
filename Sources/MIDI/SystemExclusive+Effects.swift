/// GM2 global parameter control: F0 7F dd 04 05, how many bytes the slot path, the numbers and the values take, the path, then
/// numbers and values. The reverb is slot 1 1, the chorus 1 2. Source: General MIDI 2, "Global parameter control" (CA-024).
extension SystemExclusive {
    func effects(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        let data = message[4...].map { $0 & 127 }
        guard data.count >= 5, data[0] == 1, data[1] == 1, data[2] == 1, data[3] == 1 else { return [] }
        let pairs = data[5...]
        return stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2).flatMap { index -> [MusicEvent] in
            let value = pairs[index + 1]
            let found = EffectParameter.allCases.first { parameter in
                parameter.address.map { $0 == (data[4], pairs[index]) } ?? false
            }
            guard let found else { return [] }
            // A type is what it is made of; it comes last, so that it is the one that was meant.
            let parts = EffectParameter.preset(of: found, value) + [(found, value)]
            return parts.map { .effect($0.value(of: $1), of: $0, port: port) }
        }
    }
}

extension EffectParameter {
    /// Returns a System Exclusive message that sets the parameter: GM2's, or GS's for what GM2 has not; nil for the delay,
    /// which comes with the type of chorus. Control side.
    public func message(_ value: Float) -> [UInt8]? {
        let byte = byte(of: value == Self.asSet ? initialValue : value)
        if let (slot, number) = address {
            return [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, slot, number, byte, 0xF7]
        }
        return RolandEffects.address(of: self).map { RolandMessage.bytes([0x40, 0x01, $0, byte]) }
    }
}
