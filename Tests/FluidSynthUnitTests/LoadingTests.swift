import CarillonTestKit
import Glibc
import SoundFonts
import Testing

@testable import FluidSynthUnit

/// What libfluidsynth gets to load, and what it is kept from.
@Suite struct LoadingTests {
    /// The file that the program's own SoundFont is made from.
    private static let carillon =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/soundfonts/carillon.sf2"

    private func error(_ font: TinySoundFont) throws -> SoundFontError? {
        try font.write { path in
            do throws(SoundFontError) {
                _ = try SoundFontTrial.play(path)
                return nil
            } catch { return error }
        }
    }

    @Test func aLoopOutsideItsSamplePlays() throws {
        var font = TinySoundFont()
        font.sample[3] = 1_050
        try font.write { path in
            let peak = try SoundFontTrial.play(path).peak
            #expect(peak > 0.001)
        }
    }

    @Test func theProgramsOwnPlaysTheSameAsTheFile() throws {
        let own = try SoundFontTrial.play("embedded"), file = try SoundFontTrial.play(Self.carillon)
        #expect(own == file && own.peak > 0.01)
    }

    /// What is checked is what is loaded: the library opens the path again.
    @Test func aFileThatIsReplacedAfterItsCheckIsNotLoaded() throws {
        try TinySoundFont().write { path in
            let file = try SoundFontFile(path: path)
            let synth = try FluidSynthCalls(FluidSynthSettings(sampleRate: 48_000, polyphony: 1, buses: 1, gain: 0.2))
            _ = try synth.load(file)
            try TinySoundFont().write { other in
                #expect(rename(other, path) == 0)
                #expect(throws: SoundFontError.changed(path: path)) { try synth.load(file) }
            }
        }
    }

    /// libinstpatch 1.1 gives the library the bank as the file has it: beyond bank 127 and the first kits no program change
    /// reaches its instruments. Below that both have them in the same place.
    @Test func instrumentsOfADLSFileLieWhereTheLibraryHasThem() throws {
        var dls = TinyDLS()
        dls.instruments = [(0, 0), (0, 127), (3, 2), (127, 3), (1 << 31, 0), (1 << 31, 8)]
        try dls.write { path in
            let file = try SoundFontFile(path: path)
            let synth = try FluidSynthCalls(FluidSynthSettings(sampleRate: 48_000, polyphony: 1, buses: 1, gain: 0.2))
            let theirs = synth.presets(of: try synth.load(file)).map { [$0.bank, $0.program] }
            #expect(file.presets.map { [$0.bank, $0.program] } == theirs.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
        }
    }

    /// A file that libinstpatch does not take is no library without a reader.
    @Test func aDLSFileThatTheLibraryRejectsIsRefusedByItsOwnWord() throws {
        var dls = TinyDLS()
        dls.format = 2
        try dls.write { path in
            let file = try SoundFontFile(path: path)
            let synth = try FluidSynthCalls(FluidSynthSettings(sampleRate: 48_000, polyphony: 1, buses: 1, gain: 0.2))
            do throws(SoundFontError) {
                _ = try synth.load(file)
                Issue.record("the library has taken a wave that it cannot decode")
            } catch {
                if case .refused(path, _) = error {} else { Issue.record("\(error)") }
            }
        }
    }

    @Test func tuningThatWouldNeverEndIsRefused() throws {
        var font = TinySoundFont()
        font.generators = [(54, 1), (51, 300)]
        guard case .pitchOutOfReach? = try error(font) else {
            Issue.record("three hundred semitones were accepted")
            return
        }
        font = TinySoundFont()
        font.modulators = [[2, 51, 3_000, 0, 0]]
        guard case .pitchOutOfReach? = try error(font) else {
            Issue.record("a modulator of three thousand semitones was accepted")
            return
        }
        font = TinySoundFont()
        font.generators = [(54, 1), (51, 24)]
        #expect(try error(font) == nil)
    }

    @Test func manyMutationsAreRefusedOrPlayWithoutHarm() throws {
        let bytes = TinySoundFont().bytes
        // Everything but the wave itself: that is where structure lies.
        let wave = 100..<2_280
        let places = bytes.indices.filter { !wave.contains($0) }
        var random = SeededRandom(seed: 7)
        var refused = 0
        var played = 0
        while refused + played < 1_500 {
            var mutant = bytes
            for _ in 0..<Int(random.next() % 4) + 1 {
                mutant[places[Int(random.next() % UInt64(places.count))]] = random.interestingByte()
            }
            try TinySoundFont.write(mutant) { path in
                do throws(SoundFontError) {
                    _ = try SoundFontTrial.play(path)
                    played += 1
                } catch {
                    #expect(error.fault == .damaged, "\(error)")
                    #expect(!error.description.contains("\n"))
                    refused += 1
                }
            }
        }
        #expect(refused > 100 && played > 100)
    }
}
