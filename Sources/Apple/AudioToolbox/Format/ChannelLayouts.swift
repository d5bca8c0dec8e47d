/// Channel layouts as bytes of their own length, which C's struct with one description does not hold.
enum ChannelLayouts {
    private static func words(
        _ tag: AudioChannelLayoutTag, _ bitmap: UInt32, _ labels: [AudioChannelLabel]
    ) -> [UInt32] { labels.reduce(into: [tag, bitmap, UInt32(labels.count)]) { $0 += [$1, 0, 0, 0, 0] } }

    static func bytes(tag: AudioChannelLayoutTag, bitmap: UInt32 = 0, labels: [AudioChannelLabel] = []) -> [UInt8] {
        // C's struct has room for one description.
        let words = words(tag, bitmap, labels) + (labels.isEmpty ? [0, 0, 0, 0, 0] : [])
        return words.withUnsafeBytes { Array($0) }
    }

    static func bytes(bitmap: UInt32) -> [UInt8] { bytes(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: bitmap) }

    /// A `chan` chunk, which is big-endian.
    static func bytes(caf chunk: [UInt8]) -> [UInt8] {
        guard let count = chunk.number(8, isBig: true, UInt32.self), count < 1_000, chunk.count >= 12 + 20 * Int(count) else {
            return []
        }
        let labels = (0..<Int(count)).compactMap { chunk.number(12 + 20 * $0, isBig: true, UInt32.self) }
        return bytes(tag: chunk.number(0, isBig: true) ?? 0, bitmap: chunk.number(4, isBig: true) ?? 0, labels: labels)
    }

    static func caf(_ layout: [UInt8]) -> [UInt8] {
        guard let (tag, bitmap, labels) = labels(layout) else { return [] }
        return words(tag, bitmap, labels).map(\.bigEndian).withUnsafeBytes { Array($0) }
    }

    /// The layout of memory that a program passes; nil where its length contradicts it.
    static func labels(_ layout: [UInt8]) -> (tag: AudioChannelLayoutTag, bitmap: UInt32, labels: [AudioChannelLabel])? {
        guard let tag = layout.number(0, isBig: false, UInt32.self), let bitmap = layout.number(4, isBig: false, UInt32.self),
            let count = layout.number(8, isBig: false, UInt32.self), count <= 1_024, layout.count >= 12 + 20 * Int(count)
        else { return nil }
        return (tag, bitmap, (0..<Int(count)).compactMap { layout.number(12 + 20 * $0, isBig: false) })
    }

    static func copy(_ memory: UnsafeRawPointer?, _ size: UInt32) -> [UInt8]? {
        guard let memory, (12...1 << 20).contains(size) else { return nil }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: memory, count: Int(size)))
        return labels(bytes) == nil ? nil : bytes
    }

    static func channels(_ layout: [UInt8]) -> Int? {
        guard let (tag, bitmap, labels) = labels(layout) else { return nil }
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: return labels.count
        case kAudioChannelLayoutTag_UseChannelBitmap: return bitmap.nonzeroBitCount
        default: return Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        }
    }
}
