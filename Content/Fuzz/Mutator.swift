/// Damages a file as disks, converters and attackers do, and in ways of its own.
///
/// The steps know chunks, lengths and records of both kinds of file, so that most results get past the first check.
struct Mutator {
    /// The kind of file that the bytes are: decides the byte order of lengths and the words of the dictionary.
    enum Kind { case song, soundFont }

    let kind: Kind
    var random: RandomSource
    /// No step makes a file longer than this. Unit: bytes.
    static let longest = 8 << 20

    /// One to eight steps on `bytes`; `other` lends material.
    mutating func mutated(_ bytes: [UInt8], with other: [UInt8]) -> [UInt8] {
        if kind == .soundFont, !random.oneIn(4), let tree = RIFFTree(bytes) { return mutatedInside(tree) }
        var bytes = bytes
        for _ in 0..<1 + random.below(random.oneIn(3) ? 8 : 3) where !bytes.isEmpty {
            step(&bytes, other)
            if bytes.count > Self.longest { bytes.removeLast(bytes.count - Self.longest) }
        }
        return bytes
    }

    private mutating func step(_ bytes: inout [UInt8], _ other: [UInt8]) {
        switch random.below(kind == .song ? 14 : 18) {
        case 0: for _ in 0...random.below(8) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        case 1: bytes[random.below(bytes.count)] = UInt8(random.below(256))
        case 2: bytes[random.below(bytes.count)] = random.pick([0, 1, 0x7F, 0x80, 0xFF, 0xF0, 0xF7, 0x90, 0xB0, 0x2F])
        case 3: bytes.insert(contentsOf: noise(1 + random.below(16)), at: random.below(bytes.count + 1))
        case 4: bytes.removeSubrange(piece(of: bytes, atMost: 64))
        case 5: bytes.removeLast(1 + random.below(random.oneIn(2) ? bytes.count : min(bytes.count, 40)))
        case 6:
            let copy = Array(bytes[piece(of: bytes, atMost: 512)])
            bytes.insert(contentsOf: copy, at: random.below(bytes.count + 1))
        case 7: insertToken(&bytes)
        case 8: setLength(&bytes)
        case 9: moveChunk(&bytes)
        case 10:
            let padding = [UInt8](repeating: 0x80, count: 1 + random.below(6))
            bytes.insert(contentsOf: padding, at: random.below(bytes.count))
        case 11: bytes = Array(bytes.prefix(random.below(bytes.count))) + other.suffix(random.below(other.count + 1))
        case 12: setWord(&bytes, at: random.below(bytes.count), width: random.pick([2, 3, 4]))
        case 13: repeatPiece(&bytes)
        default: setRecordField(&bytes)
        }
    }

    private mutating func mutatedInside(_ tree: RIFFTree) -> [UInt8] {
        var tree = tree
        for _ in 0...random.below(4) {
            tree.changeLeaf(random.below(tree.leafCount)) { name, body in
                let size = Self.recordSizes.first { $0.name == name }?.size
                damage(&body, recordSize: size ?? random.pick([1, 2, 2, 4, 12]), isTable: size != nil)
            }
        }
        return tree.bytes
    }

    /// Numbers in records of `recordSize` bytes, or whole records that go, come twice or swap places. A table loses
    /// records rarely: others count on their number.
    private mutating func damage(_ body: inout [UInt8], recordSize: Int, isTable: Bool) {
        let records = body.count / recordSize
        guard records > 0 else { return }
        let record = random.below(records) * recordSize
        switch random.below(isTable ? 24 : 8) {
        case 0: body.removeSubrange(record..<record + recordSize)
        case 1: body.insert(contentsOf: body[record..<record + recordSize], at: record)
        case 2:
            let copy = body[record..<record + recordSize]
            body.insert(contentsOf: (0..<random.pick([4, 30, 300])).flatMap { _ in copy }, at: record)
        case 3:
            let other = random.below(records) * recordSize
            for i in 0..<recordSize { body.swapAt(record + i, other + i) }
        case 4: body[record + random.below(recordSize)] ^= 1 << UInt8(random.below(8))
        case 5: body[record + random.below(recordSize)] = UInt8(random.below(256))
        default:
            let width = recordSize == 46 && random.oneIn(2) ? 4 : min(2, recordSize)
            let field = width * random.below(max(1, recordSize / width))
            setWord(&body, at: record + field, width: width)
        }
    }

