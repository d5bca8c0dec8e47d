import SoundFonts

/// The height above its recorded pitch to which a looped sample can be driven by the numbers of a SoundFont alone.
///
/// libfluidsynth steps back by one loop length at a time: a sample of four frames raised by thirty octaves takes it
/// hundreds of millions of steps for one frame of sound, a render that never ends. So a zone may ask for at most
/// `limit` octaves more than one loop length per frame at the lowest rate, 8 000 Hz.
struct PitchReach {
    /// log2 of the loop lengths that one frame may skip. Real SoundFonts stay below 8.
    static let limit = 11.0

    private let data: PresetData
    private let samples: [SampleHeader]

    /// Checks every zone of every preset. Throws `pitchOutOfReach` and, for what would take too much memory, `tooMany`.
    static func check(_ data: PresetData, _ samples: [SampleHeader]) throws(SoundFontError) {
        try PitchReach(data: data, samples: samples).check()
    }

    private func check() throws(SoundFontError) {
        let reaches = try (0..<data.instruments.count - 1).mapTyped(instrumentReach)
        var voiceZones = 0
        for preset in 0..<data.presets.count - 1 {
            var global = Zone()
            let first = data.presets.word(preset, 24)
            for bag in first..<data.presets.word(preset + 1, 24) {
                var zone = global
                zone.read(data.presetBags, bag, data.presetGenerators, data.presetModulators, target: 41)
                guard let instrument = zone.target else {
                    if bag == first { global = zone }
                    continue
                }
                voiceZones += reaches[instrument].zones
                guard voiceZones <= PresetData.limits.voiceZones else {
                    throw .tooMany(
                        path: data.path, what: "zones of all presets together", count: voiceZones,
                        limit: PresetData.limits.voiceZones)
                }
                guard let reach = reaches[instrument].octaves else { continue }
                try require(
                    reach + zone.offset + max(zone.scale ?? 0, 0) * 127 / 1200, data.presetBags, bag)
            }
        }
    }

    private func instrumentReach(_ instrument: Int) throws(SoundFontError) -> (octaves: Double?, zones: Int) {
        var global = Zone()
        var highest: Double?
        let first = data.instruments.word(instrument, 20)
        let end = data.instruments.word(instrument + 1, 20)
        for bag in first..<end {
            var zone = global
            zone.read(data.instrumentBags, bag, data.instrumentGenerators, data.instrumentModulators, target: 53)
            guard let index = zone.target else {
                if bag == first { global = zone }
                continue
            }
            guard let octaves = zone.octaves(samples[index]) else { continue }
            try require(octaves, data.instrumentBags, bag)
            highest = max(highest ?? octaves, octaves)
        }
        return (highest, end - first)
    }

    private func require(_ octaves: Double, _ table: RecordTable, _ record: Int) throws(SoundFontError) {
        guard octaves <= Self.limit else {
            throw .pitchOutOfReach(
                path: data.path, chunk: table.chunk, offset: table.offset(record),
                octaves: Int((octaves - Self.limit).rounded(.up)))
        }
    }

    private struct Zone {
        var coarse = 0.0, fine = 0.0, modulation = 0.0
        /// Generators 5, 6, 7: vibrato, modulation LFO, modulation envelope.
        var swing = (0.0, 0.0, 0.0)
        var scale: Double?, root: Int?, mode = 0, highestKey = 127, target: Int?
        var loopOffsets = (start: 0, end: 0)

        /// Octaves by which tuning, envelopes and modulators raise it at most.
        var offset: Double {
            let swings = abs(swing.0) + abs(swing.1) + abs(swing.2)
            return coarse / 12 + (fine + swings + modulation) / 1200
        }

        mutating func read(
            _ bags: RecordTable, _ bag: Int, _ generators: RecordTable, _ modulators: RecordTable, target: Int
        ) {
            self.target = nil
            for record in bags.word(bag, 0)..<min(bags.word(bag + 1, 0), generators.count) {
                let amount = generators.short(record, 2)
                let generator = generators.word(record, 0)
                switch generator {
                case 2: loopOffsets.start += amount
                case 3: loopOffsets.end += amount
                case 45: loopOffsets.start += amount * 32_768
                case 50: loopOffsets.end += amount * 32_768
                case 5: swing.0 = Double(amount)
                case 6: swing.1 = Double(amount)
                case 7: swing.2 = Double(amount)
                case 43: highestKey = min(max(amount >> 8 & 0xFF, 0), 127)
                case 46: highestKey = 127
                case 51: coarse = Double(amount)
                case 52: fine = Double(amount)
                case 54: mode = amount
                case 56: scale = Double(amount)
                case 58: root = amount
                case target: self.target = generators.word(record, 2)
                default: break
                }
                if self.target != nil { break }
            }
            for record in bags.word(bag, 2)..<min(bags.word(bag + 1, 2), modulators.count) {
                let amount = abs(Double(modulators.short(record, 4)))
                switch modulators.word(record, 2) {
                // A bend scaled by its own sensitivity is the standard's own modulator: the song decides.
                case 52 where modulators.word(record, 6) & 0x7F == 16: break
                case 5, 6, 7, 52: modulation += amount
                case 51: modulation += amount * 100
                case 56: modulation += amount * 127
                default: break
                }
            }
        }

        /// log2 of the loop lengths one frame skips at the top of the zone; nil for a sample that is not looped.
        func octaves(_ sample: SampleHeader) -> Double? {
            guard mode & 1 != 0, sample.sampleRate > 0, !sample.isInROM else { return nil }
            let lowest = sample.isCompressed ? 0 : sample.start
            let highest = sample.isCompressed ? Int(UInt32.max) : sample.end
            let start = min(max(sample.loopStart + loopOffsets.start, lowest), highest)
            let end = min(max(sample.loopEnd + loopOffsets.end, lowest), highest)
            let length = max(abs(end - start), 2)
            let root = root.flatMap { (0...127).contains($0) ? $0 : nil } ?? sample.rootKey
            let scale = scale ?? 100
            let distance = scale < 0 ? -scale * Double(root) : scale * Double(max(highestKey - root, 0))
            return distance / 1200 + offset + Self.log2(Double(sample.sampleRate) / 8_000) - Self.log2(Double(length))
        }

        /// Base-2 logarithm, close enough for a bound: exponent plus a straight line.
        private static func log2(_ x: Double) -> Double { Double(x.exponent) + (x.significand - 1) }
    }
}

extension Range<Int> {
    /// `map` that keeps the type of the error.
    fileprivate func mapTyped<T, E: Error>(_ transform: (Int) throws(E) -> T) throws(E) -> [T] {
        var result: [T] = []
        result.reserveCapacity(count)
        for index in self { result.append(try transform(index)) }
        return result
    }
}
