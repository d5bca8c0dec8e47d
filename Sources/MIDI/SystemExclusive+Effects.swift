/// GM2 global parameter control: F0 7F dd 04 05, how many bytes the slot path, the numbers and the values take, the path, then
/// numbers and values. The reverb is slot 1 1, the chorus 1 2. Source: General MIDI 2, "Global parameter control" (CA-024).
extension SystemExclusive {
    func effects(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        let data = message[4...].map { $0 & 127 }
        guard data.count >= 5, data[0] == 1, data[1] == 1, data[2] == 1, data[3] == 1 else { return [] }
        let pairs = data[5...]
        return stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2).flatMap { index -> [MusicEvent] in
            let value = pairs[index + 1]
            guard let parameter = EffectParameter.allCases.first(where: { $0.address == (data[4], pairs[index]) }) else {
                return []
            }
            // A type is what it is made of; it comes last, so that it is the one that was meant.
            let parts = EffectParameter.preset(of: parameter, value) + [(parameter, value)]
            return parts.map { .effect($0.value(of: $1), of: $0, port: port) }
        }
    }
}
