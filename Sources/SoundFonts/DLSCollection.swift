/// The skeleton of a DLS file: every chunk lies inside its parent, every table agrees with what it lists.
///
/// After this whoever follows a length or an index stays inside the file. Source: DLS Level 2.2, chapter 2.
struct DLSCollection {
    /// Instruments listed.
    let instrumentCount: Int
    /// Bytes of all wave data.
    let waveMemory: Int
    /// Instruments that have a place, ordered by it.
    let presets: [SoundFontFile.Preset]

    /// Deepest nesting the format has is five lists.
    private static let deepest = 8
    /// Chunks in one file; a full GM set has about ten thousand.
    private static let mostChunks = 200_000

    /// What libinstpatch takes for granted inside these lists.
    private static let required = [
        "ins ": ["insh"], "rgn ": ["rgnh", "wlnk"], "rgn2": ["rgnh", "wlnk"], "wave": ["fmt ", "data"],
    ]

    init(_ file: borrowing SoundFontBytes, _ riff: RIFFChunk) throws(SoundFontError) {
        var walk = Walk()
        try walk.children(file, "DLS ", start: riff.start + 4, end: riff.end, depth: 0)
        for (count, what) in [(walk.instruments, "lins"), (walk.waves, "wvpl"), (walk.pools, "ptbl")]
        where count == 0 {
            throw .missingChunk(path: file.path, chunk: what, offset: riff.start + 4, found: "none")
        }
        try walk.checkLinks(file)
        instrumentCount = walk.instruments
        waveMemory = walk.waveBytes
        presets = walk.presets.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
    }

    private struct Walk {
        var instruments = 0, waves = 0, pools = 0, waveBytes = 0, chunks = 0
        /// Where the wave pool's content begins, and where its waves stand, counted from there.
        private var poolStart = 0
        private var waveStarts: Set<Int> = []
        /// The pool table's entries and the regions' indices into it, with their places in the file.
        private var cues: [(offset: Int, value: Int)] = []
        private var links: [(offset: Int, value: Int)] = []
        var presets: [SoundFontFile.Preset] = []
        /// What is known of the instrument whose list is being read.
        private var place: (bank: Int, program: Int)?
        private var name: String?

        mutating func children(
            _ file: borrowing SoundFontBytes, _ parent: String, start: Int, end: Int, depth: Int
        ) throws(SoundFontError) {
            guard depth < DLSCollection.deepest else {
                throw .tooMany(path: file.path, what: "nested lists", count: depth, limit: DLSCollection.deepest)
            }
            var at = start
            var missing = DLSCollection.required[parent] ?? []
            while at < end {
                let chunk = try file.chunk(parent, at: at, before: end)
                missing.removeAll { $0 == chunk.text }
                chunks += 1
                guard chunks <= DLSCollection.mostChunks else {
                    throw .tooMany(path: file.path, what: "chunks", count: chunks, limit: DLSCollection.mostChunks)
                }
                try read(file, chunk, depth)
                at = min(chunk.end + chunk.size % 2, max(end, chunk.end))
            }
            if let chunk = missing.first {
                throw .missingChunk(path: file.path, chunk: chunk, offset: start, found: "the end of \(parent)")
            }
        }

        private mutating func read(
            _ file: borrowing SoundFontBytes, _ chunk: RIFFChunk, _ depth: Int
        ) throws(SoundFontError) {
            switch chunk.text {
            case "LIST":
                let form = RIFFChunk.text(try file.read("LIST", at: chunk.start, count: 4, before: chunk.end))
                if form == "ins " {
                    instruments += 1
                    (place, name) = (nil, nil)
                }
                if form == "wvpl" { poolStart = chunk.start + 4 }
                if form == "wave" {
                    waves += 1
                    waveStarts.insert(chunk.start - 8 - poolStart)
                }
                try children(file, form, start: chunk.start + 4, end: chunk.end, depth: depth + 1)
                if form == "ins ", let place {
                    presets.append(SoundFontFile.Preset(bank: place.bank, program: place.program, name: name ?? ""))
                    (self.place, name) = (nil, nil)
                }
            case "insh": place = try Self.place(bank: number(file, chunk, at: 4), program: number(file, chunk, at: 8))
            case "INAM" where name == nil:
                name = RIFFChunk.text(
                    Array(try file.read("INAM", at: chunk.start, count: min(chunk.size, 256)).prefix { $0 != 0 }))
            case "ptbl":
                let head = try number(file, chunk, at: 0)
                let count = try number(file, chunk, at: 4)
                pools += 1
                guard head >= 8, head <= chunk.size, count <= (chunk.size - head) / 4 else {
                    throw .chunkSize(
                        path: file.path, chunk: "ptbl", offset: chunk.start - 8, size: chunk.size, recordSize: 4,
                        fewest: count)
                }
                guard cues.count + count <= DLSCollection.mostChunks else {
                    throw .tooMany(
                        path: file.path, what: "entries of ptbl", count: count, limit: DLSCollection.mostChunks)
                }
                for entry in 0..<count {
                    let at = head + 4 * entry
                    cues.append((chunk.start + at, try number(file, chunk, at: at)))
                }
            case "fmt ":
                let rate = try number(file, chunk, at: 4)
                guard SampleHeader.sampleRates.contains(rate) else {
                    throw .value(
                        path: file.path, chunk: "fmt ", offset: chunk.start - 8, field: "rate of wave \(waves - 1)",
                        value: rate, allowed: SampleHeader.sampleRates)
                }
            case "wlnk": links.append((chunk.start + 8, try number(file, chunk, at: 8)))
            case "wsmp":
                let head = try number(file, chunk, at: 0)
                let loops = try number(file, chunk, at: 16)
                guard head >= 20, head <= chunk.size, loops <= (chunk.size - head) / 16 else {
                    throw .chunkSize(
                        path: file.path, chunk: "wsmp", offset: chunk.start - 8, size: chunk.size, recordSize: 16,
                        fewest: loops)
                }
            case "data": waveBytes += chunk.size
            default: break
            }
        }

        /// Regions name entries of the pool table, and these name waves: libinstpatch follows both unchecked.
        func checkLinks(_ file: borrowing SoundFontBytes) throws(SoundFontError) {
            for (record, cue) in cues.enumerated() where !waveStarts.contains(cue.value) {
                throw .index(
                    path: file.path, chunk: "ptbl", offset: cue.offset, record: record, value: cue.value,
                    allowed: 0...max(0, waveStarts.max() ?? 0))
            }
            for (record, link) in links.enumerated() where link.value >= cues.count {
                throw .index(
                    path: file.path, chunk: "wlnk", offset: link.offset, record: record, value: link.value,
                    allowed: 0...max(0, cues.count - 1))
            }
        }

        /// Bit 31 of the bank marks drums; else controller 0 stands in bits 8...14 and controller 32 in bits 0...6.
        private static func place(bank: Int, program: Int) -> (bank: Int, program: Int) {
            let upper = bank >> 8 & 127, lower = bank & 127
            return (bank >> 31 & 1 == 1 ? 128 : upper == 0 || upper == 121 ? lower : upper, program & 127)
        }

        private func number(
            _ file: borrowing SoundFontBytes, _ chunk: RIFFChunk, at offset: Int
        ) throws(SoundFontError) -> Int {
            let bytes = try file.read(chunk.text, at: chunk.start + offset, count: 4, before: chunk.end)
            return RecordTable(chunk: chunk.text, start: chunk.start, recordSize: 4, bytes: bytes).long(0, 0)
        }
    }
}
