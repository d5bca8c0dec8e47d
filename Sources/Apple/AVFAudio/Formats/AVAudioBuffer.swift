/// Memory for sound in a format.
open class AVAudioBuffer: NSObject, NSCopying {
    public let format: AVAudioFormat
    /// Two lists of the same memory: of what it holds, and of all its room.
    private let filled: UnsafeMutableAudioBufferListPointer, room: UnsafeMutableAudioBufferListPointer
    private let free: ((UnsafePointer<AudioBufferList>) -> Void)?
    private let given: UnsafePointer<AudioBufferList>?

    /// The size of what each buffer holds.
    fileprivate func setBytes(_ bytes: UInt32) { for index in filled.indices { filled[index].mDataByteSize = bytes } }

    /// Buffers of so many bytes each.
    fileprivate init(_ format: AVAudioFormat, bytes: UInt32) {
        (self.format, free, given) = (format, nil, nil)
        let channels = format.isInterleaved ? format.channelCount : 1
        filled = AudioBufferList.allocate(maximumBuffers: format.bufferCount)
        room = AudioBufferList.allocate(maximumBuffers: format.bufferCount)
        for index in filled.indices {
            let data = calloc(1, max(16, Int(bytes)))
            filled[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: data)
            room[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: bytes, mData: data)
        }
    }

    /// Over memory of the program's.
    fileprivate init(
        _ format: AVAudioFormat, noCopy list: UnsafePointer<AudioBufferList>, _ free: ((UnsafePointer<AudioBufferList>) -> Void)?
    ) {
        (self.format, given) = (format, list)
        self.free = free ?? { _ in }
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        filled = AudioBufferList.allocate(maximumBuffers: source.count)
        room = AudioBufferList.allocate(maximumBuffers: source.count)
        for index in source.indices { (filled[index], room[index]) = (source[index], source[index]) }
    }

    deinit {
        if let free, let given { free(given) } else { for buffer in room { Foundation.free(buffer.mData) } }
        Foundation.free(filled.unsafeMutablePointer)
        Foundation.free(room.unsafeMutablePointer)
    }

    /// The buffers with the sizes of what they hold.
    public var audioBufferList: UnsafePointer<AudioBufferList> { filled.unsafePointer }
    /// The buffers with their full sizes, for calls that fill them.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { room.unsafeMutablePointer }

    /// The buffer itself; of linear PCM a buffer of its own.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Linear PCM in memory.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// Frames that there is room for.
    public let frameCapacity: AVAudioFrameCount
    private let channelPlaces: UnsafeMutablePointer<UnsafeMutableRawPointer>

    /// A buffer of silence, with no frame yet; nil where the format is not linear PCM.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let size = Int(frameCapacity) * Int(format.streamDescription.pointee.mBytesPerFrame)
        guard format.streamDescription.pointee.mFormatID == kAudioFormatLinearPCM, size < 1 << 31 else { return nil }
        self.frameCapacity = frameCapacity
        channelPlaces = .allocate(capacity: max(1, Int(format.channelCount)))
        super.init(format, bytes: UInt32(size))
        setPlaces()
    }

    /// A buffer over memory of the program's, which `deallocator` frees; nil where the list does not fit the format.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let frame = format.streamDescription.pointee.mBytesPerFrame
        guard format.streamDescription.pointee.mFormatID == kAudioFormatLinearPCM, frame > 0, list.count == format.bufferCount,
            list.allSatisfy({ $0.mData != nil })
        else { return nil }
        frameCapacity = (list.map(\.mDataByteSize).min() ?? 0) / frame
        channelPlaces = .allocate(capacity: max(1, Int(format.channelCount)))
        super.init(format, noCopy: bufferList, deallocator)
        setPlaces()
        frameLength = frameCapacity
    }

    private func setPlaces() {
        let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
        let format = format.streamDescription.pointee, channels = Int(format.mChannelsPerFrame)
        for channel in 0..<channels {
            let offset = list.count > 1 ? 0 : channel * Int(format.mBytesPerFrame) / channels
            guard let data = list[list.count > 1 ? channel : 0].mData else { continue }
            (channelPlaces + channel).initialize(to: data + offset)
        }
    }

    deinit { channelPlaces.deallocate() }

    /// As of any buffer; calls that filled it may have set other sizes.
    public override var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        let list = UnsafeMutableAudioBufferListPointer(super.mutableAudioBufferList)
        for index in list.indices { list[index].mDataByteSize = frameCapacity * format.streamDescription.pointee.mBytesPerFrame }
        return list.unsafeMutablePointer
    }

    /// Frames that are valid, at most `frameCapacity`.
    open var frameLength: AVAudioFrameCount = 0 {
        didSet {
            if frameLength > frameCapacity {
                Refusal.write("frameLength \(frameLength) is more than the buffer's frameCapacity, \(frameCapacity)")
                frameLength = oldValue
            }
            setBytes(frameLength * format.streamDescription.pointee.mBytesPerFrame)
        }
    }

    /// Samples from one frame of a channel to the next.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    private func places<Sample>(_ kind: AVAudioCommonFormat, _: Sample.Type) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == kind else { return nil }
        return UnsafeRawPointer(channelPlaces).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// The channels of Float32 samples, `stride` apart; nil for others.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { places(.pcmFormatFloat32, Float.self) }
    /// The channels of Int16 samples; nil for others.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { places(.pcmFormatInt16, Int16.self) }
    /// The channels of Int32 samples; nil for others.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { places(.pcmFormatInt32, Int32.self) }

    open override func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else { return self }
        copy.frameLength = frameLength
        let from = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
        let to = UnsafeMutableAudioBufferListPointer(copy.mutableAudioBufferList)
        for (source, target) in zip(from, to) { memcpy(target.mData, source.mData, Int(source.mDataByteSize)) }
        return copy
    }
}
