import AudioFiles
import Glibc

/// Tiny SoundFonts of a few kilobytes that use every table, for mutation: a big one costs too much per try.
enum SoundFontSeed {
    /// SF2: four presets, two instruments with global zones, modulators and layers, three samples.
    static let sf2 = font(version: 2, samples: plainSamples)

    static let fine = font(version: 2, samples: plainSamples, isFine: true)

    /// SF3: the same with Ogg Vorbis samples; nil where libsndfile cannot encode them.
    static func sf3(in folder: String) -> [UInt8]? {
        guard let stream = vorbis(in: folder) else { return nil }
        let header = Sample(start: 0, end: stream.count, loopStart: 64, loopEnd: 1_064, type: 0x11)
        return font(version: 3, samples: (stream, [header, header, header]))
    }

    /// DLS level 1: one instrument, two regions, one wave.
    static let dls: [UInt8] = {
        let wave = (0..<600).flatMap { little(Int(tone($0)), 2) }
        let loop =
            little(20, 4) + little(60, 2) + little(0, 2) + little(0, 4) + little(0, 4) + little(1, 4)
            + little(16, 4) + little(0, 4) + little(100, 4) + little(400, 4)
        func region(_ low: Int, _ high: Int) -> [UInt8] {
            let head = little(low, 2) + little(high, 2) + little(0, 2) + little(127, 2) + little(0, 4)
            return list(
                "rgn ",
                chunk("rgnh", head) + chunk("wsmp", loop)
                    + chunk("wlnk", little(0, 4) + little(1, 4) + little(0, 4)))
        }
        let instrument = list(
            "ins ",
            chunk("insh", little(2, 4) + little(0, 4) + little(0, 4))
                + list("lrgn", region(0, 60) + region(61, 127)))
        let format = little(1, 2) + little(1, 2) + little(22_050, 4) + little(44_100, 4) + little(2, 2) + little(16, 2)
        let waves = list("wave", chunk("fmt ", format) + chunk("wsmp", loop) + chunk("data", wave))
        return chunk(
            "RIFF",
            ascii("DLS ") + chunk("colh", little(1, 4)) + list("lins", instrument)
                + chunk("ptbl", little(8, 4) + little(1, 4) + little(0, 4)) + list("wvpl", waves))
    }()

    private struct Sample {
        var start, end, loopStart, loopEnd, type: Int
    }

    private typealias Generator = (Int, Int)
    private typealias Zone = (generators: [Generator], modulators: [[Int]])

    private static let plainSamples: ([UInt8], [Sample]) = {
        var frames: [UInt8] = []
        var headers: [Sample] = []
        for type in [1, 4, 2] {
            let start = frames.count / 2
            frames += (0..<400).flatMap { little(Int(tone($0 * headers.count + $0)), 2) }
            headers.append(
                Sample(start: start, end: start + 400, loopStart: start + 50, loopEnd: start + 350, type: type))
            frames += [UInt8](repeating: 0, count: 92)
        }
        return (frames, headers)
    }()

    /// A triangle of 50 frames.
    private static func tone(_ frame: Int) -> Int16 { Int16(abs(frame % 50 - 25) * 800 - 10_000) }

