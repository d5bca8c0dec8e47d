import Glibc
import MIDI
import SoundFonts
import Testing
import UnitAPI

@testable import Graphs
@testable import Samplers

/// Samples that turn out to be damaged when they are decoded are silent and counted; the others play.
@Suite struct UnreadableSampleTests {
    private static let lite = "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3"

    @Test func aDamagedStreamIsSilentAndShown() throws {
        guard access(Self.lite, R_OK) == 0 else { return }
        let library = try SoundFontLibrary([.init(path: Self.lite)])
        let list = library.recipes(for: [PresetRequest(bank: 0, program: 0), PresetRequest(bank: 0, program: 40)])
        let contents = try #require(library.files[0].contents)
        let first = list.samples[0].sample
        var bytes = [UInt8](repeating: 0, count: library.files[0].fileSize)
        let file = open(Self.lite, O_RDONLY)
        let size = bytes.count
        let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, size, 0) }
        close(file)
        #expect(got == size)
        // The set-up packets stay, and so do the pages' headers; what they hold is noise.
        let start = contents.layout.wave.lowerBound + contents.samples[first].start
        let end = contents.layout.wave.lowerBound + contents.samples[first].end
        for at in stride(from: start + 60, to: min(start + 4_000, end), by: 3) { bytes[at] ^= 0x5A }
        try TinySoundFont.write(bytes) { path in
            let damaged = try SoundFontLibrary([.init(path: path)])
            let list = damaged.recipes(for: [PresetRequest(bank: 0, program: 0), PresetRequest(bank: 0, program: 40)])
            let store = try SampleStore(list, from: damaged)
            let silent = store.samples.count { $0.frames == 0 }
            #expect(silent == store.faults.count && silent + damaged.files[0].faults.count > 0)
            let events = [SamplerRig.message(0, 0xC0, 40), SamplerRig.note(64, 69, 100)]
            var scan = PresetScan()
            for event in events { scan.apply(event.event) }
            let rig = try SamplerRig(path, properties: SoundFontSelection.properties([.init(path: path)], playing: scan))
            let sound = rig.play(events, frames: 24_000, block: 480)
            #expect(sound[0].contains { abs($0) > 0.001 })
        }
    }
}
