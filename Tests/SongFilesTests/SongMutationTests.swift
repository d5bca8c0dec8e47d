import Sequencer
import SongFiles
import Testing

/// Seeded mutations of the odd songs: whatever comes of them is read or refused, and libsmf takes every page it is
/// handed.
struct SongMutationTests {
    @Test(arguments: 0..<8)
    func mutatedSongsAreReadOrRefused(_ seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        let corpus = OddSongs.all.map(\.bytes).filter { !$0.isEmpty && $0.count < 1_000 }
        for _ in 0..<500 {
            let bytes = mutated(corpus[.random(in: 0..<corpus.count, using: &random)], corpus, &random)
            do {
                let file = try SongReader.read(bytes: bytes, name: "mutation")
                #expect(
                    file.song.tracks.allSatisfy { track in
                        zip(track.events, track.events.dropFirst()).allSatisfy { $0.tick <= $1.tick }
                            && track.endTick >= track.events.last?.tick ?? 0
                    })
                let timeline = try Timeline(file.song, sampleRate: 48_000)
                #expect(zip(timeline.events, timeline.events.dropFirst()).allSatisfy { $0.time <= $1.time })
                #expect(timeline.summary.end >= timeline.summary.lastEvent)
                // What was repaired can be written, and needs no repair again.
                let written = try SongWriter.bytes(of: file.song)
                #expect(try SongReader.read(bytes: written, name: "written", strict: true).song == file.song)
            } catch let error as SongError {
                if case .library(_, let fault) = error { Issue.record("libsmf: \(fault) on \(bytes)") }
                if case .refused = error { Issue.record("\(error) on \(bytes)") }
                // Silences add up where the events between them were skipped.
                if case .cannotWrite(.gap) = error { continue }
                if case .cannotWrite = error { Issue.record("\(error) on \(bytes)") }
            }
        }
    }

    private func mutated(_ seed: [UInt8], _ corpus: [[UInt8]], _ random: inout RandomSource) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[at] = .random(in: 0...255, using: &random)
            case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes[at] = [0x00, 0x7F, 0x80, 0xFF, 0xF0, 0xF7, 0x51, 0x2F].randomElement(using: &random) ?? 0
            case 3: bytes.remove(at: at)
            case 4: bytes.insert(.random(in: 0...255, using: &random), at: at)
            case 5: bytes.removeLast(min(bytes.count, .random(in: 1...20, using: &random)))
            case 6:
                let piece = bytes[at..<min(bytes.count, at + .random(in: 1...30, using: &random))]
                bytes.insert(contentsOf: piece, at: .random(in: 0...bytes.count, using: &random))
            default:
                let other = corpus[.random(in: 0..<corpus.count, using: &random)]
                bytes.append(contentsOf: other[.random(in: 0..<other.count, using: &random)...])
            }
        }
        return bytes
    }
}
