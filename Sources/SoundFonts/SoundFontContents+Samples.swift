extension SoundFontContents {
    /// Sample data and sample headers in the file, in bytes.
    package struct Layout {
        package var wave: Range<Int>
        package var headers: Range<Int>
        /// The lower eight bits of samples of 24, one byte a frame; nil if there are none.
        var low: Range<Int>?
    }

    /// Returns for each sample whether one of the presets plays it.
    package func samplesUsed(by wanted: [SoundFontFile.Preset]) -> [Bool] {
        let places = Set(wanted.map { $0.bank * 65_536 + $0.program })
        var instruments = [Bool](repeating: false, count: data.instruments.count)
        for preset in 0..<data.presets.count - 1
        where places.contains(data.presets.word(preset, 22) * 65_536 + data.presets.word(preset, 20)) {
            Self.mark(
                data.presetBags, data.presets.word(preset, 24)..<data.presets.word(preset + 1, 24),
                data.presetGenerators, 41, &instruments)
        }
        var used = [Bool](repeating: false, count: samples.count)
        for instrument in 0..<data.instruments.count - 1 where instruments[instrument] {
            Self.mark(
                data.instrumentBags, data.instruments.word(instrument, 20)..<data.instruments.word(instrument + 1, 20),
                data.instrumentGenerators, 53, &used)
        }
        return used
    }

    private static func mark(
        _ bags: RecordTable, _ run: Range<Int>, _ generators: RecordTable, _ generator: Int, _ marks: inout [Bool]
    ) {
        for bag in run {
            for record in bags.word(bag, 0)..<min(bags.word(bag + 1, 0), generators.count)
            where generators.word(record, 0) == generator {
                let target = generators.word(record, 2)
                if target < marks.count { marks[target] = true }
            }
        }
    }
}
