/// Turns presets of a SoundFont into recipes: each preset zone over each zone of its instrument, summed once and for all.
///
/// Source: SoundFont Technical Specification 2.04, sections 7 and 9.4. Control side.
struct SoundFontRecipes {
    private let data: PresetData
    private let samples: [SampleHeader]
    private let file: Int
    private let defaults: [Modulator]
    private var instruments: [Int: Zones] = [:]

    /// Zones with a target, and the one before them that speaks for all.
    private struct Zones {
        var global: Zone?
        var zones: [Zone] = []
    }

    init(_ contents: SoundFontContents, file: Int) {
        data = contents.data
        samples = contents.samples
        defaults = contents.defaultModulators
        self.file = file
    }

    /// Adds the recipes of the preset with these numbers, the first if several have them.
    mutating func add(bank: Int, program: Int, to list: inout RecipeList) {
        guard let preset = presetZones(bank: bank, program: program) else { return }
        for zone in preset.zones {
            guard let target = zone.target, target < data.instruments.count - 1 else { continue }
            let instrument = instrument(target)
            for inner in instrument.zones {
                guard let sample = inner.target, sample < samples.count, samples[sample].isPlayable else { continue }
                add(zone, preset.global, inner, instrument.global, sample, &list)
            }
        }
    }

    /// The samples that the preset with these numbers plays, playable or not, and its zones that name none.
    mutating func targets(bank: Int, program: Int) -> (samples: Set<Int>, astray: Int) {
        var samples: Set<Int> = [], astray = 0
        for zone in presetZones(bank: bank, program: program)?.zones ?? [] {
            guard let target = zone.target, target < data.instruments.count - 1 else {
                astray += 1
                continue
            }
            for inner in instrument(target).zones {
                if let sample = inner.target, sample < self.samples.count { samples.insert(sample) } else { astray += 1 }
            }
        }
        return (samples, astray)
    }

    private func presetZones(bank: Int, program: Int) -> Zones? {
        let record = (0..<data.presets.count - 1).first {
            data.presets.word($0, 22) == bank && data.presets.word($0, 20) == program
        }
        guard let record else { return nil }
        return zones(
            data.presetBags, data.presets.word(record, 24)..<data.presets.word(record + 1, 24), data.presetGenerators,
            data.presetModulators, .instrument)
    }

    private mutating func instrument(_ index: Int) -> Zones {
        if let known = instruments[index] { return known }
        let read = zones(
            data.instrumentBags, data.instruments.word(index, 20)..<data.instruments.word(index + 1, 20),
            data.instrumentGenerators, data.instrumentModulators, .sample)
        instruments[index] = read
        return read
    }

    private func zones(
        _ bags: RecordTable, _ run: Range<Int>, _ generators: RecordTable, _ modulators: RecordTable, _ link: Generator
    ) -> Zones {
        var result = Zones()
        for bag in run {
            let zone = Zone(bags, bag, generators, modulators, link: link)
            if zone.target != nil { result.zones.append(zone) } else if bag == run.lowerBound { result.global = zone }
        }
        return result
    }

    private func add(
        _ outer: Zone, _ outerGlobal: Zone?, _ inner: Zone, _ innerGlobal: Zone?, _ sample: Int, _ list: inout RecipeList
    ) {
        let all = 0...127
        let keys = (outer.keys ?? outerGlobal?.keys ?? all).clamped(to: inner.keys ?? innerGlobal?.keys ?? all)
        let velocities = (outer.velocities ?? outerGlobal?.velocities ?? all)
            .clamped(to: inner.velocities ?? innerGlobal?.velocities ?? all)
        guard Self.overlap(outer.keys ?? outerGlobal?.keys, inner.keys ?? innerGlobal?.keys),
            Self.overlap(outer.velocities ?? outerGlobal?.velocities, inner.velocities ?? innerGlobal?.velocities)
        else { return }
        var values = [Float](repeating: 0, count: Generator.count)
        for generator in Generator.allCases {
            var value = inner.value(generator, global: innerGlobal) ?? generator.defaultValue
            if generator.isPresetValue, let more = outer.value(generator, global: outerGlobal) { value += more }
            values[generator.index] = value
        }
        var modulators = defaults
        for line in inner.modulators(global: innerGlobal) {
            if let same = modulators.firstIndex(where: line.isSameLine) {
                modulators[same] = line
            } else {
                modulators.append(line)
            }
        }
        for line in outer.modulators(global: outerGlobal) where line.amount != 0 {
            if let same = modulators.firstIndex(where: line.isSameLine) {
                modulators[same].amount += line.amount
            } else {
                modulators.append(line)
            }
        }
        // What controllers 91 and 93 send by default, the channel's strip sends; what a zone wants beyond that, the voice. Of a
        // file whose own defaults send nothing, the voice takes back what the strip sends.
        for var line in Modulator.defaults where line.isDefaultSend && !modulators.contains(where: line.isSameLine) {
            line.amount = 0
            modulators.append(line)
        }
        for index in modulators.indices where modulators[index].isDefaultSend { modulators[index].amount -= 200 }
        modulators.removeAll { $0.amount == 0 || $0.isSameLine(as: .velocityToCutoff) }
        list.add(
            keys: keys, velocities: velocities, generators: values, modulators: modulators,
            sample: SampleSource(file: file, sample: sample))
    }

    private static func overlap(_ a: ClosedRange<Int>?, _ b: ClosedRange<Int>?) -> Bool {
        guard let a, let b else { return true }
        return a.overlaps(b)
    }
}

extension SampleHeader {
    /// True if there is anything to play: eight frames or more, and not in the memory of a sound card.
    package var isPlayable: Bool { !isInROM && !isDamaged && end - start >= 8 }
}
