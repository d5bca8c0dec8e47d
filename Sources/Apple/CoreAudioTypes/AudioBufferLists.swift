// Buffer lists have as many buffers as they say, one after the other, of which C's struct shows the first.

extension UnsafeBufferPointer {
    /// The samples of a buffer, none where it has no address.
    public init(_ audioBuffer: AudioBuffer) { self.init(UnsafeMutableBufferPointer(audioBuffer)) }
}

extension UnsafeMutableBufferPointer {
    /// The samples of a buffer, none where it has no address.
    public init(_ audioBuffer: AudioBuffer) {
        let count = audioBuffer.mData == nil ? 0 : Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: count)
    }
}

extension AudioBuffer {
    /// A buffer over typed samples.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        let bytes = UInt32(clamping: typedBuffer.count * MemoryLayout<Element>.stride)
        self.init(
            mNumberChannels: UInt32(clamping: numberOfChannels), mDataByteSize: bytes,
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension AudioBufferList {
    /// The bytes that a list of so many buffers takes.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + (max(1, maximumBuffers) - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// A list of so many empty buffers; its owner calls `free` with `unsafeMutablePointer`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        guard let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers)) else {
            fatalError("no memory for a buffer list")
        }
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        list.count = maximumBuffers
        return list
    }
}

/// The buffers of a list as a collection.
public struct UnsafeMutableAudioBufferListPointer: Hashable {
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// Nil for no pointer.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        unsafeMutablePointer = p
    }

    /// The same list, to be read.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// The number of buffers, which the list itself holds.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    private var first: UnsafeMutablePointer<AudioBuffer> {
        // The offset of mBuffers as a number: a key path would be made on the render thread.
        (UnsafeMutableRawPointer(unsafeMutablePointer) + 8).assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// One buffer of the list.
    public subscript(index: Int) -> AudioBuffer {
        get { first[index] }
        nonmutating set { first[index] = newValue }
    }
}
