/// Writes programs as a SoundFont 2.04 file: INFO, 16-bit sample data, and the nine tables of `pdta`.
///
/// No date is stored: the same programs give the same bytes. Source: SoundFont Technical Specification 2.04, E-mu
/// Systems.
public struct SoundFontWriter {
    /// Programs sorted by bank and number, the order players expect.
    private let programs: [Program]
    private var samples: [Sample] = []
    private var indices: [ObjectIdentifier: Int] = [:]
    private var links: [Int: (kind: UInt16, partner: Int)] = [:]
    private var presets = Bytes(), presetBags = Bytes(), presetGenerators = Bytes()
    private var instruments = Bytes(), instrumentBags = Bytes(), instrumentGenerators = Bytes(),
        instrumentModulators = Bytes()
    private var bagCount = 0, generatorCount = 0, modulatorCount = 0

    private init(_ programs: [Program]) {
        self.programs = programs.sorted { ($0.bank, $0.number) < ($1.bank, $1.number) }
    }

    /// The bytes of the file.
    public static func bytes(name: String, copyright: String, comment: String, programs: [Program]) -> [UInt8] {
        var writer = SoundFontWriter(programs)
        return writer.write(name: name, copyright: copyright, comment: comment)
    }

    private mutating func write(name: String, copyright: String, comment: String) -> [UInt8] {
        for (index, program) in programs.enumerated() { add(program, index) }
        finishTables()
        var data = Bytes()
        var headers = Bytes()
        for (index, sample) in samples.enumerated() {
            let start = data.count / 2
            for frame in sample.frames { data.word(UInt16(bitPattern: frame)) }
            for _ in 0..<46 { data.word(0) }
            let loop = sample.loop ?? 0..<0
            headers.name(sample.name)
            for offset in [0, sample.frames.count, loop.lowerBound, loop.upperBound] { headers.long(start + offset) }
            headers.long(sample.rate)
            headers.byte(UInt8(sample.key))
            headers.byte(0)
            headers.word(UInt16(links[index]?.partner ?? 0))
            headers.word(links[index]?.kind ?? 1)
        }
        headers.name("EOS")
        headers.zeros(26)

        var info = Bytes()
        info.chunk("ifil", Bytes([2, 0, 4, 0]))
        info.chunk("isng", Bytes(text: "EMU8000"))
        info.chunk("INAM", Bytes(text: name))
        info.chunk("ICOP", Bytes(text: copyright))
        info.chunk("ICMT", Bytes(text: comment))
        info.chunk("ISFT", Bytes(text: "make-soundfont"))
        var sampleData = Bytes()
        sampleData.chunk("smpl", data)
        var tables = Bytes()
        tables.chunk("phdr", presets)
        tables.chunk("pbag", presetBags)
        tables.chunk("pmod", Bytes([UInt8](repeating: 0, count: 10)))
        tables.chunk("pgen", presetGenerators)
        tables.chunk("inst", instruments)
        tables.chunk("ibag", instrumentBags)
        tables.chunk("imod", instrumentModulators)
        tables.chunk("igen", instrumentGenerators)
        tables.chunk("shdr", headers)
        var body = Bytes(text4: "sfbk")
        body.list("INFO", info)
        body.list("sdta", sampleData)
        body.list("pdta", tables)
        var file = Bytes()
        file.chunk("RIFF", body)
        return file.array
    }

    /// One preset with one zone that names the instrument of the same index.
    private mutating func add(_ program: Program, _ index: Int) {
        presets.name(program.name)
        presets.word(UInt16(program.number))
        presets.word(UInt16(program.bank))
        presets.word(UInt16(index))
        presets.zeros(12)
        presetBags.word(UInt16(index))
        presetBags.word(0)
        presetGenerators.word(Generator.instrument.rawValue)
        presetGenerators.word(UInt16(index))
        instruments.name(program.name)
        instruments.word(UInt16(bagCount))
        for layer in program.layers {
            for zone in layer.source.zones {
                let settings = layer.settings + layer.perKey(zone.left.key)
                let left = store(zone.left)
                if let partner = zone.right {
                    let right = store(partner)
                    links[left] = (4, right)
                    links[right] = (2, left)
                    add(zone.keys, left, settings, program.trim, pan: -500)
                    add(zone.keys, right, settings, program.trim, pan: 500)
                } else {
                    add(zone.keys, left, settings, program.trim, pan: nil)
                }
            }
        }
    }

    private mutating func add(
        _ keys: ClosedRange<Int>, _ index: Int, _ settings: [Setting], _ trim: Double, pan: Int16?
    ) {
        instrumentBags.word(UInt16(generatorCount))
        instrumentBags.word(UInt16(modulatorCount))
        bagCount += 1
        // In the order of first mention, each generator and modulator once, with its last value.
        var order: [Generator] = []
        var values: [Generator: Int16] = [:]
        var modulators: [Modulator] = []
        var quieter = 0.0
        for setting in settings {
            quieter = setting.attenuation ?? quieter
            for (generator, value) in setting.generators {
                if values.updateValue(value, forKey: generator) == nil { order.append(generator) }
            }
            for modulator in setting.modulators {
                modulators.removeAll { $0.source == modulator.source && $0.destination == modulator.destination }
                modulators.append(modulator)
            }
        }
        if let pan, values.updateValue(pan, forKey: .pan) == nil { order.append(.pan) }
        generator(.keyRange, UInt16(keys.upperBound) << 8 | UInt16(keys.lowerBound))
        for name in order { generator(name, UInt16(bitPattern: values[name] ?? 0)) }
        generator(.initialAttenuation, Setting.attenuation(Program.headroom + quieter - trim))
        generator(.sampleModes, samples[index].loop == nil ? 0 : 1)
        generator(.sampleID, UInt16(index))
        for modulator in modulators {
            instrumentModulators.word(modulator.source)
            instrumentModulators.word(modulator.destination.rawValue)
            instrumentModulators.word(UInt16(bitPattern: modulator.amount))
            instrumentModulators.word(modulator.amountSource)
            instrumentModulators.word(0)
            modulatorCount += 1
        }
    }

    private mutating func generator(_ name: Generator, _ value: UInt16) {
        instrumentGenerators.word(name.rawValue)
        instrumentGenerators.word(value)
        generatorCount += 1
    }

    private mutating func store(_ sample: Sample) -> Int {
        if let index = indices[ObjectIdentifier(sample)] { return index }
        samples.append(sample)
        indices[ObjectIdentifier(sample)] = samples.count - 1
        return samples.count - 1
    }

    private mutating func finishTables() {
        presets.name("EOP")
        presets.zeros(4)
        presets.word(UInt16(programs.count))
        presets.zeros(12)
        presetBags.word(UInt16(programs.count))
        presetBags.word(0)
        presetGenerators.zeros(4)
        instruments.name("EOI")
        instruments.word(UInt16(bagCount))
        instrumentBags.word(UInt16(generatorCount))
        instrumentBags.word(UInt16(modulatorCount))
        instrumentGenerators.zeros(4)
        instrumentModulators.zeros(10)
    }
}
