/// Bytes of a MIDI cable as words of the MIDI 1.0 protocol. A System Exclusive message may come in pieces, and real-time messages
/// within it.
struct UniversalWords {
    private var exclusive: [UInt8]?
    private var hasBegun = false

    mutating func words(_ bytes: [UInt8]) -> [UInt32] {
        var words: [UInt32] = [], message: [UInt8] = []
        for byte in bytes {
            if byte >= 0xF8 {
                words.append(1 << 28 | UInt32(byte) << 16)
            } else if byte == 0xF0 {
                (exclusive, hasBegun, message) = ([], false, [])
            } else if byte == 0xF7 {
                if let rest = exclusive { words += Self.exclusive(rest, hasBegun ? 3 : 0) }
                exclusive = nil
            } else if byte < 0x80, var rest = exclusive {
                // The sixth byte waits until it is known whether it is the last.
                if rest.count == 6 {
                    words += Self.exclusive(rest, hasBegun ? 2 : 1)
                    (rest, hasBegun) = ([], true)
                }
                rest.append(byte)
                exclusive = rest
            } else {
                if byte >= 0x80 { (exclusive, message) = (nil, [byte]) } else if !message.isEmpty { message.append(byte) }
                guard let status = message.first, message.count == Self.length(status) else { continue }
                message += [0, 0]
                let data = UInt32(message[1]) << 8 | UInt32(message[2])
                words.append((status < 0xF0 ? 2 : 1) << 28 | UInt32(status) << 16 | data)
                // Data bytes that follow are a message with the same status.
                message = status < 0xF0 ? [status] : []
            }
        }
        // At the end of a packet nothing is kept back: the other side may wait for an answer.
        if let rest = exclusive, !rest.isEmpty {
            words += Self.exclusive(rest, hasBegun ? 2 : 1)
            (exclusive, hasBegun) = ([], true)
        }
        return words
    }

    /// The words of a message, by its first.
    static func size(_ word: UInt32) -> Int { [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4][Int(word >> 28)] }

    static func length(_ status: UInt8) -> Int {
        switch status {
        case 0xC0..<0xE0, 0xF1, 0xF3: 2
        case 0xF4...: 1
        default: 3
        }
    }

    private static func exclusive(_ data: [UInt8], _ status: UInt32) -> [UInt32] {
        var bytes = data.map(UInt32.init)
        bytes += [UInt32](repeating: 0, count: 6 - bytes.count)
        return [
            3 << 28 | status << 20 | UInt32(data.count) << 16 | bytes[0] << 8 | bytes[1],
            bytes[2] << 24 | bytes[3] << 16 | bytes[4] << 8 | bytes[5],
        ]
    }

    /// The bytes of words of the MIDI 1.0 protocol, message by message; nil where a word is of MIDI 2.0.
    static func bytes(_ words: [UInt32]) -> [[UInt8]]? {
        var messages: [[UInt8]] = [], place = 0
        while place < words.count {
            let word = words[place], kind = Int(word >> 28)
            place += size(word)
            let parts = [UInt8(truncatingIfNeeded: word >> 16), UInt8(word >> 8 & 127), UInt8(word & 127)]
            switch kind {
            case 0: break
            case 1 where parts[0] >= 0xF1 && parts[0] != 0xF7: messages.append(Array(parts.prefix(length(parts[0]))))
            case 2 where (0x80..<0xF0).contains(parts[0]): messages.append(Array(parts.prefix(length(parts[0]))))
            case 3 where place <= words.count && word >> 20 & 15 < 4:
                let next = words[place - 1], status = word >> 20 & 15
                let data = [word >> 8, word, next >> 24, next >> 16, next >> 8, next].map { UInt8($0 & 127) }
                let piece =
                    (status < 2 ? [0xF0] : []) + data.prefix(Int(min(word >> 16 & 15, 6)))
                    + (status == 0 || status == 3 ? [0xF7] : [])
                messages.append(piece)
            default: return nil
            }
        }
        return messages
    }
}
