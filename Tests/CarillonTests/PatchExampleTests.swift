import Carillon
import Foundation
import Testing

@testable import Sessions

/// The examples of patches: files that are read, and that sound.
@Suite struct PatchExampleTests {
    static let names = PatchExample.all.map(\.name)

    /// Notes on the first two channels, a second long.
    private static let song: Song = {
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        for step in 0..<4 as Range<Int64> {
            for (channel, key) in [(0, 60 + 4 * step), (1, 36 + step)] as [(UInt8, Int64)] {
                let on = MIDIMessage(status: 0x90 | channel, data1: UInt8(key), data2: 100)
                let off = MIDIMessage(status: 0x80 | channel, data1: UInt8(key), data2: 0)
                events += [(step * 240, .message(on)), (step * 240 + 230, .message(off))]
            }
        }
        return RenderedSong.song(events)
    }()

    private static func options(_ patch: Patch?) -> RenderOptions {
        var options = RenderedSong.options(1.5)
        options.patch = patch
        return options
    }

    /// Made once: it is long.
    private static let schema = Result { try SchemaCheck(PatchSchema.text(units: UnitCatalog.entries)) }

    @Test(arguments: names) func anExampleIsAFileThatIsReadAgain(_ name: String) throws {
        let example = try #require(PatchExample.named(name))
        let text = try example.text, units = UnitCatalog.entries
        #expect(try PatchFile(text: text, units: units).patch == example.patch)
        #expect(try PatchFile(text: PatchFile.text(of: example.patch, units: units), units: units).patch == example.patch)
        #expect(try Self.schema.get().fault(text) == nil)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 128 })
        #expect(example.summary.last == "." && !example.summary.contains("\n"))
    }

