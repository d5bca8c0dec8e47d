/// Walks the chunks of a DLS file and collects its instruments, waves and faults.
struct DLSWalk {
    private(set) var instrumentCount = 0, waveCount = 0, pools = 0, waveBytes = 0
    private(set) var presets: [SoundFontFile.Preset] = []
    private(set) var instruments: [DLSInstrument] = []
    private(set) var waves: [DLSWave] = []
    private(set) var faults: [SoundFontFile.Fault] = []
    private var chunks = 0
    /// Where the wave pool's content begins, and which wave begins where, counted from there.
    private var poolStart = 0
    private var waveStarts: [Int: Int] = [:]
    /// The pool table's entries and the regions' indices into it, with their places in the file.
    private var cues: [(offset: Int, value: Int)] = []
    private var links: [(offset: Int, value: Int)] = []
    private var instrument: DLSInstrument?
    private var region: DLSRegion?
    private var name: String?
    private var hasPlace = false
    private var format: DLSWaveFormat?
    private var tuning: DLSTuning?
    private var data: Range<Int>?
    /// MobileBAE's chunk `pgal`: the key that sounds for each key of a kit, and other places of melodic instruments.
    private(set) var drumKeys: [Int]?
    private var aliases: [(place: (bank: Int, program: Int), of: (bank: Int, program: Int))] = []

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
            if chunk.text == "LIST" { try list(file, chunk, depth) } else { try leaf(file, chunk) }
            at = min(chunk.end + chunk.size % 2, max(end, chunk.end))
        }
        if let chunk = missing.first {
            throw .missingChunk(path: file.path, chunk: chunk, offset: start, found: "the end of \(parent)")
        }
    }

    private mutating func list(
        _ file: borrowing SoundFontBytes, _ chunk: RIFFChunk, _ depth: Int
    ) throws(SoundFontError) {
        let form = RIFFChunk.text(try file.read("LIST", at: chunk.start, count: 4, before: chunk.end))
        switch form {
        case "ins ":
            instrumentCount += 1
            (instrument, name, hasPlace) = (DLSInstrument(bank: 0, program: 0), nil, false)
        case "rgn ", "rgn2": region = DLSRegion()
        case "wvpl": poolStart = chunk.start + 4
        case "wave":
            waveStarts[chunk.start - 8 - poolStart] = waves.count
            waveCount += 1
            (format, tuning, data) = (nil, nil, nil)
        default: break
        }
        try children(file, form, start: chunk.start + 4, end: chunk.end, depth: depth + 1)
        switch form {
        case "ins ":
            if let instrument, hasPlace {
                presets.append(
                    SoundFontFile.Preset(bank: instrument.bank, program: instrument.program, name: name ?? ""))
                instruments.append(instrument)
            }
            (instrument, name) = (nil, nil)
        case "rgn ", "rgn2":
            if let region { instrument?.regions.append(region) }
            region = nil
        case "wave": endWave()
        default: break
        }
    }

    /// Format and data are there, or the list would have been refused.
    private mutating func endWave() {
        guard let format, let data else { return }
        let wave = DLSWave(format, data: data, tuning: tuning)
        if !format.isPlayable {
            faults.append(.waveEncoding(wave: waves.count, format: format.tag, bits: format.bits))
        } else if wave.stored == nil {
            faults.append(.sampleTooShort(sample: "\(waves.count)", frames: data.count * 8 / format.bits / format.channels))
        }
        waves.append(wave)
    }

    private mutating func leaf(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) {
        switch chunk.text {
        case "insh":
            let place = Self.place(bank: try number(file, chunk, at: 4), program: try number(file, chunk, at: 8))
            instrument?.bank = place.bank
            instrument?.program = place.program
            hasPlace = true
        case "INAM" where name == nil:
            name = RIFFChunk.text(
                Array(try file.read("INAM", at: chunk.start, count: min(chunk.size, 256)).prefix { $0 != 0 }))
        case "rgnh":
            let header = try record(file, chunk, 12)
            region?.readHeader(header)
        case "wlnk":
            let cue = try number(file, chunk, at: 8)
            links.append((chunk.start + 8, cue))
            region?.cue = cue
        case "art1", "art2": try articulation(file, chunk)
        case "ptbl": try pool(file, chunk)
        case "pgal": try readAliases(file, chunk)
        case "fmt ":
            let bytes = try record(file, chunk, 16)
            let rate = bytes.long(0, 4)
            guard SampleHeader.sampleRates.contains(rate) else {
                throw .value(
                    path: file.path, chunk: "fmt ", offset: chunk.start - 8, field: "rate of wave \(waveCount - 1)",
                    value: rate, allowed: SampleHeader.sampleRates)
            }
            format = DLSWaveFormat(tag: bytes.word(0, 0), channels: bytes.word(0, 2), rate: rate, bits: bytes.word(0, 14))
        case "wsmp": try waveSample(file, chunk)
        case "data":
            waveBytes += chunk.size
            data = chunk.start..<chunk.end
        default: break
        }
    }

    private mutating func pool(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) {
        let head = try number(file, chunk, at: 0)
        let count = try number(file, chunk, at: 4)
        pools += 1
        guard head >= 8, head <= chunk.size, count <= (chunk.size - head) / 4 else {
            throw .chunkSize(
                path: file.path, chunk: "ptbl", offset: chunk.start - 8, size: chunk.size, recordSize: 4, fewest: count)
        }
        guard cues.count + count <= DLSCollection.mostChunks else {
            throw .tooMany(path: file.path, what: "entries of ptbl", count: count, limit: DLSCollection.mostChunks)
        }
        for entry in 0..<count {
            let at = head + 4 * entry
            cues.append((chunk.start + at, try number(file, chunk, at: at)))
        }
    }

    /// Source: https://lpcwiki.miraheze.org/wiki/MobileBAE, "Proprietary instrument aliasing chunk"; libfluidsynth 2.5.7.
    private mutating func readAliases(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) {
        // A version comes first, or the table at once, which begins with keys 0, 1, 2 and 3.
        let start = try number(file, chunk, at: 0) == 0x0302_0100 ? 0 : 4
        let count = try number(file, chunk, at: start + 128)
        guard count <= (chunk.size - start - 132) / 8 else {
            throw .chunkSize(
                path: file.path, chunk: "pgal", offset: chunk.start - 8, size: chunk.size, recordSize: 8, fewest: count)
        }
        guard count <= DLSCollection.mostChunks else {
            throw .tooMany(path: file.path, what: "entries of pgal", count: count, limit: DLSCollection.mostChunks)
        }
        let table = try record(file, chunk, start + 132 + 8 * count)
        drumKeys = (0..<128).map { table.byte(0, start + $0) & 127 }
        for at in (0..<count).map({ start + 132 + 8 * $0 }) {
            func place(_ at: Int) -> (bank: Int, program: Int) {
                let bank = table.word(0, at)
                return Self.place(bank: (bank >> 7 & 127) << 8 | bank & 127, program: table.byte(0, at + 2))
            }
            aliases.append((place(at), place(at + 4)))
        }
    }

    /// The instruments once more, at other places that the file names.
    var aliased: [(instrument: DLSInstrument, preset: SoundFontFile.Preset)] {
        aliases.compactMap { alias in
            guard let index = presets.firstIndex(where: { ($0.bank, $0.program) == alias.of }) else { return nil }
            var instrument = instruments[index]
            (instrument.bank, instrument.program) = alias.place
            let (bank, program) = alias.place
            return (instrument, SoundFontFile.Preset(bank: bank, program: program, name: presets[index].name))
        }
    }

    private mutating func waveSample(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) {
        let head = try number(file, chunk, at: 0)
        let loops = try number(file, chunk, at: 16)
        guard head >= 20, head <= chunk.size, loops <= (chunk.size - head) / 16 else {
            throw .chunkSize(
                path: file.path, chunk: "wsmp", offset: chunk.start - 8, size: chunk.size, recordSize: 16, fewest: loops)
        }
        let read = DLSTuning(try record(file, chunk, min(chunk.size, head + 16)))
        if region != nil { region?.tuning = read } else { tuning = read }
    }

    private mutating func articulation(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) {
        let head = try number(file, chunk, at: 0)
        let count = try number(file, chunk, at: 4)
        guard head >= 8, head <= chunk.size, count <= (chunk.size - head) / 12 else {
            throw .chunkSize(
                path: file.path, chunk: chunk.text, offset: chunk.start - 8, size: chunk.size, recordSize: 12,
                fewest: count)
        }
        var all = region?.articulation ?? instrument?.articulation ?? DLSArticulation()
        guard count + all.connections.count <= DLSCollection.mostConnections else {
            throw .tooMany(
                path: file.path, what: "connections of one articulation", count: count + all.connections.count,
                limit: DLSCollection.mostConnections)
        }
        let table = RecordTable(
            chunk: chunk.text, start: chunk.start + head, recordSize: 12,
            bytes: try file.read(chunk.text, at: chunk.start + head, count: count * 12, before: chunk.end))
        for entry in 0..<count { all.add(DLSConnection(table, entry, isFirstLevel: chunk.text == "art1")) }
        if region != nil { region?.articulation = all } else { instrument?.articulation = all }
    }

    /// Regions name entries of the pool table, these name waves, returned for each: libinstpatch follows both unchecked.
    func linkedCues(_ file: borrowing SoundFontBytes) throws(SoundFontError) -> [Int] {
        var found: [Int] = []
        for (record, cue) in cues.enumerated() {
            guard let wave = waveStarts[cue.value], wave < waves.count else {
                throw .index(
                    path: file.path, chunk: "ptbl", offset: cue.offset, record: record, value: cue.value,
                    allowed: 0...max(0, waveStarts.keys.max() ?? 0))
            }
            found.append(wave)
        }
        for (record, link) in links.enumerated() where link.value >= cues.count {
            throw .index(
                path: file.path, chunk: "wlnk", offset: link.offset, record: record, value: link.value,
                allowed: 0...max(0, cues.count - 1))
        }
        return found
    }

    /// Bit 31 of the bank marks drums; else controller 0 is in bits 8...14 and controller 32 in bits 0...6.
    private static func place(bank: Int, program: Int) -> (bank: Int, program: Int) {
        let upper = bank >> 8 & 127, lower = bank & 127
        return (bank >> 31 & 1 == 1 ? 128 : upper == 0 || upper == 121 ? lower : upper, program & 127)
    }

    private func record(
        _ file: borrowing SoundFontBytes, _ chunk: RIFFChunk, _ count: Int
    ) throws(SoundFontError) -> RecordTable {
        RecordTable(
            chunk: chunk.text, start: chunk.start, recordSize: count,
            bytes: try file.read(chunk.text, at: chunk.start, count: count, before: chunk.end))
    }

    private func number(
        _ file: borrowing SoundFontBytes, _ chunk: RIFFChunk, at offset: Int
    ) throws(SoundFontError) -> Int {
        let bytes = try file.read(chunk.text, at: chunk.start + offset, count: 4, before: chunk.end)
        return RecordTable(chunk: chunk.text, start: chunk.start, recordSize: 4, bytes: bytes).long(0, 0)
    }
}
