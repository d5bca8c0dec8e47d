/// An open audio file: its head, and its packets as bytes.
final class AudioFileObject: HandledObject, @unchecked Sendable {
    let store: ByteStore
    private(set) var head: FileHead
    let isReadable: Bool
    let isWritable: Bool
    /// The head in the file is not that of what was written.
    private var isChanged = false
    var defersSizes = true

    /// Opens what is there.
    init(_ store: ByteStore, _ head: FileHead, isReadable: Bool, isWritable: Bool) {
        (self.store, self.head, self.isReadable, self.isWritable) = (store, head, isReadable, isWritable)
    }

    /// Begins a file; nil where its head cannot be written.
    init?(_ store: ByteStore, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription) {
        self.store = store
        head = FileHead(type: type, format: format, dataOffset: 0, dataBytes: 0)
        (isReadable, isWritable) = (true, true)
        super.init()
        head.dataOffset = Int64(head.bytes().count)
        guard store.truncate(to: 0), store.write(head.bytes(), at: 0) else { return nil }
    }

    /// Packets that can be reached by their number.
    var hasPackets: Bool { head.packetBytes > 0 }

    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at byte: Int64) -> Int? {
        guard byte >= 0, byte <= head.dataBytes else { return 0 }
        let most = Int(min(Int64(count), head.dataBytes - byte))
        return store.read(buffer, count: most, at: head.dataOffset + byte)
    }

    /// Writes bytes of packets, and makes the file longer where they reach beyond its end.
    func write(_ buffer: UnsafeRawPointer, _ count: Int, at byte: Int64) -> OSStatus {
        guard isWritable else { return kAudioFilePermissionsError }
        guard byte >= 0, byte <= head.dataBytes else { return kAudioFilePositionError }
        guard byte <= head.largestData - Int64(count) else { return kAudioFileDoesNotAllow64BitDataSizeError }
        if byte + Int64(count) > head.dataBytes, store.size > head.dataOffset + head.dataBytes + 1 {
            // Chunks behind the sound would be lost.
            return kAudioFileOperationNotSupportedError
        }
        guard store.write(buffer, count: count, at: head.dataOffset + byte) else { return kAudioFileUnspecifiedError }
        if byte + Int64(count) > head.dataBytes {
            head.dataBytes = byte + Int64(count)
            isChanged = true
        }
        return defersSizes || !isChanged ? noErr : update()
    }

    /// Sets what stands before the packets, as long as there are none.
    func change(_ body: (inout FileHead) -> Void) -> OSStatus {
        guard isWritable else { return kAudioFilePermissionsError }
        guard head.dataBytes == 0 else { return kAudioFileOperationNotSupportedError }
        body(&head)
        head.dataOffset = Int64(head.bytes().count)
        isChanged = true
        return update()
    }

    /// Puts the lengths into the file.
    func update() -> OSStatus {
        guard isWritable, isChanged else { return noErr }
        isChanged = false
        let isOdd = head.dataBytes % 2 != 0 && head.type != kAudioFileCAFType && head.type != kAudioFileNextType
        let end = head.dataOffset + head.dataBytes
        if isOdd, store.size <= end, !store.write([0], at: end) { return kAudioFileUnspecifiedError }
        return store.write(head.bytes(), at: 0) ? noErr : kAudioFileUnspecifiedError
    }

    /// Only where what can be written is what was read: a head of ours in its place.
    static func canAppend(_ head: FileHead) -> Bool {
        FileHead.writableTypes.contains(head.type) && Int64(head.bytes().count) == head.dataOffset
    }
}
