import Sequencer

/// Turns the texts of a song into UTF-8: by an encoding that the user names, a byte order mark, or the tags of RP-026 in its
/// lyrics, which are taken out of the words.
///
/// | in lyrics of RP-026 | what becomes of it |
/// |---|---|
/// | `{@LATIN}`, `{@JP}` | from here on the track's lyrics are Latin-1, or Shift JIS |
/// | `{#Title=...}` and other information | left out |
/// | `[...]`, the ruby of what comes before | left out |
/// | `\r`, `\n`, `\t` | carriage return, line feed, tab |
/// | `\\`, `\[`, `\]`, `\{`, `\}` | the character itself |
///
/// A song whose lyrics have no tag has none of these: brackets are brackets there. Source: MMA/AMEI RP-026, "SMF Language and
/// Display Extensions".
struct SongTextDecoder {
    /// The encoding that the user names.
    let encoding: TextEncoding?

    func decode(_ song: inout Song) {
        let hasTags = song.tracks.contains { track in
            track.events.contains { event in
                guard case .text(let text) = event.kind, text.kind == .lyric else { return false }
                return text.bytes.indices.dropLast().contains { at in
                    text.bytes[at] == UInt8(ascii: "{") && [UInt8(ascii: "@"), UInt8(ascii: "#")].contains(text.bytes[at + 1])
                }
            }
        }
        for track in song.tracks.indices {
            var tagged: TextEncoding?
            for index in song.tracks[track].events.indices {
                guard case .text(var text) = song.tracks[track].events[index].kind else { continue }
                let former = text.bytes
                if hasTags, text.kind == .lyric, Self.withoutMark(former) == nil {
                    text.bytes = Array(words(former, &tagged).utf8)
                } else {
                    text.bytes = string(former, encoding).map { Array($0.utf8) } ?? former
                }
                if text.bytes == former { continue }
                song.tracks[track].events[index].kind = .text(text)
                if text.kind == .trackName, song.tracks[track].name == SongText(.trackName, bytes: former).string {
                    song.tracks[track].name = text.string
                }
            }
        }
    }

    /// The text by its byte order mark or the encoding; nil: it stays as it is.
    private func string(_ bytes: [UInt8], _ encoding: TextEncoding?) -> String? {
        Self.withoutMark(bytes) ?? encoding?.text(bytes)
    }

    /// The text after a byte order mark; nil if it has none, or is not what the mark says.
    private static func withoutMark(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(validating: bytes.dropFirst(3), as: UTF8.self) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count % 2 == 0 else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { at in
            UInt16(bytes[at + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[at + (isLittle ? 0 : 1)])
        }
        return String(validating: units, as: UTF16.self)
    }

    /// The words of a lyric with tags. A second byte of Shift JIS may look like a bracket or a backslash.
    private func words(_ bytes: [UInt8], _ tagged: inout TextEncoding?) -> String {
        var text = "", run: [UInt8] = [], at = 0
        func flush(_ tagged: TextEncoding?) {
            text += string(run, tagged ?? encoding) ?? SongText(.lyric, bytes: run).string
            run = []
        }
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case 0x81...0x9F where tagged == .japanese, 0xE0...0xFC where tagged == .japanese:
                run += bytes[(at - 1)..<min(at + 1, bytes.count)]
                at += 1
            case UInt8(ascii: "\\") where at < bytes.count:
                let meant: [UInt8: UInt8] = [UInt8(ascii: "r"): 13, UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9]
                run.append(meant[bytes[at]] ?? bytes[at])
                at += 1
            case UInt8(ascii: "["): at = min((bytes[at...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count) + 1, bytes.count)
            case UInt8(ascii: "{"):
                let end = bytes[at...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
                let tag = String(decoding: bytes[at..<end], as: UTF8.self).uppercased()
                at = min(end + 1, bytes.count)
                flush(tagged)
                if tag == "@LATIN" { tagged = .latin } else if tag == "@JP" { tagged = .japanese }
            default: run.append(byte)
            }
        }
        flush(tagged)
        return text
    }
}
