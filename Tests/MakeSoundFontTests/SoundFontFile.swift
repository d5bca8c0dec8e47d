/// A strict reader of SoundFont 2.04 for tests: every chunk in its place, every record read, nothing repaired.
struct SoundFontFile {
    struct Header {
        var name: String, start: Int, end: Int, loopStart: Int, loopEnd: Int, rate: Int, key: Int, correction: Int
        var link: Int, kind: Int
        /// The largest magnitude of its frames.
        var peak: Int
    }

    struct Zone {
        var generators: [Int: Int]
        var order: [Int]
        var keys: ClosedRange<Int>
    }

    struct Preset {
        var name: String, number: Int, bank: Int, zones: [Zone]
    }

    enum Fault: Error {
        case chunk(String)
        case size(String)
    }

    private(set) var frames: [Int16] = []
    private(set) var headers: [Header] = []
    private(set) var presets: [Preset] = []
    private(set) var chunks: [String] = []
    private(set) var tables: [String: [UInt8]] = [:]

    static let recordSizes = [
        "phdr": 38, "pbag": 4, "pmod": 10, "pgen": 4, "inst": 22, "ibag": 4, "imod": 10, "igen": 4, "shdr": 46,
    ]

    init(_ bytes: [UInt8]) throws {
        guard Self.text(bytes, 0, 4) == "RIFF", Self.text(bytes, 8, 4) == "sfbk" else { throw Fault.chunk("RIFF") }
        guard Self.long(bytes, 4) == bytes.count - 8 else { throw Fault.size("RIFF") }
        try readChunks(bytes, 12, bytes.count)
        frames = (0..<(tables["smpl"] ?? []).count / 2).map {
            Int16(truncatingIfNeeded: Self.word(tables["smpl"] ?? [], 2 * $0))
        }
        for (name, size) in Self.recordSizes.sorted(by: { $0.key < $1.key }) {
            guard let table = tables[name] else { throw Fault.chunk(name) }
            guard table.count % size == 0, table.count >= size else { throw Fault.size(name) }
        }
        readHeaders()
        readPresets()
    }

    private mutating func readChunks(_ bytes: [UInt8], _ start: Int, _ end: Int) throws {
        var position = start
        while position + 8 <= end {
            let name = Self.text(bytes, position, 4)
            let size = Self.long(bytes, position + 4)
            guard position + 8 + size <= end else { throw Fault.size(name) }
            if name == "LIST" {
                chunks.append(Self.text(bytes, position + 8, 4))
                try readChunks(bytes, position + 12, position + 8 + size)
            } else {
                chunks.append(name)
                tables[name] = Array(bytes[position + 8..<position + 8 + size])
            }
            position += 8 + size + size % 2
        }
        guard position == end else { throw Fault.size("list") }
    }

    private mutating func readHeaders() {
        let table = tables["shdr"] ?? []
        for offset in stride(from: 0, to: table.count - 46, by: 46) {
            let longs = (0..<5).map { Self.long(table, offset + 20 + 4 * $0) }
            headers.append(
                Header(
                    name: Self.text(table, offset, 20), start: longs[0], end: longs[1], loopStart: longs[2],
                    loopEnd: longs[3], rate: longs[4], key: Int(table[offset + 40]),
                    correction: Int(Int8(bitPattern: table[offset + 41])), link: Self.word(table, offset + 42),
                    kind: Self.word(table, offset + 44),
                    peak: longs[0] < longs[1] && longs[1] <= frames.count
                        ? frames[longs[0]..<longs[1]].reduce(0) { max($0, abs(Int($1))) } : 0))
        }
    }

    /// Every preset has one zone, which names the instrument of the same index.
    private mutating func readPresets() {
        let phdr = tables["phdr"] ?? []
        let inst = tables["inst"] ?? []
        let ibag = tables["ibag"] ?? []
        let igen = tables["igen"] ?? []
        for index in 0..<phdr.count / 38 - 1 {
            let first = Self.word(inst, index * 22 + 20)
            let last = Self.word(inst, index * 22 + 42)
            let zones = (first..<last).map { bag in
                var generators: [Int: Int] = [:]
                var order: [Int] = []
                for g in Self.word(ibag, bag * 4)..<Self.word(ibag, bag * 4 + 4) {
                    order.append(Self.word(igen, g * 4))
                    generators[order[order.count - 1]] = Int(Int16(truncatingIfNeeded: Self.word(igen, g * 4 + 2)))
                }
                let range = generators[43] ?? 0x7F00
                return Zone(generators: generators, order: order, keys: (range & 0x7F)...(range >> 8 & 0x7F))
            }
            presets.append(
                Preset(
                    name: Self.text(phdr, index * 38, 20), number: Self.word(phdr, index * 38 + 20),
                    bank: Self.word(phdr, index * 38 + 22), zones: zones))
        }
    }

    static func word(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    static func long(_ bytes: [UInt8], _ at: Int) -> Int { word(bytes, at) | word(bytes, at + 2) << 16 }
    static func text(_ bytes: [UInt8], _ at: Int, _ count: Int) -> String {
        String(decoding: bytes[at..<at + count].prefix { $0 != 0 }, as: UTF8.self)
    }
}
