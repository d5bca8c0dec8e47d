import Glibc

/// Builds small SoundFonts for tests, right ones and wrong ones: two samples, a few presets.
struct TinySoundFont {
    /// (bank, program, name); each plays instrument 0, kits instrument 1.
    var presets: [(bank: Int, program: Int, name: String)] = [(0, 0, "Sine"), (128, 0, "Kit")]
    /// Generators of instrument 0 before its sample.
    var generators: [(Int, Int)] = [(54, 1)]
    /// Modulators of instrument 0: source, destination, amount, amount source, transform.
    var modulators: [[Int]] = []
    /// Default modulators of the file (`DMOD`), as `modulators`; nil: those of the standard.
    var defaultModulators: [[Int]]?
    /// start, end, loop start, loop end, rate, key, type of sample 0.
    var sample = [0, 1_000, 200, 900, 50_000, 69, 1]
    /// ifil.
    var version = (2, 1)
    /// Replaces the instrument of the first preset.
    var instrument = 0
    /// Replaces the sample of instrument 0.
    var sampleIndex = 0
    /// Frames of sample data: a sine of 100 frames a period.
    var frames = 1_100
    /// Replaces the sample data.
    var data: [UInt8]?

    /// The file's bytes.
    var bytes: [UInt8] {
        let info =
            text("INFO") + chunk("ifil", words([version.0, version.1])) + chunk("isng", text("EMU8000\0"))
            + chunk("INAM", text("Tiny\0\0"))
            + (defaultModulators.map { lines in
                chunk("DMOD", lines.flatMap { words($0.map { $0 & 0xFFFF }) } + zeros(10))
            } ?? [])
        // Whole numbers, so that the file is the same everywhere: a triangle.
        let wave = (0..<frames).flatMap { frame in words([triangle(frame % 100) & 0xFFFF]) }
        let data = text("sdta") + chunk("smpl", data ?? wave)
        var presetHeaders: [UInt8] = [], presetBags: [UInt8] = [], presetGenerators: [UInt8] = []
        for (index, preset) in presets.enumerated() {
            presetHeaders += name(preset.name) + words([preset.program, preset.bank, index]) + zeros(12)
            presetBags += words([index, 0])
            presetGenerators += words([41, index == 0 ? instrument : preset.bank == 128 ? 1 : 0])
        }
        presetHeaders += name("EOP") + words([255, 255, presets.count]) + zeros(12)
        presetBags += words([presets.count, 0])
        let own = generators.flatMap { words([$0.0, $0.1 & 0xFFFF]) } + words([53, sampleIndex])
        let instruments = name("Sine") + words([0]) + name("Drum") + words([1]) + name("EOI") + words([2])
        let bags = words([0, 0, generators.count + 1, modulators.count, generators.count + 2, modulators.count])
        let mods = modulators.flatMap { words($0.map { $0 & 0xFFFF }) } + zeros(10)
        var samples = name("Triangle") + longs(Array(sample[0..<5]))
        samples += [UInt8(sample[5]), 0]
        samples += words([0, sample[6]]) + name("Click") + longs([0, 100, 8, 92, 48_000])
        samples += [60, 0]
        samples += words([0, 1]) + name("EOS") + zeros(26)
        let tables =
            text("pdta") + chunk("phdr", presetHeaders) + chunk("pbag", presetBags)
            + chunk("pmod", zeros(10)) + chunk("pgen", presetGenerators + zeros(4)) + chunk("inst", instruments)
            + chunk("ibag", bags) + chunk("imod", mods) + chunk("igen", own + words([53, 1]) + zeros(4))
            + chunk("shdr", samples)
        let body = text("sfbk") + chunk("LIST", info) + chunk("LIST", data) + chunk("LIST", tables)
        return chunk("RIFF", body)
    }

    /// Writes the file under a name of its own and gives the path to `body`.
    @discardableResult func write<R>(_ body: (String) throws -> R) throws -> R { try Self.write(bytes, body) }

    @discardableResult static func write<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
        var template = Array("/tmp/carillon-test-XXXXXX.sf2".utf8CString)
        let descriptor = mkstemps(&template, 4)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        var done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            precondition(got > 0, "the test's folder cannot be written")
            done += got
        }
        close(descriptor)
        return try body(path)
    }

    private func triangle(_ frame: Int) -> Int {
        let quarter = frame < 25 ? frame : frame < 75 ? 50 - frame : frame - 100
        return quarter * 400
    }
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    private func name(_ name: String) -> [UInt8] { Array((text(name) + zeros(20)).prefix(20)) }
    private func words(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] } }
    private func longs(_ longs: [Int]) -> [UInt8] { longs.flatMap { words([$0 & 0xFFFF, $0 >> 16 & 0xFFFF]) } }
    private func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] { text(id) + longs([body.count]) + body }
}
