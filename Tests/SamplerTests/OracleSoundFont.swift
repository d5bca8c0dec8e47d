/// Builds SoundFonts of which every frame is known: ramps, steps, sines, clicks; any zones, generators and modulators.
struct OracleSoundFont {
    /// Frames in the scale of 16 bits; what lies behind the point is kept where the file has 24.
    struct Sample {
        var frames: [Double]
        /// First frame of the loop, and one behind its last.
        var loop = 8..<16
        var rate = 48_000
        var key = 60
        var correction = 0
    }

    /// Generators in the order in which the file has them, without the target.
    struct Zone {
        /// Index of the sample, or of the instrument; nil in a global zone.
        var target: Int? = 0
        var generators: [(Int, Int)] = []
        var modulators: [Line] = []
    }

    /// A modulator as the file has it.
    struct Line {
        var source: Int
        var destination: Int
        var amount: Int
        var by = 0
        var transform = 0
    }

    var samples: [Sample]
    var instruments: [[Zone]]
    /// Each plays with the program of its index in bank 0.
    var presets: [[Zone]]
    /// Whether the last of them is a kit: program 0 of bank 128.
    var hasKit = false
    /// The bank of the last of them, as its program 0; nil: bank 0.
    var lastBank: Int?
    /// Whether there is a chunk with the lower eight bits.
    var has24Bits = false

    /// One sample in one zone. `isPlain` takes velocity, volume and expression away, so that attenuation is the file's own.
    init(_ sample: Sample, _ generators: [(Int, Int)] = [], _ modulators: [Line] = [], isPlain: Bool = true) {
        samples = [sample]
        let plain = isPlain ? Self.flat : []
        instruments = [[Zone(generators: generators, modulators: plain + modulators)]]
        presets = [[Zone()]]
    }

    /// The number of a source: curve 0 linear, 1 concave, 2 convex, 3 switch.
    static func source(
        _ number: Int, isController: Bool = false, isNegative: Bool = false, isBipolar: Bool = false, curve: Int = 0
    ) -> Int {
        number | (isController ? 128 : 0) | (isNegative ? 256 : 0) | (isBipolar ? 512 : 0) | curve << 10
    }

    static func controller(_ number: Int, isNegative: Bool = false, isBipolar: Bool = false, curve: Int = 0) -> Int {
        source(number, isController: true, isNegative: isNegative, isBipolar: isBipolar, curve: curve)
    }

    /// The standard's lines from velocity, volume and expression to attenuation, worth nothing.
    static let flat = [
        Line(source: source(2, isNegative: true, curve: 1), destination: 48, amount: 0),
        Line(source: controller(7, isNegative: true, curve: 1), destination: 48, amount: 0),
        Line(source: controller(11, isNegative: true, curve: 1), destination: 48, amount: 0),
    ]

    /// Gives the path of the written file to `body`.
    @discardableResult func write<R>(_ body: (String) throws -> R) throws -> R { try TinySoundFont.write(bytes, body) }

    var bytes: [UInt8] {
        let info =
            text("INFO") + chunk("ifil", words([2, 4])) + chunk("isng", text("EMU8000\0"))
            + chunk("INAM", text("Oracle\0\0"))
        var wave: [UInt8] = [], low: [UInt8] = [], headers: [UInt8] = []
        for (number, sample) in samples.enumerated() {
            let start = wave.count / 2
            for frame in sample.frames {
                let whole = Int(frame * 256)
                wave.append(UInt8(truncatingIfNeeded: whole >> 8))
                wave.append(UInt8(truncatingIfNeeded: whole >> 16))
                if has24Bits { low.append(UInt8(truncatingIfNeeded: whole)) }
            }
            wave += zeros(92)
            if has24Bits { low += zeros(46) }
            headers += name("Sample \(number)")
            headers += longs([
                start, start + sample.frames.count, start + sample.loop.lowerBound, start + sample.loop.upperBound,
                sample.rate,
            ])
            headers += [UInt8(sample.key), UInt8(truncatingIfNeeded: sample.correction)] + words([0, 1])
        }
        if low.count % 2 == 1 { low.append(0) }
        let data = text("sdta") + chunk("smpl", wave) + (has24Bits ? chunk("sm24", low) : [])
        let outer = Tables(presets, target: 41), inner = Tables(instruments, target: 53)
        var presetHeaders: [UInt8] = [], instrumentHeaders: [UInt8] = []
        for (number, bag) in outer.firstBags.enumerated() {
            let bank = number == presets.count - 1 ? hasKit ? 128 : lastBank : nil
            presetHeaders += name("Preset") + words([bank == nil ? number : 0, bank ?? 0, bag]) + zeros(12)
        }
        for bag in inner.firstBags { instrumentHeaders += name("Instrument") + words([bag]) }
        let tables =
            text("pdta") + chunk("phdr", presetHeaders) + chunk("pbag", words(outer.bags))
            + chunk("pmod", words(outer.modulators)) + chunk("pgen", words(outer.generators))
            + chunk("inst", instrumentHeaders) + chunk("ibag", words(inner.bags)) + chunk("imod", words(inner.modulators))
            + chunk("igen", words(inner.generators)) + chunk("shdr", headers + name("EOS") + zeros(26))
        return chunk("RIFF", text("sfbk") + chunk("LIST", info) + chunk("LIST", data) + chunk("LIST", tables))
    }

    /// Bags, generators and modulators of all presets or all instruments, closing records included.
    private struct Tables {
        var firstBags: [Int] = [], bags: [Int] = [], generators: [Int] = [], modulators: [Int] = []

        init(_ owners: [[Zone]], target: Int) {
            for zones in owners {
                firstBags.append(bags.count / 2)
                for zone in zones {
                    bags += [generators.count / 2, modulators.count / 5]
                    for (number, amount) in zone.generators { generators += [number, amount & 0xFFFF] }
                    if let index = zone.target { generators += [target, index] }
                    for line in zone.modulators {
                        modulators += [line.source, line.destination, line.amount & 0xFFFF, line.by, line.transform]
                    }
                }
            }
            firstBags.append(bags.count / 2)
            bags += [generators.count / 2, modulators.count / 5]
            generators += [0, 0]
            modulators += [0, 0, 0, 0, 0]
        }
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    private func name(_ name: String) -> [UInt8] { Array((text(name) + zeros(20)).prefix(20)) }
    private func words(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] } }
    private func longs(_ longs: [Int]) -> [UInt8] { longs.flatMap { words([$0 & 0xFFFF, $0 >> 16 & 0xFFFF]) } }
    private func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] { text(id) + longs([body.count]) + body }
}
