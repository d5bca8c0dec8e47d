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
        let error = #expect(throws: SoundFontError.self) { try SoundFontFile(path: "/proc/nowhere/x.sf2") }
        #expect(error?.fault == .missing)
        #expect(error?.description.contains("/proc/nowhere/x.sf2") == true)
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

    @Test(arguments: [5_000, 7, -2_000, -2]) func aWrongLengthOfAWholeFileIsMended(more: Int) throws {
        var bytes = TinySoundFont().bytes
        let length = bytes.count - 8 + more
        for byte in 0..<4 { bytes[4 + byte] = UInt8(length >> (8 * byte) & 255) }
        try TinySoundFont.write(bytes) { path in
            let file = try SoundFontFile(path: path)
            #expect(file.presets.count == 2 && file.faults == [.wrongLength(found: length, wanted: bytes.count - 8)])
            #expect(file.faults[0].remark(on: path).kind == .repaired)
        }
    }

    /// Presets whose zones lead nowhere are silent there; the others play.
    private func faults(_ font: TinySoundFont) throws -> (faults: [SoundFontFile.Fault], recipes: Int) {
        try font.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let list = library.recipes(for: nil)
            let store = try SampleStore(list, from: library)
            #expect(store.faults.isEmpty && store.samples.allSatisfy { $0.frames >= 8 })
            return (library.files[0].faults, list.recipes.count)
        }
    }

    @Test func zonesThatLeadNowhereAreToldAndTheRestPlays() throws {
        var font = TinySoundFont()
        font.instrument = 2
        var found = try faults(font)
        #expect(found.faults == [.zonesWithoutTarget(count: 1)] && found.recipes == 1)
        font = TinySoundFont()
        font.sampleIndex = 2
        found = try faults(font)
        #expect(found.faults == [.zonesWithoutTarget(count: 1)] && found.recipes == 1)
    }

    @Test func samplesOutsideTheDataAreToldAndTheRestPlays() throws {
        for (start, end) in [(0, 1_101), (0, 0x7FFF_FFFF), (1_050, 1_000)] {
            var font = TinySoundFont()
            (font.sample[0], font.sample[1]) = (start, end)
            let found = try faults(font)
            let wanted = SoundFontFile.Fault.sampleOutsideData(sample: "Triangle", start: start, end: end, available: 1_100)
            #expect(found.faults == [wanted] && found.recipes == 1, "\(found)")
        }
    }

    @Test func chunksOfOddLengthInINFOArePassedOver() throws {
        var bytes = TinySoundFont().bytes
        // "isng", 8 bytes: seven of them and the byte that makes it even.
        let at = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("isng".utf8) })
        bytes[at + 4] = 7
        try TinySoundFont.write(bytes) { path in
            let file = try SoundFontFile(path: path)
            #expect(file.title == "Tiny" && file.faults.isEmpty)
        }
    }

    @Test func aLoopOutsideItsSampleIsReported() throws {
        var font = TinySoundFont()
        font.sample[3] = 1_050
        try font.write { path in
            let file = try SoundFontFile(path: path)
            #expect(file.faults == [.loopOutsideSample(sample: "Triangle", start: 200, end: 1_050)])
        }
    }

    @Test func aRateThatNoSampleHasIsToldAndTheRestPlays() throws {
        var font = TinySoundFont()
        font.sample[4] = 0x7FFF_FFFF
        let found = try faults(font)
        #expect(found.faults == [.sampleRate(sample: "Triangle", hertz: 0x7FFF_FFFF)] && found.recipes == 1)
    }

    @Test func versionsThatNobodyReadsAreRefused() throws {
        var font = TinySoundFont()
        font.version = (4, 0)
        guard case .unsupportedVersion(_, 4, 0)? = try error(font) else {
            Issue.record("version 4 was accepted")
            return
        }
    }

    @Test func aPlainSampleMarkedAsVorbisIsToldAndTheRestPlays() throws {
        var font = TinySoundFont()
        font.sample[6] = 0x11
        let found = try faults(font)
        #expect(found.faults == [.brokenStream(sample: "Triangle")] && found.recipes == 1)
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
