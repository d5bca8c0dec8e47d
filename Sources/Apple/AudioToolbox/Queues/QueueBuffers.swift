/// Makes a buffer of so many bytes, at most 1 GB; it ends with its queue.
@discardableResult public func AudioQueueAllocateBuffer(
    _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus { AudioQueueAllocateBufferWithPacketDescriptions(inAQ, inBufferByteSize, 0, outBuffer) }

/// Makes a buffer with room for packet descriptions, which linear PCM does not need.
@discardableResult public func AudioQueueAllocateBufferWithPacketDescriptions(
    _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ inNumberPacketDescriptions: UInt32,
    _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus {
    outBuffer.pointee = nil
    return QueueObject.on(inAQ) { queue in
        let bytes = inBufferByteSize, packets = inNumberPacketDescriptions, head = 64 + 16 * Int(packets)
        if bytes == 0 { throw Refusal(kAudio_ParamError) }
        guard bytes <= 1 << 30, packets <= 1 << 20, let place = calloc(1, head + Int(bytes)) else {
            throw Refusal(kAudio_MemFullError)
        }
        let made = place.bindMemory(to: AudioQueueBuffer.self, capacity: 1)
        let descriptions = (place + 64).bindMemory(to: AudioStreamPacketDescription.self, capacity: Int(packets))
        made.initialize(
            to: AudioQueueBuffer(
                mAudioDataBytesCapacity: bytes, mAudioData: place + head, mAudioDataByteSize: 0, mUserData: nil,
                mPacketDescriptionCapacity: packets, mPacketDescriptions: descriptions, mPacketDescriptionCount: 0))
        (queue.buffers[made], outBuffer.pointee) = (0, made)
    }
}

/// Ends a buffer, which must not be enqueued.
@discardableResult public func AudioQueueFreeBuffer(_ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        guard let count = queue.buffers[inBuffer] else { throw Refusal(kAudioQueueErr_InvalidBuffer) }
        if count > 0 { throw Refusal(kAudioQueueErr_BufferInQueue) }
        queue.buffers[inBuffer] = nil
        free(inBuffer)
    }
}

/// Puts a buffer at the end of a queue, to be played or to be filled. Packet descriptions are not needed.
@discardableResult public func AudioQueueEnqueueBuffer(
    _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
    _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus { AudioQueueEnqueueBufferWithParameters(inAQ, inBuffer, inNumPacketDescs, inPacketDescs, 0, 0, 0, nil, nil, nil) }

/// Puts a buffer at the end of a queue: without some frames at either end, with parameters that are set when it begins, on a sample
/// time of the queue, or when the buffer before it ends, where that is later.
///
/// A queue holds 1 024 buffers: one more is `kAudio_MemFullError`.
@discardableResult public func AudioQueueEnqueueBufferWithParameters(
    _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
    _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?, _ inTrimFramesAtStart: UInt32, _ inTrimFramesAtEnd: UInt32,
    _ inNumParamValues: UInt32, _ inParamValues: UnsafePointer<AudioQueueParameterEvent>?,
    _ inStartTime: UnsafePointer<AudioTimeStamp>?, _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    var entry = QueuedBuffer()
    for event in UnsafeBufferPointer(start: inParamValues, count: inParamValues == nil ? 0 : Int(inNumParamValues)) {
        guard let setting = QueueSetting.all[event.mID], event.mValue.isFinite else { return kAudioQueueErr_InvalidParameter }
        entry.settings[setting.place] = setting.hold(event.mValue)
    }
    if let time = inStartTime?.pointee {
        guard time.mFlags.contains(.sampleTimeValid), abs(time.mSampleTime) < 1e15 else { return kAudio_ParamError }
        entry.start = Int64(time.mSampleTime)
    }
    return QueueObject.on(inAQ) { queue in
        try queue.enqueue(inBuffer, trimming: (Int(inTrimFramesAtStart), Int(inTrimFramesAtEnd)), &entry)
        outActualStartTime?.pointee = AudioTimeStamp(mSampleTime: Float64(entry.start))
    }
}
