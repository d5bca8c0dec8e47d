import Carillon
import Foundation
import Testing

/// Songs of this repository against how they sounded before, in numbers that a person can read.
///
/// A change of sound that is wanted: `CARILLON_WRITE_GOLDENS=1 tools/test --filter GoldenTests`, and read the difference
/// before it is committed.
@Suite struct GoldenTests {
    private static let folder = RenderedSong.package.appending(path: "Tests/Fixtures/Goldens")
    private static let songs = [
        "auld-lang-syne", "bach-prelude-fugue-c-major", "blue-lantern", "crooked-mile", "drum-groove", "glass-bridge",
        "gymnopedie-1", "pachelbel-canon", "program-tour", "sea-wall", "three-o-clock",
    ]

    @Test(arguments: songs) func aSongSoundsAsItDid(name: String) throws {
        try compare(name, as: name, RenderedSong.options(10))
    }

    @Test(arguments: ["glass-bridge", "pachelbel-canon"]) func theSquareWaveSoundsAsItDid(name: String) throws {
        try compare(name, as: name + "-square-wave", RenderedSong.options(10, instrument: .squareWave))
    }

    @Test func aDifferenceIsNamed() throws {
        let golden = try #require(SongFeatures("sound 12\n1 0 440.0 | -20.0 -21.5\n2 96000 880.0 | -80.0 -30.0\n"))
        let other = try #require(SongFeatures("sound 12\n1 0 441.0 | -20.0 -23.5\n2 96001 980.0 | -90.0 -30.1\n"))
        #expect(
            other.differences(from: golden) == [
                "bar 1 at 100 ms: -23.5 dBFS, was -21.5", "bar 2 begins at frame 96001, was 96000",
                "bar 2: centroid 980.0 Hz, was 880.0",
            ])
        #expect(golden.differences(from: golden).isEmpty && SongFeatures(golden.text) == golden)
        #expect(SongFeatures("1 0 440 -20") == nil && SongFeatures("") == nil)
    }

    private func compare(_ name: String, as golden: String, _ options: RenderOptions) throws {
        let song = try RenderedSong.song(name)
        let (samples, _, seen) = try RenderedSong.render(song, options)
        #expect(seen == "", "\(seen)")
        let features = SongFeatures(samples, try Timeline(song, sampleRate: options.sampleRate))
        #expect(features.bars.count > 2)
        let file = Self.folder.appending(path: golden + ".txt")
        if ProcessInfo.processInfo.environment["CARILLON_WRITE_GOLDENS"] != nil {
            let head = "# \(golden), the first 10 s at 48 kHz. Bar, first frame, spectral centroid in Hz | dBFS of each 100 ms\n"
            try (head + features.text).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let old = try #require(SongFeatures(try String(contentsOf: file, encoding: .utf8)), "\(file.path)")
        #expect(features.differences(from: old).isEmpty, "\(golden): \(features.differences(from: old).prefix(10))")
    }
}
