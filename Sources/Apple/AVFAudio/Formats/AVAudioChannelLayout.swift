/// A channel layout, kept.
open class AVAudioChannelLayout: NSObject {
    /// The layout; it may be read after this object is gone.
    public let layout: UnsafePointer<AudioChannelLayout>
    private let bytes: Int

    /// A copy of a layout with as many descriptions as it says.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        let bytes = max(MemoryLayout<AudioChannelLayout>.size, 12 + 20 * Int(layout.pointee.mNumberChannelDescriptions))
        var memory = [UInt8](repeating: 0, count: bytes)
        memory.withUnsafeMutableBytes { memory in
            memory.copyMemory(
                from: UnsafeRawBufferPointer(start: layout, count: 12 + 20 * Int(layout.pointee.mNumberChannelDescriptions)))
        }
        self.layout = memory.withUnsafeBytes { SharedBytes.pointer(to: $0) }.assumingMemoryBound(to: AudioChannelLayout.self)
        self.bytes = bytes
    }

    /// A layout of bytes; nil where they are too few.
    convenience init?(_ bytes: [UInt8]) {
        let room = UnsafeMutableRawPointer.allocate(byteCount: max(32, bytes.count), alignment: 8)
        defer { room.deallocate() }
        room.copyMemory(from: bytes, byteCount: bytes.count)
        let layout = room.assumingMemoryBound(to: AudioChannelLayout.self)
        guard bytes.count >= 12, bytes.count >= 12 + 20 * Int(layout.pointee.mNumberChannelDescriptions) else { return nil }
        self.init(layout: layout)
    }

    /// A layout by its tag; nil for a tag that says no number of channels.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        if layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions || layoutTag == kAudioChannelLayoutTag_UseChannelBitmap {
            return nil
        }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        self.init(layout: &layout)
    }

    /// The tag, or that of descriptions or a bitmap.
    public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap: UInt32(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: layoutTag & 0xFFFF
        }
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return bytes == other.bytes && memcmp(layout, other.layout, bytes) == 0
    }

    open override var hash: Int { Int(layoutTag) }
}
