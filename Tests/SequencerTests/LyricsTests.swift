import Sequencer
import Testing

struct LyricsTests {
    private func song(_ texts: (SongText.Kind, String)...) -> Song {
        Song(tracks: [
            Track(
                events: texts.enumerated().map { index, text in
                    SongEvent(tick: Int64(index) * 10, .text(SongText(text.0, text.1)))
                })
        ])
    }

    @Test func karaokeTextsGiveTitlesPagesAndLines() {
        let lyrics = Lyrics(
            song(
                (.text, "@KMIDI KARAOKE FILE"), (.text, "@LENGL"), (.text, "@TDing Dong"),
                (.text, "@TTrad."), (.text, "@IEntered by hand"), (.text, "\\Ding "), (.text, "dong"),
                (.text, "/bell")))
        #expect(lyrics.titles == ["Ding Dong", "Trad."])
        #expect(lyrics.language == "ENGL")
        #expect(lyrics.information == ["Entered by hand"])
        #expect(
            lyrics.syllables == [
                .init(tick: 50, text: "Ding ", begins: .page),
                .init(tick: 60, text: "dong", begins: .nothing),
                .init(tick: 70, text: "bell", begins: .line),
            ])
    }

    @Test func lyricEventsBreakAtReturns() {
        let lyrics = Lyrics(
            song((.lyric, "Ding "), (.lyric, "dong\r"), (.lyric, "bell"), (.lyric, "\n"), (.lyric, "end")))
        #expect(lyrics.syllables.map(\.text) == ["Ding ", "dong", "bell", "end"])
        #expect(lyrics.syllables.map(\.begins) == [.nothing, .nothing, .line, .line])
    }

    @Test func plainTextsAreNoLyrics() {
        #expect(Lyrics(song((.text, "Made on a Sunday"), (.copyright, "none"))).syllables.isEmpty)
    }

    @Test func bytesThatAreNoUTF8AreReadAsLatin1() {
        #expect(SongText(.lyric, bytes: [0x66, 0xFC, 0x72]).string == "für")
        #expect(SongText(.lyric, "für").string == "für")
    }
}