    private mutating func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random.below(256)) } }

    private mutating func piece(of bytes: [UInt8], atMost longest: Int) -> Range<Int> {
        let start = random.below(bytes.count)
        return start..<start + 1 + random.below(min(longest, bytes.count - start))
    }

    private mutating func insertToken(_ bytes: inout [UInt8]) {
        let token = random.pick(kind == .song ? Self.songTokens : Self.soundFontTokens)
        let at = random.below(bytes.count)
        if random.oneIn(2) {
            bytes.insert(contentsOf: token, at: at)
        } else {
            bytes.replaceSubrange(at..<min(at + token.count, bytes.count), with: token)
        }
    }

    private mutating func setLength(_ bytes: inout [UInt8]) {
        let chunks = chunks(in: bytes)
        guard !chunks.isEmpty else { return }
        setWord(&bytes, at: random.pick(chunks) + 4, width: 4)
    }

    private mutating func moveChunk(_ bytes: inout [UInt8]) {
        let chunks = chunks(in: bytes)
        guard !chunks.isEmpty else { return }
        let index = random.below(chunks.count)
        let end = index + 1 < chunks.count ? chunks[index + 1] : bytes.count
        let chunk = Array(bytes[chunks[index]..<end])
        let target = random.pick(chunks)
        switch random.below(3) {
        case 0: bytes.removeSubrange(chunks[index]..<end)
        case 1: bytes.insert(contentsOf: chunk, at: target)
        default:
            bytes.removeSubrange(chunks[index]..<end)
            bytes.insert(contentsOf: chunk, at: min(target, bytes.count))
        }
    }

    /// A few bytes many times over: thousands of events, zones or chunks.
    private mutating func repeatPiece(_ bytes: inout [UInt8]) {
        let copy = bytes[piece(of: bytes, atMost: 64)]
        let times = random.pick([3, 20, 200, 3_000])
        let at = random.below(bytes.count + 1)
        bytes.insert(contentsOf: (0..<times).flatMap { _ in copy }, at: at)
    }

    /// A field of a record of `pdta`: the numbers that a loader follows.
    private mutating func setRecordField(_ bytes: inout [UInt8]) {
        let tables = chunks(in: bytes).filter { at in
            Self.recordSizes.contains { bytes[at..<at + 4].elementsEqual($0.name) }
        }
        guard !tables.isEmpty else { return }
        for _ in 0...random.below(4) {
            let at = random.pick(tables)
            guard let table = Self.recordSizes.first(where: { bytes[at..<at + 4].elementsEqual($0.name) })
            else { continue }
            let size = (0..<4).reduce(0) { $0 | Int(bytes[at + 4 + $1]) << (8 * $1) }
            let records = min(size, bytes.count - at - 8) / table.size
            guard records > 0 else { continue }
            let field = table.size == 4 ? 2 * random.below(2) : 2 * random.below(table.size / 2)
            setWord(&bytes, at: at + 8 + random.below(records) * table.size + field, width: 2)
        }
    }

    private mutating func setWord(_ bytes: inout [UInt8], at: Int, width: Int) {
        guard at + width <= bytes.count else { return }
        let isBig = kind == .song ? !random.oneIn(8) : random.oneIn(8)
        let order = (0..<width).map { isBig ? width - 1 - $0 : $0 }
        let old = order.enumerated().reduce(0) { $0 | Int(bytes[at + $1.offset]) << (8 * $1.element) }
        let value =
            switch random.below(4) {
            case 0: old &+ random.pick([-2, -1, 1, 2, 4, 100])
            case 1: random.pick([0, 1, 2, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF])
            case 2: random.pick([0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF8, 0x10_0000, 0x100_0000])
            default: random.below(random.oneIn(2) ? 70_000 : 1 << 32)
            }
        for (i, shift) in order.enumerated() { bytes[at + i] = UInt8(truncatingIfNeeded: value >> (8 * shift)) }
    }

    private func chunks(in bytes: [UInt8]) -> [Int] {
        guard bytes.count >= 8 else { return [] }
        let names = kind == .song ? Self.songChunks : Self.soundFontChunks
        return (0...bytes.count - 8).filter { at in names.contains { bytes[at..<at + 4].elementsEqual($0) } }
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let songChunks = ["MThd", "MTrk", "RIFF", "RMID", "data", "LIST"].map(ascii)
    private static let soundFontChunks = [
        "RIFF", "LIST", "ifil", "isng", "INAM", "smpl", "sm24", "phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod",
        "igen", "shdr", "OggS", "colh", "insh", "rgnh", "wsmp", "wlnk", "ptbl", "fmt ", "data", "art1",
    ].map(ascii)
    private static let recordSizes: [(name: [UInt8], size: Int)] = [
        ("phdr", 38), ("pbag", 4), ("pmod", 10), ("pgen", 4), ("inst", 22), ("ibag", 4), ("imod", 10), ("igen", 4),
        ("shdr", 46),
    ].map { (ascii($0.0), $0.1) }

    private static let songTokens: [[UInt8]] =
        songChunks + [
            [0x00, 0xFF, 0x2F, 0x00], [0xFF, 0x51, 0x03, 0x00, 0x00, 0x01], [0xFF, 0x51, 0x03, 0xFF, 0xFF, 0xFF],
            [0xFF, 0x58, 0x04, 0x04, 0x02, 0x18, 0x08], [0xFF, 0x21, 0x01, 0x0F], [0xFF, 0x01, 0x81, 0x48],
            [0xFF, 0xFF, 0xFF, 0x7F], [0x8F, 0xFF, 0xFF, 0x7F], [0x80, 0x80, 0x80, 0x00], [0xF0, 0x81, 0x00],
            [0xF0, 0x05, 0x7E, 0x7F, 0x09, 0x01, 0xF7], [0xF7, 0x00], [0x00, 0x90, 0x3C, 0x64],
            [0x00, 0xB0, 0x78, 0x00],
            [0xF0, 0x0A, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7],
            [0x00, 0xB0, 0x65, 0x00, 0x00, 0x64, 0x00, 0x00, 0x06, 0x7F], [0x00, 0xE0, 0x7F, 0x7F], [0xE7, 0x28],
        ]
    private static let soundFontTokens: [[UInt8]] =
        soundFontChunks + [
            [0xFF, 0xFF], [0x00, 0x80], [0xFF, 0x7F], [0x29, 0x00, 0x00, 0x00], [0x35, 0x00, 0x01, 0x00],
            [0x36, 0x00, 0x01, 0x00], [0x36, 0x00, 0x03, 0x00], [0x2B, 0x00, 0x00, 0x7F], [0x3A, 0x00, 0x7F, 0x00],
            [0x38, 0x00, 0x00, 0x00], [0x33, 0x00, 0xFF, 0x7F], [0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ]
}