    private static func font(version: Int, samples: ([UInt8], [Sample]), isFine: Bool = false) -> [UInt8] {
        let velocityToFilter = [0x0102, 8, -2_400, 0, 0], wheelToPitch = [0x0081, 52, 50, 0x0082, 0]
        let presets: [[Zone]] = [
            [([(48, 20), (15, 100)], [wheelToPitch]), ([(43, 0x3C00), (41, 0)], []), ([(43, 0x7F3D), (41, 1)], [])],
            [([(44, 0x7F40), (17, -200), (41, 1)], [velocityToFilter]), ([(41, 0)], [])],
            [([(41, 1)], [])],
            [([(41, 0)], [])],
        ]
        let instruments: [[Zone]] = [
            [
                ([(34, -7_000), (36, -3_000), (37, 250), (38, -2_400), (8, 9_000), (9, 100)], [velocityToFilter]),
                ([(43, 0x4000), (54, 1), (17, -500), (5, 20), (24, -1_000), (53, 0)], []),
                ([(43, 0x7F20), (54, 3), (17, 500), (51, -12), (52, 7), (2, 10), (53, 2)], [wheelToPitch]),
            ],
            [([(58, 60), (56, 50), (57, 1), (0, 5), (1, -5), (26, 600), (25, -4_000), (53, 1)], [])],
        ]
        let places = [(0, 0), (1, 0), (0, 8), (0, 128)]
        let (presetTables, presetBags) = tables("p", presets)
        let (instrumentTables, instrumentBags) = tables("i", instruments)
        var presetHeaders: [UInt8] = []
        for (place, bag) in zip(places, presetBags) {
            presetHeaders += name("P\(place.0)")
            presetHeaders += [place.0, place.1, bag].flatMap { little($0, 2) } + little(0, 12)
        }
        let instrumentHeaders = instrumentBags.dropLast().flatMap { name("I\($0)") + little($0, 2) }
        var sampleHeaders: [UInt8] = []
        for sample in samples.1 {
            let places = [sample.start, sample.end, sample.loopStart, sample.loopEnd, 22_050]
            sampleHeaders += name("S\(sample.start)") + places.flatMap { little($0, 4) }
            sampleHeaders += [60, 0, 0, 0] + little(sample.type, 2)
        }
        let information = list(
            "INFO",
            chunk("ifil", little(version, 2) + little(version == 2 ? 4 : 0, 2))
                + chunk("isng", ascii("EMU8000\0")) + chunk("INAM", ascii("Seed\0\0")))
        let tables = list(
            "pdta",
            chunk("phdr", presetHeaders + name("EOP") + little(0, 4) + little(presetBags.last ?? 0, 2) + little(0, 12))
                + presetTables
                + chunk("inst", instrumentHeaders + name("EOI") + little(instrumentBags.last ?? 0, 2))
                + instrumentTables + chunk("shdr", sampleHeaders + name("EOS") + little(0, 26)))
        let low = isFine ? chunk("sm24", (0..<samples.0.count / 2).map { UInt8(truncatingIfNeeded: $0 * 37) }) : []
        return chunk("RIFF", ascii("sfbk") + information + list("sdta", chunk("smpl", samples.0) + low) + tables)
    }

    /// The bag, modulator and generator chunks of owners with zones, and each owner's first bag; one more for the end.
    private static func tables(_ letter: String, _ owners: [[Zone]]) -> ([UInt8], [Int]) {
        var bags: [UInt8] = [], modulators: [UInt8] = [], generators: [UInt8] = [], firsts = [0]
        for zones in owners {
            for zone in zones {
                bags += little(generators.count / 4, 2) + little(modulators.count / 10, 2)
                generators += zone.generators.flatMap { little($0.0, 2) + little($0.1, 2) }
                modulators += zone.modulators.flatMap { $0.flatMap { little($0, 2) } }
            }
            firsts.append(bags.count / 4)
        }
        bags += little(generators.count / 4, 2) + little(modulators.count / 10, 2)
        let bytes =
            chunk("\(letter)bag", bags) + chunk("\(letter)mod", modulators + little(0, 10))
            + chunk("\(letter)gen", generators + little(0, 4))
        return (bytes, firsts)
    }

    private static func vorbis(in folder: String) -> [UInt8]? {
        let path = "\(folder)/seed.ogg"
        defer { unlink(path) }
        do throws(AudioFileError) {
            let writer = try AudioFileWriter(
                path: path, format: AudioFileFormat(defaultOf: .vorbis), channels: 1, sampleRate: 22_050)
            let samples = (0..<1_200).map { Float(tone($0)) / 32_768 }
            try samples.withUnsafeBufferPointer { buffer throws(AudioFileError) in
                if let base = buffer.baseAddress { try writer.write([base], frames: buffer.count) }
            }
            try writer.finish()
        } catch {
            return nil
        }
        return FileBytes.read(path)
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func name(_ text: String) -> [UInt8] {
        Array((ascii(text) + [UInt8](repeating: 0, count: 20)).prefix(20))
    }
    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }
    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        ascii(name) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }
    private static func list(_ name: String, _ body: [UInt8]) -> [UInt8] { chunk("LIST", ascii(name) + body) }
}
