/// Called when a queue has played a buffer; on its dispatch queue.
public typealias AudioQueueOutputCallbackBlock = (AudioQueueRef, AudioQueueBufferRef) -> Void
/// Called when a queue has filled a buffer: the time of its first frame, and its packets; on its dispatch queue.
public typealias AudioQueueInputCallbackBlock = (
    AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32, UnsafePointer<AudioStreamPacketDescription>?
) -> Void

private func make(
    _ format: UnsafePointer<AudioStreamBasicDescription>, isInput: Bool, _ out: UnsafeMutablePointer<AudioQueueRef?>,
    on loop: CFRunLoop? = nil, _ mode: CFString? = nil, onQueue queue: DispatchQueue? = nil,
    _ give: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
    out.pointee = nil
    var format = format.pointee
    if isInput, format.mSampleRate == 0 { format.mSampleRate = 48_000 }
    guard let layout = PCMLayout(format), layout.isInterleaved, layout.rate >= 1_000, layout.channels <= 64 else {
        return kAudioFormatUnsupportedDataFormatError
    }
    let loop = loop?.loop, mode = mode.map { RunLoop.Mode(String(describing: $0)) } ?? .common
    let object = QueueObject(layout, isInput: isInput, give) { work in
        if let queue {
            queue.async(execute: work)
        } else if let loop, loop !== RunLoop.current {
            // A timer wakes a loop that waits; what it is to perform does not.
            loop.add(Timer(timeInterval: 0, repeats: false) { _ in work() }, forMode: mode)
        } else {
            work()
        }
    }
    object.handle = Handles.add(object)
    out.pointee = object.handle
    return noErr
}

/// Makes a queue that plays interleaved linear PCM, at 1 kHz or more; `kAudioFormatUnsupportedDataFormatError` for others.
///
/// The callback runs on the run loop, or on a thread of the queue's own where there is none.
@discardableResult public func AudioQueueNewOutput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inCallbackProc: @escaping AudioQueueOutputCallback,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?,
    _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    make(inFormat, isInput: false, outAQ, on: inCallbackRunLoop, inCallbackRunLoopMode) { queue, buffer, _, _, _ in
        inCallbackProc(inUserData, queue, buffer)
    }
}

/// Makes a queue that plays interleaved linear PCM; its block runs on a dispatch queue.
@discardableResult public func AudioQueueNewOutputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
    _ inCallbackDispatchQueue: DispatchQueue, _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
    make(inFormat, isInput: false, outAQ, onQueue: inCallbackDispatchQueue) { queue, buffer, _, _, _ in
        inCallbackBlock(queue, buffer)
    }
}

/// Makes a queue that records interleaved linear PCM, at 48 kHz where the format leaves the rate at 0.
///
/// The callback gets as many packets as frames. It runs on the run loop, or on a thread of the queue's own where there is none.
@discardableResult public func AudioQueueNewInput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inCallbackProc: @escaping AudioQueueInputCallback,
    _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?,
    _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    make(inFormat, isInput: true, outAQ, on: inCallbackRunLoop, inCallbackRunLoopMode) {
        inCallbackProc(inUserData, $0, $1, $2, $3, $4)
    }
}

/// Makes a queue that records interleaved linear PCM; its block runs on a dispatch queue.
@discardableResult public func AudioQueueNewInputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
    _ inCallbackDispatchQueue: DispatchQueue, _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus { make(inFormat, isInput: true, outAQ, onQueue: inCallbackDispatchQueue, inCallbackBlock) }

/// Ends a queue and its buffers: at once, when no callback runs any more, or after the last buffer that is enqueued.
@discardableResult public func AudioQueueDispose(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus {
    Handles.find(inAQ, QueueObject.self)?.dispose(now: inImmediate) ?? kAudio_ParamError
}

/// Starts a queue, at a host time or at a sample time of its device; nil for at once.
///
/// Without a device it answers `kAudioHardwareBadDeviceError`, and one line names the remedy.
@discardableResult public func AudioQueueStart(_ inAQ: AudioQueueRef, _ inStartTime: UnsafePointer<AudioTimeStamp>?) -> OSStatus {
    var started: QueueObject?
    let status = QueueObject.on(inAQ) { queue in
        started = queue.run == .stopped ? queue : nil
        try queue.start(due: inStartTime.flatMap { queue.deviceTime($0.pointee)?.mHostTime } ?? 0)
    }
    if status == noErr { started?.tell(kAudioQueueProperty_IsRunning) }
    return status
}

/// Linear PCM is ready at once: answers how many of so many frames (0: all) are enqueued.
@discardableResult public func AudioQueuePrime(
    _ inAQ: AudioQueueRef, _ inNumberOfFramesToPrepare: UInt32, _ outNumberOfFramesPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        if queue.isInput { throw Refusal(kAudioQueueErr_InvalidQueueType) }
        let waiting = UInt32(clamping: queue.end - queue.feed.clock.load(ordering: .relaxed))
        outNumberOfFramesPrepared?.pointee = min(waiting, inNumberOfFramesToPrepare == 0 ? .max : inNumberOfFramesToPrepare)
    }
}

/// Stops a queue: at once, and its buffers come back; or after its last buffer. One that records always stops at once.
@discardableResult public func AudioQueueStop(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus {
    Handles.find(inAQ, QueueObject.self)?.stop(now: inImmediate) ?? kAudio_ParamError
}

/// Stops the device; the queue goes on with the next start.
@discardableResult public func AudioQueuePause(_ inAQ: AudioQueueRef) -> OSStatus { QueueObject.on(inAQ) { $0.pause() } }

/// Linear PCM leaves nothing in a decoder: every frame is played as it is.
@discardableResult public func AudioQueueFlush(_ inAQ: AudioQueueRef) -> OSStatus { QueueObject.on(inAQ) { _ in } }

/// Takes all buffers out of a queue, which runs on.
@discardableResult public func AudioQueueReset(_ inAQ: AudioQueueRef) -> OSStatus {
    Handles.find(inAQ, QueueObject.self)?.reset() ?? kAudio_ParamError
}

/// Gives an output queue that is stopped an interleaved format to be rendered in, without a device; nil leads it to its device.
@discardableResult public func AudioQueueSetOfflineRenderFormat(
    _ inAQ: AudioQueueRef, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inLayout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        if queue.isInput { throw Refusal(kAudioQueueErr_InvalidQueueType) }
        if queue.run != .stopped { throw Refusal(kAudioQueueErr_InvalidRunState) }
        let layout = inFormat.flatMap { PCMLayout($0.pointee) }
        queue.offline = layout.flatMap { $0.isInterleaved ? PCMPipe(queue.slice.layout, $0) : nil }
        if inFormat != nil, queue.offline == nil { throw Refusal(kAudioFormatUnsupportedDataFormatError) }
    }
}

/// Renders the next frames into a buffer of the queue, whose byte size says how many there were; callbacks run inside, on this
/// thread.
@discardableResult public func AudioQueueOfflineRender(
    _ inAQ: AudioQueueRef, _ inTimestamp: UnsafePointer<AudioTimeStamp>, _ ioBuffer: AudioQueueBufferRef,
    _ inNumberFrames: UInt32
) -> OSStatus { Handles.find(inAQ, QueueObject.self)?.render(Int(inNumberFrames), into: ioBuffer) ?? kAudio_ParamError }
