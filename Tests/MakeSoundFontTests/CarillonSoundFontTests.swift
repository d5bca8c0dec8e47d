import Glibc
import Testing

@testable import SoundFontSynthesis

/// The committed file, found from this source file.
let committed: [UInt8] = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    guard let file = fopen("/" + parts.joined(separator: "/") + "/soundfonts/carillon.sf2", "rb") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 9_000_000)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}()

let parsed = Result { try SoundFontFile(committed) }

@Suite struct CarillonSoundFontTests {
    let font: SoundFontFile

    init() throws { font = try parsed.get() }

    @Test func `the file is at most eight megabytes`() {
        #expect(committed.count <= 8_000_000)
        #expect(committed.count > 1_000_000)
    }

    @Test func `the chunks stand in the order of the specification and none carries a date`() {
        #expect(
            font.chunks == [
                "INFO", "ifil", "isng", "INAM", "ICOP", "ICMT", "ISFT", "sdta", "smpl", "pdta", "phdr", "pbag", "pmod",
                "pgen", "inst", "ibag", "imod", "igen", "shdr",
            ])
        #expect(font.tables["ifil"] == [2, 0, 4, 0])
    }

    @Test func `every sample lies in the data and forty-six zeros follow it`() {
        #expect(font.headers.count > 100)
        for header in font.headers {
            #expect(header.start + 48 <= header.end && header.end + 46 <= font.frames.count, "\(header.name)")
            #expect(font.frames[header.end..<header.end + 46].allSatisfy { $0 == 0 }, "\(header.name)")
            #expect((5000...50000).contains(header.rate), "\(header.name): \(header.rate) Hz")
            #expect(header.kind == 1 || font.headers[header.link].link < font.headers.count, "\(header.name)")
            if header.loopEnd > header.loopStart {
                #expect(header.loopStart >= header.start + 8 && header.loopEnd + 8 <= header.end, "\(header.name)")
            }
        }
    }

    @Test func `zones begin with the key range and end with the sample, and no generator comes twice`() {
        for preset in font.presets {
            for zone in preset.zones {
                #expect(zone.order.first == 43 && zone.order.last == 53, "\(preset.name)")
                #expect(Set(zone.order).count == zone.order.count, "\(preset.name)")
                #expect((0..<font.headers.count).contains(zone.generators[53] ?? -1), "\(preset.name)")
            }
        }
    }

    @Test func `all 128 programs sound on every key`() {
        #expect(font.presets.filter { $0.bank == 0 }.map(\.number) == Array(0...127))
        for preset in font.presets where preset.bank == 0 {
            for key in 0...127 {
                let peak = preset.zones.filter { $0.keys.contains(key) }.map(peak).max() ?? 0
                #expect(peak > 3000, "program \(preset.number) \(preset.name), key \(key)")
            }
        }
    }

    @Test func `every kit has a sound on each key from 27 to 87, and no two keys of the standard kit sound alike`() {
        let kits = font.presets.filter { $0.bank == 128 }
        #expect(kits.map(\.number) == [0, 8, 16, 24, 25, 32, 40, 48])
        for kit in kits {
            for key in 27...87 {
                #expect(kit.zones.contains { $0.keys.contains(key) && peak($0) > 3000 }, "\(kit.name), key \(key)")
            }
        }
        var seen: [[[Int: Int]]: Int] = [:]
        for key in 27...87 {
            // The key itself does not count: neither its range nor the root that follows it.
            let sound = kits[0].zones.filter { $0.keys.contains(key) }.map {
                var generators = $0.generators
                generators[43] = nil
                generators[58] = (generators[58] ?? 0) - key
                return generators
            }
            #expect(seen.updateValue(key, forKey: sound) == nil, "key \(key)")
        }
    }

    @Test func `the hi-hats cut each other off, and so do the pairs of whistle, guiro, cuica, triangle and surdo`() {
        let kit = font.presets.first { $0.bank == 128 && $0.number == 0 }
        func groups(_ key: Int) -> Set<Int> {
            Set(kit?.zones.filter { $0.keys.contains(key) }.map { $0.generators[57] ?? 0 } ?? [])
        }
        for keys in [[42, 44, 46], [71, 72], [73, 74], [78, 79], [80, 81], [86, 87]] {
            let first = groups(keys[0])
            #expect(first.count == 1 && !first.contains(0))
            for key in keys { #expect(groups(key) == first, "key \(key)") }
        }
        #expect(groups(38) == [0])
    }

    /// A loop that ends as it began: the frames after its end repeat those after its start, and the jump from its last
    /// frame to its first is no larger than the steps inside it.
    @Test func `no loop clicks`() {
        for header in font.headers where header.loopEnd > header.loopStart {
            let f = font.frames
            for i in 0..<8 {
                let difference = abs(Int(f[header.loopStart + i]) - Int(f[header.loopEnd + i]))
                #expect(difference <= 1, "\(header.name): \(difference) of 32768 at frame \(i)")
            }
            let steepest = (header.loopStart..<header.loopEnd - 1).reduce(0) {
                max($0, abs(Int(f[$1 + 1]) - Int(f[$1])))
            }
            let seam = abs(Int(f[header.loopStart]) - Int(f[header.loopEnd - 1]))
            #expect(seam <= steepest + 1, "\(header.name): seam \(seam), steepest step \(steepest)")
        }
    }

    /// A loop holds exact lines only, so its pitch is known exactly: the line nearest to the key's frequency must lie
    /// within one cent of it, and harmonics of that line must carry the sound.
    @Test func `every pitched loop is in tune within one cent`() {
        let unpitched = [
            "Crash", "Ride", "Hi-hat", "Analogue hat", "Noise", "Applause", "Bird", "Telephone", "Rotor", "Whistle",
        ]
        var measured = 0
        for header in font.headers where header.loopEnd > header.loopStart && !unpitched.contains(header.name) {
            let loop = font.frames[header.loopStart..<header.loopEnd].map(Double.init)
            let wanted = 440 * exp2((Double(header.key) - 69 + Double(header.correction) / 100) / 12)
            let line = (wanted * Double(loop.count) / Double(header.rate)).rounded()
            let cents = 1200 * log2(line * Double(header.rate) / Double(loop.count) / wanted)
            #expect(abs(cents) < 1, "\(header.name): \(cents) cents")
            let rms = (loop.reduce(0) { $0 + $1 * $1 } / Double(loop.count)).squareRoot()
            let sounds = (1...64).contains { amplitude(loop, line: line * Double($0)) > 0.1 * rms }
            #expect(sounds, "\(header.name): nothing at \(wanted) Hz or its harmonics")
            measured += 1
        }
        #expect(measured > 150)
    }

    @Test func `the tool writes the committed file, byte for byte`() throws {
        let bytes = CarillonSoundFont.bytes()
        #expect(bytes.count == committed.count)
        let first = zip(bytes, committed).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        #expect(first == nil, "first difference at byte \(first ?? 0); run make-soundfont and commit its output")
    }

    private func peak(_ zone: SoundFontFile.Zone) -> Int {
        font.headers[zone.generators[53] ?? 0].peak
    }

    /// The amplitude of one line of the loop's discrete Fourier transform.
    private func amplitude(_ loop: [Double], line: Double) -> Double {
        let step = 2 * cos(2 * Double.pi * line / Double(loop.count))
        var a = 0.0
        var b = 0.0
        for value in loop { (a, b) = (value + step * a - b, a) }
        return 2 * (max(0, a * a + b * b - step * a * b)).squareRoot() / Double(loop.count)
    }
}
