/// One zone of a preset or instrument: the content of its bag, before it is merged with others.
struct Zone {
    /// One number for each generator; only those marked in `isSet` count.
    var values = [Float](repeating: 0, count: Generator.count)
    var isSet: UInt64 = 0
    var modulators: [Modulator] = []
    /// 0...127; nil means all.
    var keys: ClosedRange<Int>?, velocities: ClosedRange<Int>?
    /// The instrument, or the sample; nil in a global zone.
    var target: Int?

    /// The factor by which the hardware of its inventors scaled attenuation, which every file since is made for.
    private static let attenuationScale: Float = 0.4

    /// Ranges come first and the target, of generator `link`, last; elsewhere they mean nothing (section 8.1.2).
    init(_ bags: RecordTable, _ bag: Int, _ generators: RecordTable, _ modulators: RecordTable, link: Generator) {
        var hasOther = false
        for record in bags.word(bag, 0)..<min(bags.word(bag + 1, 0), generators.count) {
            guard let number = UInt8(exactly: generators.word(record, 0)),
                let generator = Generator(rawValue: number)
            else { continue }
            switch generator {
            case .keyRange:
                if !hasOther && velocities == nil { keys = Self.range(generators, record) }
            case .velocityRange:
                if !hasOther { velocities = Self.range(generators, record) }
            case link:
                target = generators.word(record, 2)
                hasOther = true
            default:
                hasOther = true
                guard generator.isInstrumentValue else { continue }
                let amount = Float(generators.short(record, 2))
                values[generator.index] = generator == .attenuation ? amount * Self.attenuationScale : amount
                isSet |= 1 << UInt64(number)
            }
            if target != nil { break }
        }
        for record in bags.word(bag, 2)..<min(bags.word(bag + 1, 2), modulators.count) {
            guard let modulator = Modulator(modulators, record) else { continue }
            if let same = self.modulators.firstIndex(where: modulator.isSameLine) {
                self.modulators[same] = modulator
            } else {
                self.modulators.append(modulator)
            }
        }
    }

    private static func range(_ table: RecordTable, _ record: Int) -> ClosedRange<Int> {
        let low = table.byte(record, 2), high = table.byte(record, 3)
        return min(low, high, 127)...min(max(low, high), 127)
    }

    func value(_ generator: Generator, global: Zone?) -> Float? {
        if isSet >> UInt64(generator.rawValue) & 1 == 1 { return values[generator.index] }
        guard let global, global.isSet >> UInt64(generator.rawValue) & 1 == 1 else { return nil }
        return global.values[generator.index]
    }

    /// Its own modulators, and those of the global zone that it does not draw anew.
    func modulators(global: Zone?) -> [Modulator] {
        guard let global else { return modulators }
        return modulators + global.modulators.filter { line in !modulators.contains { $0.isSameLine(as: line) } }
    }
}
