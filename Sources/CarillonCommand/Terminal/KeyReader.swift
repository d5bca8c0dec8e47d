/// Bytes from a terminal become keys. Sequences may come in pieces over any number of reads.
///
/// Escape alone and the beginning of a sequence look alike: when `isWaiting` and nothing has come for `patience`, call
/// `timeout`.
struct KeyReader {
    /// Milliseconds after which an Escape is a key of its own: long enough for a slow line, too short for a finger.
    static let patience = 60
    /// The number of bytes after which a sequence is abandoned.
    private static let longestSequence = 64

    private enum State {
        case ground
        /// Escape has come.
        case escape
        /// Escape [ has come, and these bytes since.
        case sequence([UInt8])
        /// Escape O has come.
        case single
        /// Escape [[ has come, as the Linux console sends for F1 to F5.
        case console
        /// A paste has begun and not ended; the bytes that match its end so far.
        case paste(matched: Int)
        /// A text that the terminal itself sends has begun: ends with BEL, or Escape and a backslash.
        case text(escaped: Bool)
        /// A character of several bytes has begun; those that have come, and how many are missing.
        case character([UInt8], missing: Int)
    }

    private static let endOfPaste = Array("\u{1B}[201~".utf8)
    private var state = State.ground

    /// True while an Escape has come alone.
    var isWaiting: Bool {
        switch state {
        case .escape, .sequence, .single, .console: true
        case .ground, .paste, .text, .character: false
        }
    }

    mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// The keys that there are when nothing follows.
    mutating func timeout() -> [Key] {
        defer { if isWaiting { state = .ground } }
        switch state {
        case .escape: return [.escape]
        case .sequence(let bytes) where bytes.isEmpty: return [.alt("[")]
        case .single: return [.alt("O")]
        case .sequence, .console: return [.unknown]
        case .ground, .paste, .text, .character: return []
        }
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: state = ground(byte, &keys)
        case .escape: state = afterEscape(byte, &keys)
        case .sequence(let bytes): state = inSequence(bytes, byte, &keys)
        case .single:
            keys.append(Self.named(byte))
            state = .ground
        case .console:
            keys.append(.unknown)
            state = .ground
        case .paste(let matched):
            let next = byte == Self.endOfPaste[matched] ? matched + 1 : byte == 0x1B ? 1 : 0
            if next == Self.endOfPaste.count { keys.append(.paste) }
            state = next == Self.endOfPaste.count ? .ground : .paste(matched: next)
        case .text(let isEscaped):
            let isEnd = byte == 0x07 || (isEscaped && byte == UInt8(ascii: "\\"))
            state = isEnd ? .ground : .text(escaped: byte == 0x1B)
        case .character(let bytes, let missing):
            // What is no continuation begins anew: the character before it was damaged.
            if byte & 0xC0 != 0x80 {
                state = .ground
                take(byte, &keys)
            } else if missing > 1 {
                state = .character(bytes + [byte], missing: missing - 1)
            } else {
                let text = String(validating: bytes + [byte], as: UTF8.self)
                keys.append(text?.first.map(Key.character) ?? .unknown)
                state = .ground
            }
        }
    }

    private func ground(_ byte: UInt8, _ keys: inout [Key]) -> State {
        switch byte {
        case 0x1B: return .escape
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: return .character([byte], missing: 1)
        case 0xE0...0xEF: return .character([byte], missing: 2)
        case 0xF0...0xF4: return .character([byte], missing: 3)
        default: keys.append(.unknown)
        }
        return .ground
    }

    private func afterEscape(_ byte: UInt8, _ keys: inout [Key]) -> State {
        switch byte {
        case UInt8(ascii: "["): return .sequence([])
        case UInt8(ascii: "O"): return .single
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): return .text(escaped: false)
        case 0x1B:
            keys.append(.escape)
            return .escape
        case 0x20...0x7E: keys.append(.alt(Character(Unicode.Scalar(byte))))
        default: keys.append(.unknown)
        }
        return .ground
    }

    private func inSequence(_ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) -> State {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty: return .console
        case 0x20...0x3F: return bytes.count < Self.longestSequence ? .sequence(bytes + [byte]) : .ground
        case 0x40...0x7E:
            if byte == UInt8(ascii: "~") && bytes == Array("200".utf8) { return .paste(matched: 0) }
            keys.append(byte == UInt8(ascii: "~") ? Self.numbered(bytes) : Self.named(byte))
        case 0x1B:
            keys.append(.unknown)
            return .escape
        default: keys.append(.unknown)
        }
        return .ground
    }

    /// The key of `ESC [ 1 ; modifier A` or `ESC O A`. Modifiers change nothing.
    private static func named(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        default: .unknown
        }
    }

    /// The key of `ESC [ 5 ~` or `ESC [ 5 ; modifier ~`.
    private static func numbered(_ bytes: [UInt8]) -> Key {
        switch Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) {
        case 1, 7: .home
        case 4, 8: .end
        case 3: .delete
        case 5: .pageUp
        case 6: .pageDown
        default: .unknown
        }
    }
}
