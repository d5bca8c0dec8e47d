import Sequencer
import SongFiles
import Testing

/// Random song files that are valid by the letter; a hundred thousand of them are read by `tools/fuzz --only valid`.
struct ValidSongTests {
    @Test(arguments: 0..<8)
    func whatReadsByTheLetterIsReadAsItStands(_ share: Int) throws {
        for seed in stride(from: share, to: 2_000, by: 8) {
            let valid = ValidSong(seed: seed)
            let file = try SongReader.read(bytes: valid.bytes, name: "valid")
            #expect(file.song == valid.song, "seed \(seed)")
            #expect(file.repairs == [], "seed \(seed)")
            #expect(file.readings.allSatisfy { $0 == .asItStands } && file.readings.count == valid.song.tracks.count)
        }
    }
}