    /// The reference: a folder of Carillon.docc.
    private static let reference =
        String(#filePath.prefix(upTo: #filePath.range(of: "Tests/CarillonTests/")?.lowerBound ?? #filePath.startIndex))
        + "Sources/Carillon/Carillon.docc/Reference/"

    @Test(arguments: names) func thePictureOfAnExampleIsWhatItIs(_ name: String) throws {
        let path = Self.reference + "patch-\(name).svg"
        let drawn = GraphReport(try Engine(patch: #require(PatchExample.named(name)).patch)).svg
        let isCurrent = try String(contentsOfFile: path, encoding: .utf8) == drawn + "\n"
        #expect(isCurrent, "make it anew: carillon patch new \(name) -o x.yaml; carillon patch show x.yaml --svg > \(path)")
    }

    @Test func thePageHasEveryExampleInItsWords() throws {
        let page = try String(contentsOfFile: Self.reference + "Patches.md", encoding: .utf8)
        let parts = PatchExample.all.map { example in
            "\n## \(example.name)\n\n\(example.summary)\n\n"
                + "![The units of \(example.name) and what leads where](patch-\(example.name).svg)\n"
        }
        #expect(page.hasSuffix(parts.joined()) && page.components(separatedBy: "\n## ").count == parts.count + 1)
    }

    @Test(arguments: names) func aSongSoundsThroughAnExample(_ name: String) throws {
        let patch = try #require(PatchExample.named(name)).patch
        let (samples, report, seen) = try RenderedSong.render(Self.song, Self.options(patch))
        let peak = samples.joined().reduce(Float(0)) { max($0, abs($1)) }
        #expect(seen.isEmpty, "\(seen)")
        #expect(samples.joined().allSatisfy { (sample: Float) in sample.isFinite })
        #expect(peak > 0.02 && peak < 0.9, "\(peak)")
        #expect(report.limiter.most < 6)
    }

    @Test func theDefaultGraphMadeVisibleSoundsTheSame() throws {
        let patch = try #require(PatchExample.named("general-midi")).patch
        var options = Self.options(nil)
        options.gain = options.instrument.referenceGain
        let plain = try RenderedSong.render(Self.song, options).samples
        let visible = try RenderedSong.render(Self.song, Self.options(patch)).samples
        #expect(visible == plain)
        // In four groups it is the same sum in another order.
        let four = try #require(PatchExample.named("four-stems")).patch
        let stems = try RenderedSong.render(Self.song, Self.options(four)).samples
        let farthest = zip(Array(stems.joined()), Array(plain.joined())).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(farthest < 1e-5)
    }

    @Test func karaokeLeavesTheMelodyOut() throws {
        let on = MIDIMessage(status: 0x93, data1: 60, data2: 100), off = MIDIMessage(status: 0x83, data1: 60, data2: 0)
        let melody = RenderedSong.song([(0, .message(on)), (480, .message(off))])
        let patch = try #require(PatchExample.named("karaoke")).patch
        let sung = try RenderedSong.render(melody, Self.options(patch)).samples
        let plain = try RenderedSong.render(melody, Self.options(nil)).samples
        #expect(sung.joined().allSatisfy { (sample: Float) in sample == 0 })
        #expect(plain.joined().contains { (sample: Float) in sample != 0 })
    }

    @Test func anInstrumentThatNamesNoPartsHearsAllOfThem() throws {
        var patch = Patch()
        patch.units = [PatchUnit("a", "square-wave", role: .instrument)]
        patch.outputs = [PatchPort("a")]
        let all = try RenderedSong.render(Self.song, Self.options(patch))
        #expect(all.report.counters.unheardEvents == 0)
        patch.units[0].parts = PartList([0])
        let one = try RenderedSong.render(Self.song, Self.options(patch))
        #expect(one.report.counters.unheardEvents > 0 && one.samples != all.samples)
    }

    @Test func partsThatNobodyHearsAreNamed() throws {
        let patch = try #require(PatchExample.named("organ-with-pedal")).patch
        let keys: [(channel: UInt8, key: UInt8)] = [(0, 60), (2, 62), (9, 36), (3, 64)]
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        for (channel, key) in keys {
            events.append((0, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: 100))))
            events.append((200, .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 0))))
        }
        let song = RenderedSong.song(events)
        let report = try RenderedSong.render(song, Self.options(patch)).report
        #expect(
            report.remarks.map(\.sentence) == ["3 notes reached no instrument, and were silent: no unit hears parts 3-4, 10"],
            "\(report.remarks)"
        )
    }

    @Test func whatThePatchCannotBeIsItsFault() throws {
        var patch = Patch()
        patch.units = [PatchUnit("a", "square-wave", role: .instrument)]
        do {
            _ = try SongRenderer(Self.song, options: Self.options(patch))
            Issue.record("it was built")
        } catch {
            #expect("\(error)" == "the patch: the patch has no output; name the bus whose sound leaves")
        }
    }

    @Test func soundFontsAreFoundFromTheFilesFolderOn() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appending(path: "a.yaml").path
        try "version: 1\nsoundfonts: [own.sf2, embedded, /x.sf2]\npatches: {b: {soundfonts: [c/d.sf2]}}\n"
            .appending("units: {limiter: }\noutputs: limiter\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let patch = try PatchFile.playable(path: path)
        #expect(patch.soundFonts == ["\(folder.path)/own.sf2", "embedded", "/x.sf2"])
        #expect(patch.patches[0].patch.soundFonts == ["\(folder.path)/c/d.sf2"])
    }
    @Test func theFileOfAUnitIsFoundFromThePatchOn() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appending(path: "a.yaml").path
        try
            "version: 1\nunits: {a: {unit: convolver, properties: {file: b/c.wav}}, d: {unit: convolver, properties: {file: /e.wav}}}\n"
            .appending("connections: [a -> d]\noutputs: d\n").write(toFile: path, atomically: true, encoding: .utf8)
        let units = try PatchFile.playable(path: path).units
        #expect(units.map { $0.properties["file"] } == [.text("\(folder.path)/b/c.wav"), .text("/e.wav")])
    }
}
