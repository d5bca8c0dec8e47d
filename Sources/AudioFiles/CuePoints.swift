/// The bytes of cue points, as libsndfile takes and gives them.
enum CuePoints {
    /// `data` as libsndfile counts letters.
    private static let dataChunk = 0x6174_6164
    /// Six words and 256 letters.
    private static let pointSize = 280, nameSize = 256
    /// Bytes of a longest name: libsndfile 1.2 refuses files with longer ones.
    private static let longestName = 127

    static func size(_ count: Int) -> Int { 4 + count * pointSize }

    /// `SF_CUES_VAR`: how many, and of each its number, place, chunk, the chunk's and the block's start, place again, name.
    static func bytes(_ cues: [AudioTags.Cue]) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: Int) { withUnsafeBytes(of: UInt32(truncatingIfNeeded: value)) { bytes += $0 } }
        add(cues.count)
        for (index, cue) in cues.enumerated() {
            for value in [index + 1, Int(cue.frame), dataChunk, 0, 0, Int(cue.frame)] { add(value) }
            let name = letters(cue.name)
            bytes += name + [UInt8](repeating: 0, count: nameSize - name.count)
        }
        return bytes
    }

    static func cues(_ bytes: [UInt8]) -> [AudioTags.Cue] {
        func word(_ place: Int) -> UInt32 { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) } }
        return (0..<min(Int(word(0)), (bytes.count - 4) / pointSize)).map { index in
            let start = size(index), name = bytes[(start + 24)..<(start + pointSize)].prefix { $0 != 0 }
            return AudioTags.Cue(frame: Int64(word(start + 20)), name: String(decoding: name, as: UTF8.self))
        }
    }

    /// The names of a WAV file's points, which libsndfile reads and does not write: a LIST of type `adtl`, without its header.
    static func labels(_ cues: [AudioTags.Cue]) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var list = Array("adtl".utf8)
        for (index, cue) in cues.enumerated() {
            // A multiple of four: libsndfile 1.2 writes nothing else, and takes what it adds itself for another name.
            let letters = letters(cue.name), name = letters + [UInt8](repeating: 0, count: 4 - letters.count % 4)
            list += Array("labl".utf8) + word(name.count + 4) + word(index + 1) + name
        }
        return list
    }

    private static func letters(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for letter in name {
            if bytes.count + letter.utf8.count > longestName { break }
            bytes += letter.utf8
        }
        return bytes
    }
}
