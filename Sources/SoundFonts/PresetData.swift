/// The `pdta` list of a SoundFont: nine tables that determine which sample sounds when, read and checked.
///
/// After `init` every index in them points inside what it indexes, so that a loader which follows them blindly stays
/// inside. Source: SoundFont Technical Specification 2.04, section 7.
package struct PresetData: Sendable {
    package let path: String
    /// phdr, pbag, pmod, pgen, inst, ibag, imod, igen, shdr; each with its closing record.
    package let presets, presetBags, presetModulators, presetGenerators: RecordTable
    package let instruments, instrumentBags, instrumentModulators, instrumentGenerators: RecordTable
    package let samples: RecordTable

    /// libfluidsynth appends to singly linked lists, in time that grows with the square of these.
    package static let limits = (presets: 20_000, instruments: 20_000, samples: 20_000, zones: 65_535, voiceZones: 1_000_000)
    /// Modulators of one zone; libfluidsynth compares each with each.
    package static let modulatorsPerZone = 1_024
    /// The highest generator that libfluidsynth has room for, including its own, which follow those of the standard.
    package static let lastGenerator = 62

    /// Reads the nine tables between `start` and `end` of the file. Throws what is wrong first.
    package init(_ file: borrowing SoundFontBytes, start: Int, end: Int) throws(SoundFontError) {
        path = file.path
        var at = start
        presets = try Self.table(file, "phdr", 38, 2, &at, end)
        presetBags = try Self.table(file, "pbag", 4, 1, &at, end)
        presetModulators = try Self.table(file, "pmod", 10, 0, &at, end)
        presetGenerators = try Self.table(file, "pgen", 4, 0, &at, end)
        instruments = try Self.table(file, "inst", 22, 2, &at, end)
        instrumentBags = try Self.table(file, "ibag", 4, 1, &at, end)
        instrumentModulators = try Self.table(file, "imod", 10, 0, &at, end)
        instrumentGenerators = try Self.table(file, "igen", 4, 0, &at, end)
        samples = try Self.table(file, "shdr", 46, 2, &at, end)
        try checkBags(presets, field: 24, bags: presetBags)
        try checkBags(instruments, field: 20, bags: instrumentBags)
        try checkZones(presetBags, presetGenerators, presetModulators)
        try checkZones(instrumentBags, instrumentGenerators, instrumentModulators)
        try checkDestinations(presetModulators)
        try checkDestinations(instrumentModulators)
    }

    /// Zones that name an instrument or a sample that does not exist.
    var zonesAstray: Int {
        Self.astray(presetGenerators, generator: 41, count: instruments.count - 1)
            + Self.astray(instrumentGenerators, generator: 53, count: samples.count - 1)
    }

    private static func astray(_ generators: RecordTable, generator: Int, count: Int) -> Int {
        (0..<generators.count).count { generators.word($0, 0) == generator && generators.word($0, 2) >= count }
    }

    /// Checks that all references to instruments and samples stay inside, since libfluidsynth follows them unchecked. Throws
    /// `index`.
    package func requireTargets() throws(SoundFontError) {
        try checkReferences(presetGenerators, generator: 41, count: instruments.count - 1)
        try checkReferences(instrumentGenerators, generator: 53, count: samples.count - 1)
    }

    private static func table(
        _ file: borrowing SoundFontBytes, _ name: String, _ recordSize: Int, _ fewest: Int, _ at: inout Int, _ end: Int
    ) throws(SoundFontError) -> RecordTable {
        let table = try table(file, name, recordSize, fewest, at: at, before: end)
        at = table.start + table.count * recordSize
        return table
    }

    /// The chunk of records at `at`.
    static func table(
        _ file: borrowing SoundFontBytes, _ name: String, _ recordSize: Int, _ fewest: Int, at: Int, before end: Int
    ) throws(SoundFontError) -> RecordTable {
        let chunk = try file.chunk("pdta", at: at, before: end)
        guard chunk.text == name else {
            throw .missingChunk(path: file.path, chunk: name, offset: at, found: chunk.text)
        }
        guard chunk.size % recordSize == 0, chunk.size / recordSize >= fewest else {
            throw .chunkSize(
                path: file.path, chunk: name, offset: at, size: chunk.size, recordSize: recordSize, fewest: fewest)
        }
        let limit =
            switch name {
            case "phdr": limits.presets
            case "inst": limits.instruments
            case "shdr": limits.samples
            case "DMOD": modulatorsPerZone
            default: limits.zones + 1
            }
        guard chunk.size / recordSize <= limit + 1 else {
            throw .tooMany(path: file.path, what: "\(name) records", count: chunk.size / recordSize, limit: limit)
        }
        return RecordTable(
            chunk: name, start: chunk.start, recordSize: recordSize,
            bytes: try file.read(name, at: chunk.start, count: chunk.size))
    }

    /// Presets and instruments own runs of bags: in order, all of them, none twice.
    private func checkBags(_ owners: RecordTable, field: Int, bags: RecordTable) throws(SoundFontError) {
        var previous = 0
        for record in 0..<owners.count {
            let bag = owners.word(record, field)
            let lowest = record == owners.count - 1 ? bags.count - 1 : previous
            guard bag >= max(previous, record == 0 ? 0 : lowest), bag < bags.count, record > 0 || bag == 0 else {
                throw .index(
                    path: path, chunk: owners.chunk, offset: owners.offset(record), record: record, value: bag,
                    allowed: record == 0 ? 0...0 : max(previous, lowest)...max(bags.count - 1, previous, lowest))
            }
            previous = bag
        }
    }

    private func checkZones(
        _ bags: RecordTable, _ generators: RecordTable, _ modulators: RecordTable
    ) throws(SoundFontError) {
        for (field, table) in [(0, generators), (2, modulators)] {
            var previous = 0
            for record in 0..<bags.count {
                let index = bags.word(record, field)
                // The closing record of the table may be missing, as libraries allow; more than one is a fault.
                let isLast = record == bags.count - 1
                let lowest = isLast ? max(previous, table.count - 1) : previous
                let highest = record == 0 && !isLast ? 0 : table.count
                guard index >= lowest, index <= highest else {
                    throw .index(
                        path: path, chunk: bags.chunk, offset: bags.offset(record), record: record, value: index,
                        allowed: lowest...max(highest, lowest))
                }
                if field == 2, index - previous > Self.modulatorsPerZone {
                    throw .tooMany(
                        path: path, what: "modulators in one zone (\(bags.chunk) record \(record))",
                        count: index - previous, limit: Self.modulatorsPerZone)
                }
                previous = index
            }
        }
    }

    /// Modulators act on generators that exist: libfluidsynth writes wherever the low byte of the number points. (The
    /// high bit marks a modulator that acts on another modulator.)
    private func checkDestinations(_ modulators: RecordTable) throws(SoundFontError) {
        for record in 0..<max(0, modulators.count - 1) {
            let destination = modulators.word(record, 2)
            guard destination & 0xFF <= Self.lastGenerator else {
                throw .value(
                    path: path, chunk: modulators.chunk, offset: modulators.offset(record),
                    field: "destination of modulator \(record)", value: destination, allowed: 0...Self.lastGenerator)
            }
        }
    }

    private func checkReferences(
        _ generators: RecordTable, generator: Int, count: Int
    ) throws(SoundFontError) {
        for record in 0..<generators.count where generators.word(record, 0) == generator {
            let index = generators.word(record, 2)
            guard index < count else {
                throw .index(
                    path: path, chunk: generators.chunk, offset: generators.offset(record), record: record,
                    value: index, allowed: 0...count - 1)
            }
        }
    }
}
