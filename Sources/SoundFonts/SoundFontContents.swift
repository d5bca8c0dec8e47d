/// The three lists of an SF2 or SF3 file (`INFO`, `sdta`, `pdta`), read in the order the standard prescribes.
package struct SoundFontContents: Sendable {
    package let title: String
    package let copyright: String
    package let version: (major: Int, minor: Int)
    /// The lines that every voice has unless a zone draws them anew: the standard's, or the file's own (`DMOD`).
    let defaultModulators: [Modulator]
    package let data: PresetData
    package let samples: [SampleHeader]
    package let presets: [SoundFontFile.Preset]
    package let sampleMemory: Int
    package let faults: [SoundFontFile.Fault]
    /// Where the library will look for samples.
    package let layout: Layout

    /// True if any sample is Ogg Vorbis.
    package var isCompressed: Bool { samples.contains { $0.isCompressed } }

    package init(_ file: borrowing SoundFontBytes, _ riff: RIFFChunk) throws(SoundFontError) {
        var faults: [SoundFontFile.Fault] = []
        let info = try file.list("INFO", at: riff.start + 4, before: riff.end)
        (title, copyright, version, defaultModulators) = try Self.information(file, info)

        let sampleData = try file.list("sdta", at: info.end, before: riff.end)
        var wave = RIFFChunk(name: [], start: sampleData.start, size: 0)
        var low: Range<Int>?
        if sampleData.size > 0 {
            wave = try file.chunk("sdta", at: sampleData.start, before: sampleData.end)
            guard wave.text == "smpl" else {
                throw .missingChunk(path: file.path, chunk: "smpl", offset: sampleData.start, found: wave.text)
            }
            switch try Self.lowBits(file, wave, sampleData, version) {
            case .success(let range): low = range
            case .failure(let fault): faults.append(fault)
            }
        }

        let tables = try file.list("pdta", at: sampleData.end, before: riff.end)
        data = try PresetData(file, start: tables.start, end: tables.end)
        var samples = SampleHeader.readAll(data, dataSize: wave.size, faults: &faults)
        sampleMemory = try VorbisStream.decodedMemory(file, &samples, wave, &faults) + Self.plainMemory(samples, wave)
        self.samples = samples
        let astray = data.zonesAstray
        if astray > 0 { faults.append(.zonesWithoutTarget(count: astray)) }
        presets = Self.presets(data, &faults)
        let headers = data.samples.offset(0)
        layout = Layout(wave: wave.start..<wave.end, headers: headers..<data.samples.offset(data.samples.count), low: low)
        self.faults = faults
    }

    /// Title, copyright, version and default modulators; unknown chunks are skipped, and those of an odd length are followed by
    /// a byte. Source of `DMOD`: https://github.com/spessasus/soundfont-proposals/blob/main/default_modulators.md.
    private static func information(
        _ file: borrowing SoundFontBytes, _ info: RIFFChunk
    ) throws(SoundFontError) -> (title: String, copyright: String, (major: Int, minor: Int), [Modulator]) {
        var title = "", copyright = "", modulators = Modulator.defaults
        var version: (major: Int, minor: Int)?
        var at = info.start
        while at < info.end {
            let chunk = try file.chunk("INFO", at: at, before: info.end)
            if chunk.text == "ifil" {
                guard chunk.size == 4 else {
                    throw .value(
                        path: file.path, chunk: "INFO", offset: at, field: "length of ifil", value: chunk.size,
                        allowed: 4...4)
                }
                let table = RecordTable(
                    chunk: "ifil", start: chunk.start, recordSize: 4,
                    bytes: try file.read("ifil", at: chunk.start, count: 4))
                version = (table.word(0, 0), table.word(0, 2))
            } else if chunk.text == "INAM" {
                title = try text(file, chunk)
            } else if chunk.text == "ICOP" {
                copyright = try text(file, chunk)
            } else if chunk.text == "DMOD" {
                let table = try PresetData.table(file, "DMOD", 10, 1, at: at, before: info.end)
                modulators = (0..<table.count - 1).compactMap { Modulator(table, $0) }
            }
            at = min(chunk.end + chunk.size % 2, info.end)
        }
        guard let version else {
            throw .missingChunk(path: file.path, chunk: "ifil", offset: info.start, found: "none")
        }
        guard version.major == 2 || version.major == 3 else {
            throw .unsupportedVersion(path: file.path, major: version.major, minor: version.minor)
        }
        return (title, copyright, version, modulators)
    }

    private static func text(_ file: borrowing SoundFontBytes, _ chunk: RIFFChunk) throws(SoundFontError) -> String {
        RIFFChunk.text(Array(try file.read(chunk.text, at: chunk.start, count: min(chunk.size, 256)).prefix { $0 != 0 }))
    }

    /// The place of the lower eight bits of 24; a fault if their length is wrong.
    private static func lowBits(
        _ file: borrowing SoundFontBytes, _ wave: RIFFChunk, _ list: RIFFChunk, _ version: (major: Int, minor: Int)
    ) throws(SoundFontError) -> Result<Range<Int>?, SoundFontFile.Fault> {
        guard version.major > 2 || version.minor >= 4, list.end - wave.end > 8 else { return .success(nil) }
        let low = try file.chunk("sdta", at: wave.end, before: list.end)
        guard low.text == "sm24" else { return .success(nil) }
        let wanted = wave.size / 2 + (wave.size / 2) % 2
        return low.size == wanted
            ? .success(low.start..<low.end) : .failure(.wrongSizeOf24BitData(found: low.size, wanted: wanted))
    }

    /// All plain sample data; it cannot be more than the file holds.
    private static func plainMemory(_ samples: [SampleHeader], _ wave: RIFFChunk) -> Int {
        samples.contains { $0.isCompressed } ? 0 : wave.size
    }

    private static func presets(_ data: PresetData, _ faults: inout [SoundFontFile.Fault]) -> [SoundFontFile.Preset] {
        SoundFontFile.Preset.ordered(
            (0..<data.presets.count - 1).map { record in
                SoundFontFile.Preset(
                    bank: data.presets.word(record, 22), program: data.presets.word(record, 20),
                    name: data.presets.name(record))
            }, &faults)
    }
}

extension SoundFontFile.Preset {
    /// Presets by bank and program, each place once: the first in the file has it. Others are named in `faults`.
    static func ordered(
        _ presets: [SoundFontFile.Preset], _ faults: inout [SoundFontFile.Fault]
    ) -> [SoundFontFile.Preset] {
        let sorted = presets.enumerated().sorted {
            ($0.element.bank, $0.element.program, $0.offset) < ($1.element.bank, $1.element.program, $1.offset)
        }
        var kept: [SoundFontFile.Preset] = []
        for (_, preset) in sorted {
            if preset.bank > 128 || preset.program > 127 {
                faults.append(
                    .unreachablePreset(bank: preset.bank, program: preset.program, name: preset.name))
            } else if let last = kept.last, last.bank == preset.bank, last.program == preset.program {
                faults.append(.duplicatePreset(bank: preset.bank, program: preset.program, name: preset.name))
                continue
            }
            kept.append(preset)
        }
        return kept
    }
}
