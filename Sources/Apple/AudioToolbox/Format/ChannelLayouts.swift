/// Channel layouts as bytes of their own length, which C's struct with one description does not hold.
enum ChannelLayouts {
    static func bytes(tag: AudioChannelLayoutTag, bitmap: UInt32 = 0, labels: [AudioChannelLabel] = []) -> [UInt8] {
        var bytes = HeaderBytes(isBig: false)
        bytes.add(tag)
        bytes.add(bitmap)
        bytes.add(UInt32(labels.count))
        for label in labels {
            bytes.add(label)
            for _ in 0..<4 { bytes.add(UInt32(0)) }
        }
        // C's struct has room for one description.
        if labels.isEmpty { bytes.add([UInt8](repeating: 0, count: 20)) }
        return bytes.bytes
    }

    static func bytes(bitmap: UInt32) -> [UInt8] { bytes(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: bitmap) }

    /// A `chan` chunk, which is big-endian.
    static func bytes(caf chunk: [UInt8]) -> [UInt8] {
        guard let tag = chunk.code(0), let bitmap = chunk.code(4), let count = chunk.code(8), count < 1_000 else { return [] }
        let labels = (0..<Int(count)).compactMap { chunk.code(12 + 20 * $0) }
        return labels.count == Int(count) ? bytes(tag: tag, bitmap: bitmap, labels: labels) : []
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

    /// How many channels a layout describes.
    static func channels(_ layout: [UInt8]) -> Int? {
        guard let (tag, bitmap, labels) = labels(layout) else { return nil }
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: return labels.count
        case kAudioChannelLayoutTag_UseChannelBitmap: return bitmap.nonzeroBitCount
        default: return Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        }
    }
}
