import AudioFiles
import CarillonTestKit
import Glibc
import TestFolders

/// A folder with long samples of every kind and an SFZ file that plays them; it is gone with the value.
final class LongSamples {
    private let place = TemporaryFolder()
    var folder: String { place.path }
    static let frames = 400_000

    /// Noise on tones that grow apart: no two places are alike.
    static func wave(channels: Int, frames: Int = frames) -> [[Float]] {
        (0..<channels).map { channel in
            var random = SeededRandom(seed: UInt64(channel + 1)), phase = 0
            return (0..<frames).map { frame in
                phase += 40 + frame / 8_192 + 13 * channel
                let triangle = abs(phase % 4_000 - 2_000) - 1_000
                return Float(triangle * 20 + Int(random.next() % 4_001) - 2_000) / 32_768
            }
        }
    }

    /// Writes an audio file of the kind that its name has.
    func write(
        _ name: String, bits: AudioFileFormat.Encoding? = nil, channels: Int, frames: Int = frames, scale: Float = 1
    ) throws {
        let format = try AudioFileFormat(path: name, bits: bits)
        let wave = Self.wave(channels: channels, frames: frames)
        let writer = try AudioFileWriter(path: folder + "/" + name, format: format, channels: channels, sampleRate: 44_100)
        let planes = wave.map { plane in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            for frame in 0..<frames { (memory + frame).initialize(to: plane[frame] * scale) }
            return memory
        }
        defer { for plane in planes { plane.deallocate() } }
        try writer.write(planes.map { UnsafePointer($0) }, frames: frames)
        try writer.finish()
    }

    /// Writes a text, and returns its path.
    func write(_ name: String, text: String) -> String { write(name, bytes: Array(text.utf8)) }

    func write(_ name: String, bytes: [UInt8]) -> String {
        let path = folder + "/" + name
        guard let file = fopen(path, "w") else { fatalError("\(path) cannot be written") }
        precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count && fclose(file) == 0)
        return path
    }

    /// Lets the last page of an Ogg stream name more frames than there are.
    static func lengthen(_ stream: inout [UInt8], by frames: Int) {
        let mark = Array("OggS".utf8)
        guard let page = stream.indices.dropLast(27).last(where: { Array(stream[$0..<$0 + 4]) == mark }) else { return }
        var position = (0..<8).reduce(0) { $0 | Int(stream[page + 6 + $1]) << (8 * $1) } + frames, check: UInt32 = 0
        for place in 0..<8 { (stream[page + 6 + place], position) = (UInt8(position & 255), position >> 8) }
        for place in 22..<26 { stream[page + place] = 0 }
        // The page's checksum, RFC 3533.
        for byte in stream[page...] {
            check ^= UInt32(byte) << 24
            for _ in 0..<8 { check = check & 0x8000_0000 == 0 ? check << 1 : check << 1 ^ 0x04C1_1DB7 }
        }
        for place in 0..<4 { stream[page + 22 + place] = UInt8(truncatingIfNeeded: check >> UInt32(8 * place)) }
    }

    func bytes(_ name: String) -> [UInt8] {
        guard let file = fopen(folder + "/" + name, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
    }
}
