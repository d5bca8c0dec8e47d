import Glibc
import TestFolders

/// Writes SFZ files for tests, in a folder with WAV files: `mono.wav`, `a b/stereo.wav`, `sine.wav` and `noise.wav`.
struct TinySFZ {
    /// The text.
    var text: String
    /// Other texts, by name.
    var others: [(String, String)] = []
    /// First frame and last of the loop that `mono.wav` names.
    var loop: (Int, Int)?

    /// A triangle of 100 frames a period at 44 000 Hz, 440 Hz, 1 000 frames; on the right, where there is one, silence.
    static func wave(channels: Int, loop: (Int, Int)? = nil) -> [UInt8] {
        let frames = (0..<1_000).flatMap { frame -> [UInt8] in
            let place = frame % 100
            let value = (place < 25 ? place : place < 75 ? 50 - place : place - 100) * 640
            return words([value]) + (channels == 2 ? [0, 0] : [])
        }
        let sampler = loop.map {
            chunk("smpl", longs([0, 0, 22_727, 69, 0, 0, 0, 1, 0]) + longs([0, 0, $0.0, $0.1, 0, 0]))
        }
        return file(frames, channels: channels, rate: 44_000, sampler ?? [])
    }

    /// A second at 48 000 Hz, half of full level: a sine of 480 Hz; white noise.
    private static let sine = file((0..<48_000).flatMap { words([Int(16_384 * sin(Double($0) * Double.pi / 50))]) }, rate: 48_000)
    private static let noise: [UInt8] = {
        var state: UInt64 = 1
        return file(
            (0..<48_000).flatMap { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return words([Int(state >> 49) - 16_384])
            }, rate: 48_000)
    }()

    private static func file(_ frames: [UInt8], channels: Int = 1, rate: Int, _ others: [UInt8] = []) -> [UInt8] {
        let format = words([1, channels]) + longs([rate, rate * 2 * channels]) + words([2 * channels, 16])
        return chunk("RIFF", Array("WAVE".utf8) + chunk("fmt ", format) + others + chunk("data", frames))
    }

    /// Writes the folder and gives the path of the SFZ file to `body`.
    func write<R>(_ body: (String) throws -> R) throws -> R {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        mkdir(folder.file("a b"), 0o700)
        let sounds = [
            ("mono.wav", Self.wave(channels: 1, loop: loop)), ("a b/stereo.wav", Self.wave(channels: 2)), ("sine.wav", Self.sine),
            ("noise.wav", Self.noise),
        ]
        for (name, bytes) in sounds + ([("x.sfz", text)] + others).map({ ($0.0, Array($0.1.utf8)) }) { folder.add(name, bytes) }
        return try body(folder.file("x.sfz"))
    }

    private static func words(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] } }
    private static func longs(_ longs: [Int]) -> [UInt8] { longs.flatMap { words([$0 & 0xFFFF, $0 >> 16 & 0xFFFF]) } }
    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + longs([body.count]) + body }
}
