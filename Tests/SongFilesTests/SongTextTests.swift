import Sequencer
import SongFiles
import Testing

/// The encodings of texts.
@Suite struct SongTextTests {
    /// The texts of a track, as they are read.
    private func texts(_ texts: [(type: UInt8, bytes: [UInt8])], _ encoding: String? = nil) throws -> [String] {
        let bytes = SongBytes.song(texts.flatMap { SongBytes.meta($0.type, $0.bytes) } + SongBytes.end)
        let encoding = try encoding.map { (name) throws(SongError) in try TextEncoding(name) }
        return try SongReader.read(bytes: bytes, name: "s", textEncoding: encoding).song.tracks[0].events.compactMap { event in
            if case .text(let text) = event.kind { text.string } else { nil }
        }
    }

    private func lyrics(_ lyrics: [UInt8]...) throws -> [String] { try texts(lyrics.map { (5, $0) }) }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func theTagsOfLyricsNameTheEncodingAndAreNoWords() throws {
        #expect(try lyrics(ascii("{@JP}"), [0x82, 0xB3, 0x82, 0xAD, 0x82, 0xE7]) == ["", "\u{3055}\u{304F}\u{3089}"])
        // The second byte of this character is a backslash, that of the next one a bracket.
        #expect(try lyrics(ascii("{@JP}") + [0x95, 0x5C, 0x83, 0x5B] + ascii("{@LATIN}") + [0xE9]) == ["\u{8868}\u{30BC}\u{E9}"])
        #expect(try lyrics(ascii("{#Title=Song,Composer=Me}La"), ascii("la")) == ["La", "la"])
        #expect(try lyrics(ascii("{@LATIN}a[b]c\\[d\\]\\\\e\\n\\r\\t"), ascii("{")) == ["ac[d]\\e\n\r\t", ""])
    }

    @Test func withoutATagBracketsAreBrackets() throws {
        #expect(try lyrics(ascii("a[b]{c}\\n")) == ["a[b]{c}\\n"])
        // Tags are of lyrics alone.
        #expect(try texts([(1, ascii("{@JP}")), (5, ascii("a[b]"))]) == ["{@JP}", "a[b]"])
    }

    @Test func aByteOrderMarkIsFollowedInEveryText() throws {
        for type in [UInt8(1), 3, 5, 6] {
            #expect(try texts([(type, [0xFE, 0xFF, 0, 0x47, 0, 0xFC])]) == ["G\u{FC}"])
            #expect(try texts([(type, [0xFF, 0xFE, 0x47, 0, 0xFC, 0])]) == ["G\u{FC}"])
            #expect(try texts([(type, [0xEF, 0xBB, 0xBF] + ascii("G"))]) == ["G"])
        }
        // Half a character is none.
        #expect(try texts([(5, [0xFE, 0xFF, 0, 0x47, 0])]) == ["\u{FE}\u{FF}\0G\0"])
    }

    @Test func anEncodingIsNamed() throws {
        let russian: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
        #expect(
            try texts([(1, russian), (5, russian)], "cp1251") == [
                "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}", "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}",
            ])
        #expect(try texts([(5, russian)]) == ["\u{CF}\u{F0}\u{E8}\u{E2}\u{E5}\u{F2}"])
        // What is not of the encoding is read as without it.
        #expect(try texts([(5, [0xFF])], "UTF-8") == ["\u{FF}"])
        for name in ["", "no-such", "UTF-8//IGNORE"] {
            #expect(throws: SongError.unknownEncoding(name: name)) { try TextEncoding(name) }
        }
    }

    @Test func aTracksNameIsOne() throws {
        let bytes = SongBytes.song(SongBytes.meta(3, [0xCF, 0xF0]) + SongBytes.end)
        let song = try SongReader.read(bytes: bytes, name: "s", textEncoding: TextEncoding("cp1251")).song
        #expect(song.title == "\u{41F}\u{440}")
    }
}
