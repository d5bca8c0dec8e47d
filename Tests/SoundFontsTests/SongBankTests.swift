import Glibc
import MIDI
import Testing

@testable import SoundFonts

/// SoundFonts that lie inside song files.
@Suite struct SongBankTests {
    private static var font: TinySoundFont {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Own"), (3, 5, "Other"), (128, 0, "Own kit")]
        return font
    }

    @Test func aBankIsFoundWhereverItLies() throws {
        let font = Self.font.bytes
        var songs = [TinyRMID(bank: font), TinyRMID(bank: font, isOutside: true), TinyRMID(bank: font, isPadded: false)]
        songs.append(TinyRMID(song: TinyRMID.song([(0, 0)]) + [0], bank: font, isPadded: false))
        songs.append(TinyRMID(song: TinyRMID.song([(0, 0)]) + [0], bank: font, isPadded: true))
        for song in songs {
            try song.write { path in
                let bank = try #require(try SongBank(song: path))
                #expect(bank.source == SoundFontLibrary.Source(path: path, bankOffset: 1))
                #expect(bank.format == .sf2 && bank.title == "Tiny" && bank.byteCount == font.count)
                #expect(bank.presets.map(\.name) == ["Own", "Other", "Own kit"])
            }
        }
    }

    @Test(arguments: [([0, 0], 0), ([1, 0], 1), ([127, 0], 127)] as [([UInt8], Int)])
    func theSongSaysByHowMuchBanksAreMoved(_ bytes: [UInt8], _ offset: Int) throws {
        try TinyRMID(bank: Self.font.bytes, offset: bytes).write { path in
            let bank = try SongBank(song: path)
            #expect(bank?.source.bankOffset == offset)
        }
    }

    @Test func aBankOfDLSStaysWhereItIs() throws {
        try TinyRMID(bank: TinyDLS().bytes, offset: [5, 0]).write { path in
            let bank = try #require(try SongBank(song: path))
            #expect(bank.format == .dls && bank.source.bankOffset == 0)
        }
    }

    @Test func songsWithoutABankHaveNone() throws {
        try TinyRMID().write { path in
            let bank = try SongBank(song: path)
            #expect(bank == nil)
            #expect(throws: SoundFontError.noBank(path: path)) { try SoundFontFile(path: path) }
        }
        for bytes in [TinyRMID.song([(0, 0)]), Self.font.bytes, []] {
            try TinySoundFont.write(bytes) { path in
                let bank = try SongBank(song: path)
                #expect(bank == nil)
            }
        }
    }

    @Test func whatIsWrongWithABankIsSaid() throws {
        for offset in [[1], [128, 0], [0, 1], [0, 0, 0]] as [[UInt8]] {
            try TinyRMID(bank: Self.font.bytes, offset: offset).write { path in
                #expect(throws: SoundFontError.self) { try SongBank(song: path) }
            }
        }
        let font = Self.font.bytes
        // Every length of the bank may be a lie, and the file may end anywhere in it.
        for cut in [12, 100, font.count / 2, font.count - 1] {
            try TinyRMID(bank: Array(font.prefix(cut)), isPadded: false).write { path in
                #expect(throws: SoundFontError.self) { try SongBank(song: path) }
            }
        }
        var huge = font
        huge.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try TinyRMID(bank: huge).write { path in
            let file = try SoundFontFile(path: path)
            #expect(file.faults.first?.remark(on: path).kind == .repaired)
        }
    }

    @Test func aFileOfEmptyChunksIsNotReadToItsEnd() throws {
        let chunk: [UInt8] = Array("junk".utf8) + [0, 0, 0, 0]
        let head: [UInt8] = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMID".utf8)
        try TinySoundFont.write(head + (0..<5_000).flatMap { _ in chunk }) { path in
            #expect(throws: SoundFontError.tooMany(path: path, what: "chunks", count: 4_097, limit: 4_096)) {
                try SongBank(song: path)
            }
        }
    }

    @Test func itsSamplesAreThoseOfTheSameFileAlone() throws {
        for font in [Self.font.bytes, TinyDLS().bytes] {
            try TinySoundFont.write(font) { file in
                try TinyRMID(bank: font).write { song in
                    let stores = try [file, song].map { path in
                        let library = try SoundFontLibrary([.init(path: path)])
                        return try SampleStore(library.recipes(for: nil), from: library)
                    }
                    #expect(stores[0].samples.count > 0 && stores[0].samples.count == stores[1].samples.count)
                    for (one, other) in zip(stores[0].samples, stores[1].samples) {
                        #expect(one.frames > 8 && one.frames == other.frames && one.loopStart == other.loopStart)
                        #expect(memcmp(one.data, other.data, Int(one.frames) * 2) == 0)
                    }
                    #expect(stores.flatMap(\.faults).isEmpty)
                }
            }
        }
    }

    @Test func itsPresetsComeBeforeThoseOfOthers() throws {
        var usual = TinySoundFont()
        usual.presets = [(0, 0, "Usual"), (0, 5, "Usual 5"), (1, 0, "Variation"), (3, 5, "Usual 3:5"), (128, 0, "Usual kit")]
        try usual.write { usualPath in
            for (offset, answers) in [
                (0, ["Own", "Usual 5", "Own", "Other", "Own kit"]), (1, ["Usual", "Usual 5", "Own", "Usual 3:5", "Own kit"]),
            ] {
                try TinyRMID(bank: Self.font.bytes, offset: [UInt8(offset), 0]).write { path in
                    let bank = try #require(try SongBank(song: path))
                    let library = try SoundFontLibrary([.init(path: usualPath), bank.source])
                    let requests = [
                        PresetRequest(bank: 0, program: 0), PresetRequest(bank: 0, program: 5),
                        PresetRequest(bank: 1, program: 0), PresetRequest(bank: 3, program: 5), PresetRequest(kit: 0),
                    ]
                    #expect(requests.map { library.resolve($0).found?.preset.name } == answers)
                    #expect(
                        library.resolve(PresetRequest(bank: 4, program: 5)).found?.preset.name
                            == (offset == 1 ? "Other" : "Usual 5"))
                }
            }
        }
    }
}
