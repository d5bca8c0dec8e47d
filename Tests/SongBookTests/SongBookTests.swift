import MIDI
import Sequencer
import SongFiles
import Testing

@testable import SongBook

/// The folder of the committed songs.
private let songs = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/songs"

@Suite struct SongBookTests {
    @Test(arguments: SongBook.entries.map(\.file))
    func `A song's bytes are those of the file in songs`(file: String) throws {
        let entry = try #require(SongBook.entries.first { $0.file == file })
        let bytes = try SongWriter.bytes(of: entry.score().song())
        let committed = try SongReader.read(path: "\(songs)/\(file)", strict: true)
        #expect(committed.byteCount == bytes.count, "run: swift run make-songs songs")
        #expect(try SongReader.read(bytes: bytes, name: file).song == committed.song, "run: swift run make-songs songs")
        #expect(try SongWriter.bytes(of: entry.score().song()) == bytes)
        #expect(fileBytes("\(songs)/\(file)") == bytes, "run: swift run make-songs songs")
    }

    @Test func `The table in songs is made from the book`() throws {
        let text = String(decoding: fileBytes("\(songs)/README.md"), as: UTF8.self)
        #expect(try text == SongBook.table(), "run: swift run make-songs songs")
    }

    @Test(arguments: SongBook.entries.map(\.file))
    func `A song is read without repairs, and gives back what was written`(file: String) throws {
        let entry = try #require(SongBook.entries.first { $0.file == file })
        let score = try entry.score()
        let read = try SongReader.read(path: "\(songs)/\(file)")
        #expect(read.repairCount == 0)
        #expect(read.song.title == score.title)
        #expect(read.song.tracks.map(\.name) == [score.title] + score.parts.map(\.name))
        let written = score.parts.flatMap { $0.touch.perform($0.notes) }.count
        #expect(read.song.tracks.reduce(0) { $0 + $1.noteOns.count } == written)
        #expect(read.song.endTick >= score.end)
    }

    @Test(arguments: SongBook.entries.map(\.file))
    func `Every note ends, once, on keys and at velocities that instruments have`(file: String) throws {
        let entry = try #require(SongBook.entries.first { $0.file == file })
        for track in try entry.score().song().tracks {
            var sounding: [Int: Int64] = [:]
            for event in track.events {
                guard case .message(let message) = event.kind else { continue }
                let id = message.part * 128 + Int(message.data1)
                if message.kind == .noteOn {
                    #expect(sounding[id] == nil, "\(track.name): key \(message.data1) struck twice at \(event.tick)")
                    #expect((1...127).contains(message.data2))
                    #expect(
                        message.channel == 9
                            ? (27...87).contains(message.data1)
                            : (21...108).contains(message.data1),
                        "\(track.name): key \(message.data1) at \(event.tick)")
                    sounding[id] = event.tick
                } else if message.kind == .noteOff {
                    let start = sounding.removeValue(forKey: id)
                    #expect((start ?? .max) < event.tick, "\(track.name): key \(message.data1) at \(event.tick)")
                }
            }
            #expect(sounding.isEmpty, "\(track.name): \(sounding.count) notes never end")
        }
    }

    @Test(arguments: SongBook.entries.map(\.file))
    func `The meters add up to the bars and the notes stay within them`(file: String) throws {
        let entry = try #require(SongBook.entries.first { $0.file == file })
        let score = try entry.score()
        let bars = score.meters.sections.reduce(0) { $0 + $1.bars * $1.numerator * 4 * SheetMusic.quarter / $1.denominator }
        #expect(score.end == score.meters.upbeat + bars)
        #expect(score.meters.end == score.end)
        for part in score.parts {
            #expect(!part.notes.isEmpty)
            #expect(part.notes.allSatisfy { $0.start >= 0 && $0.start < score.end && $0.length > 0 }, "\(part.name)")
            #expect(part.gestures.allSatisfy { $0.tick >= 0 && $0.tick <= score.end }, "\(part.name)")
        }
    }

    @Test func `Files and titles are unique, each has its origin and licence`() {
        #expect(SongBook.entries.count >= 8)
        #expect(Set(SongBook.entries.map(\.file)).count == SongBook.entries.count)
        #expect(
            SongBook.entries.allSatisfy {
                !$0.origin.isEmpty && $0.licence.contains("CC0") && $0.file.hasSuffix(".mid")
            })
    }
}

extension Track {
    /// The note-ons of a track with their ticks.
    var noteOns: [(tick: Int64, message: MIDIMessage)] {
        events.compactMap { event in
            guard case .message(let message) = event.kind, message.kind == .noteOn else { return nil }
            return (event.tick, message)
        }
    }
}
