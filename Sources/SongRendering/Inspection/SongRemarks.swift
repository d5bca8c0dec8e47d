import MIDI
import Reports
import Sequencer
import SongFiles

/// Remarks on parts of a song file that are repaired or have no effect here: known before anything is rendered.
package struct SongRemarks: Sendable, Hashable {
    /// The remarks, whose subject is the song.
    package let remarks: [Remark]
    /// Messages of which nothing would be heard: names, displays, inquiries, messages to other models.
    package let silent: [UnfollowedMusic.Entry]

    /// - Parameters:
    ///   - name: the song as the user knows it.
    ///   - bankFault: the reason why the SoundFont that it brings is not played; nil where it is, or where there is none.
    package init(_ file: SongFile, _ timeline: Timeline, name: String, bankFault: String?) {
        var found = Self.notFollowed(timeline.unfollowed, name) + Self.words(file.song, name) + Self.repaired(file, name)
        if let bankFault { found.append(Remark(.substituted, name, bankFault)) }
        remarks = found
        silent = timeline.unfollowed.entries.filter { !$0.isSound }
    }

    package static func notFollowed(_ music: UnfollowedMusic, _ name: String) -> [Remark] {
        music.entries.filter(\.isSound).map {
            Remark(.notFollowed, name, Remark.notFollowed($0.title, $0.count), count: $0.count)
        }
    }

    /// Words whose encoding a tag or a mark says, and that are read by another.
    package static func words(_ song: Song, _ name: String) -> [Remark] {
        var tags: [String: Int] = [:], marks = 0
        for track in song.tracks {
            for event in track.events {
                guard case .text(let text) = event.kind else { continue }
                let bytes = text.bytes
                if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { marks += 1 }
                // RP-026: {@ENCODING}; Latin is the default anyway.
                guard bytes.starts(with: [0x7B, 0x40]), let end = bytes.firstIndex(of: 0x7D), end <= 16 else { continue }
                let tag = String(decoding: bytes[...end], as: UTF8.self)
                if tag.uppercased() != "{@LATIN}" { tags[tag, default: 0] += 1 }
            }
        }
        func sentence(_ what: String, _ count: Int) -> String {
            Remark.notFollowed("\(what) of its words", count) + ": they are read as UTF-8 or Latin-1"
        }
        let tagged = tags.sorted { $0.key < $1.key }.map {
            Remark(.notFollowed, name, sentence("the encoding \($0.key)", $0.value), count: $0.value)
        }
        if marks == 0 { return tagged }
        return tagged + [
            Remark(.notFollowed, name, sentence("the UTF-16 mark", marks), count: marks)
        ]
    }

    /// One for each way of repairing, at its first place.
    private static func repaired(_ file: SongFile, _ name: String) -> [Remark] {
        var order: [String] = [], places: [String: [Int]] = [:]
        for repair in file.repairs {
            let text = "\(repair.fault): \(repair.fault.remedy)"
            if places[text] == nil { order.append(text) }
            places[text, default: []].append(repair.byteOffset)
        }
        var remarks = order.map { text in
            let found = places[text] ?? [], others = found.count - 1
            let more = others == 0 ? "" : " and \(others) more place\(others == 1 ? "" : "s")"
            return Remark(.repaired, name, "byte \(found.first ?? 0)\(more): \(text)", count: found.count)
        }
        let rest = file.repairCount - file.repairs.count
        if rest > 0 { remarks.append(Remark(.repaired, name, "\(rest) more places are repaired", count: rest)) }
        let (count, all) = (file.readings.count { $0 != .asItStands }, file.readings.count)
        if count > 0, all > 1 {
            remarks.append(Remark(.repaired, name, "\(count) of \(all) tracks recovered, the others as they stand", count: count))
        }
        return remarks
    }
}
