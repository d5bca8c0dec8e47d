import Glibc
import Testing

@testable import SoundFonts

@Suite struct SoundFontFileTests {
    private func error(_ font: TinySoundFont) throws -> SoundFontError? {
        try font.write { path in
            do throws(SoundFontError) {
                _ = try SoundFontFile(path: path)
                return nil
            } catch { return error }
        }
    }

    @Test func aSoundFontListsItsPresetsByBankAndProgram() throws {
        var font = TinySoundFont()
        font.presets = [(8, 3, "B"), (0, 5, "A"), (128, 0, "Kit"), (0, 1, "C")]
        try font.write { path in
            let file = try SoundFontFile(path: path)
            #expect(file.presets.map(\.name) == ["C", "A", "B", "Kit"])
            #expect(file.title == "Tiny")
            #expect(file.format == .sf2)
            #expect(file.sampleMemory == 2_200)
            #expect(file.instrumentCount == 2)
            #expect(file.samples.map(\.name) == ["Triangle", "Click"])
            #expect(file.faults.isEmpty)
        }
    }

    @Test func aMissingFileIsMissingAndNamed() {
        let error = #expect(throws: SoundFontError.self) { try SoundFontFile(path: "/nowhere/x.sf2") }
        #expect(error?.fault == .missing)
        #expect(error?.description.contains("/nowhere/x.sf2") == true)
    }

    @Test func somethingElseIsRefusedWithItsFirstBytes() throws {
        try TinySoundFont.write(Array("MThd is a song, not a SoundFont".utf8)) { path in
            let error = #expect(throws: SoundFontError.self) { try SoundFontFile(path: path) }
            #expect(error == .notASoundFont(path: path, firstBytes: Array("MThd".utf8)))
            #expect(error?.fault == .damaged)
        }
    }

    @Test func anEmptyFileAndAFolderAreRefused() throws {
        try TinySoundFont.write([]) { path in
            #expect(throws: SoundFontError.notASoundFont(path: path, firstBytes: [])) { try SoundFontFile(path: path) }
        }
        #expect(throws: SoundFontError.notAFile(path: "/tmp")) { try SoundFontFile(path: "/tmp") }
    }

    /// libfluidsynth writes where the low byte of the destination points; found by `tools/fuzz`.
    @Test func aModulatorActsOnAGeneratorThatExists() throws {
        var font = TinySoundFont()
        font.modulators = [[0x0102, 62, 100, 0, 0]]
        #expect(try error(font) == nil)
        for destination in [63, 255, 0x803F] {
            font.modulators[0][1] = destination
            guard case .value(_, "imod", _, _, destination, 0...62)? = try error(font) else {
                return #expect(Bool(false), "destination \(destination) was taken")
            }
        }
    }

    @Test func everyTruncationIsRefusedWithoutReadingPastTheEnd() throws {
        let bytes = TinySoundFont().bytes
        for length in stride(from: 0, to: bytes.count, by: 7) {
            try TinySoundFont.write(Array(bytes[..<length])) { path in
                let error = #expect(throws: SoundFontError.self) { try SoundFontFile(path: path) }
                #expect(error?.fault == .damaged, "at \(length)")
            }
        }
    }

    @Test func indicesOutsideTheirTablesAreRefused() throws {
        var font = TinySoundFont()
        font.instrument = 2
        guard case .index(_, "pgen", _, 0, 2, 0...1)? = try error(font) else {
            Issue.record("a missing instrument was accepted")
            return
        }
        font = TinySoundFont()
        font.sampleIndex = 2
        guard case .index(_, "igen", _, 1, 2, 0...1)? = try error(font) else {
            Issue.record("a missing sample was accepted")
            return
        }
    }

    @Test func sampleBoundsOutsideTheDataAreRefused() throws {
        var font = TinySoundFont()
        font.sample[1] = 1_101
        guard case .value(_, "shdr", _, _, 1_101, 0...1_100)? = try error(font) else {
            Issue.record("a sample beyond the data was accepted")
            return
        }
        font.sample[1] = 0x7FFF_FFFF
        #expect(try error(font) != nil)
        font = TinySoundFont()
        font.sample[0] = 1_050
        #expect(try error(font) != nil)
    }

    @Test func aLoopOutsideItsSampleIsReported() throws {
        var font = TinySoundFont()
        font.sample[3] = 1_050
        try font.write { path in
            let file = try SoundFontFile(path: path)
            #expect(file.faults == [.loopOutsideSample(sample: "Triangle", start: 200, end: 1_050)])
        }
    }

    @Test func aRateThatNoSampleHasIsRefused() throws {
        var font = TinySoundFont()
        font.sample[4] = 0x7FFF_FFFF
        guard case .value(_, "shdr", _, _, 0x7FFF_FFFF, _)? = try error(font) else {
            Issue.record("a rate of two gigahertz was accepted")
            return
        }
    }

    @Test func versionsThatNobodyReadsAreRefused() throws {
        var font = TinySoundFont()
        font.version = (4, 0)
        guard case .unsupportedVersion(_, 4, 0)? = try error(font) else {
            Issue.record("version 4 was accepted")
            return
        }
    }

    @Test func aPlainSampleMarkedAsVorbisIsRefused() throws {
        var font = TinySoundFont()
        font.sample[6] = 0x11
        guard case .brokenVorbis(_, 0, _)? = try error(font) else {
            Issue.record("PCM was taken for Vorbis")
            return
        }
    }

    @Test func duplicatePresetsAreReported() throws {
        var font = TinySoundFont()
        font.presets.append((0, 0, "Again"))
        try font.write { path in
            let file = try SoundFontFile(path: path)
            #expect(file.faults == [.duplicatePreset(bank: 0, program: 0, name: "Again")])
            #expect(file.presets.count == 2)
        }
    }
}
