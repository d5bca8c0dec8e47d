/// The part of a track that reads strictly by Standard MIDI Files 1.0 (RP-001): delta times and lengths of at most four
/// bytes, data bytes below 128 after a known status, nothing past the end.
///
/// No byte is guessed at, so a track that reads to its End of Track is as it was written. Running status after a meta event
/// or System Exclusive, which the standard forbids, has one meaning only and counts as known.
struct StrictReading {
    /// The delta time of the first event that does not read so, or the offset after End of Track.
    private(set) var end: Int
    private(set) var hasEndOfTrack = false

    /// The track has no byte from `limit` on; `status` is the running status at `start`.
    init(_ bytes: [UInt8], from start: Int, to limit: Int, status: UInt8? = nil) {
        end = start
        var status = status
        while !hasEndOfTrack, case .value(_, let deltaLength) = VariableLengthQuantity.read(bytes, at: end, end: limit) {
            var place = end + deltaLength
            guard place < limit else { return }
            switch bytes[place] {
            case 0xF0, 0xF7, 0xFF:
                let isMeta = bytes[place] == 0xFF
                let lengthOffset = place + (isMeta ? 2 : 1)
                guard
                    case .value(let count, let length) = VariableLengthQuantity.read(bytes, at: lengthOffset, end: limit),
                    count <= limit - lengthOffset - length, !isMeta || bytes[place + 1] < 0x80
                else { return }
                if isMeta, bytes[place + 1] == 0x2F {
                    guard count == 0 else { return }
                    hasEndOfTrack = true
                }
                end = lengthOffset + length + count
            case 0xF1...0xFE: return
            default:
                if bytes[place] > 0x7F {
                    status = bytes[place]
                    place += 1
                }
                guard let status else { return }
                let next = place + (status & 0xE0 == 0xC0 ? 1 : 2)
                guard next <= limit, bytes[place..<next].allSatisfy({ $0 < 0x80 }) else { return }
                end = next
            }
        }
    }
}
