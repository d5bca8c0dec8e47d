import AudioToolbox
import Testing

/// An output queue of a test that plays a tone from its callback.
final class QueueRig {
    let queue: AudioQueueRef
    let format: AudioStreamBasicDescription
    private let filler: Filler

    /// What the callback of the queue knows.
    final class Filler {
        var frames: Int, next = 0, callbacks = 0
        let fill: (UnsafeMutableRawPointer, Int, Int) -> Void
        let bytesPerFrame: Int

        init(_ frames: Int, _ bytesPerFrame: Int, _ fill: @escaping (UnsafeMutableRawPointer, Int, Int) -> Void) {
            (self.frames, self.bytesPerFrame, self.fill) = (frames, bytesPerFrame, fill)
        }
    }

    static let callback: AudioQueueOutputCallback = { data, queue, buffer in
        guard let data else { return }
        let filler = Unmanaged<Filler>.fromOpaque(data).takeUnretainedValue()
        filler.callbacks += 1
        QueueRig.refill(filler, queue, buffer)
    }

    static func refill(_ filler: Filler, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
        let count = min(Int(buffer.pointee.mAudioDataBytesCapacity) / filler.bytesPerFrame, filler.frames - filler.next)
        guard count > 0 else {
            AudioQueueStop(queue, false)
            return
        }
        filler.fill(buffer.pointee.mAudioData, filler.next, count)
        buffer.pointee.mAudioDataByteSize = UInt32(count * filler.bytesPerFrame)
        filler.next += count
        AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }

    var callbacks: Int { filler.callbacks }

    /// - Parameter fill: writes so many frames, from one of the tone on.
    init(
        _ format: AudioStreamBasicDescription, frames: Int = 0, loop: CFRunLoop? = nil, queue: DispatchQueue? = nil,
        fill: @escaping (UnsafeMutableRawPointer, Int, Int) -> Void = { _, _, _ in }
    ) throws {
        self.format = format
        filler = Filler(frames, Int(format.mBytesPerFrame), fill)
        var format = format, made: AudioQueueRef?
        let data = Unmanaged.passUnretained(filler).toOpaque()
        let status =
            if let queue {
                AudioQueueNewOutputWithDispatchQueue(&made, &format, 0, queue) { QueueRig.callback(data, $0, $1) }
            } else {
                AudioQueueNewOutput(&format, Self.callback, data, loop, nil, 0, &made)
            }
        try #require(status == noErr)
        self.queue = try #require(made)
    }

    deinit { AudioQueueDispose(queue, true) }

    func buffer(_ bytes: Int) throws -> AudioQueueBufferRef {
        var made: AudioQueueBufferRef?
        try #require(AudioQueueAllocateBuffer(queue, UInt32(bytes), &made) == noErr)
        return try #require(made)
    }

    /// A buffer with these samples in it.
    func buffer<Sample>(_ samples: [Sample]) throws -> AudioQueueBufferRef {
        let made = try buffer(samples.count * MemoryLayout<Sample>.size)
        samples.withUnsafeBytes {
            if let base = $0.baseAddress { made.pointee.mAudioData.copyMemory(from: base, byteCount: $0.count) }
        }
        made.pointee.mAudioDataByteSize = made.pointee.mAudioDataBytesCapacity
        return made
    }

    /// Enqueues buffers as a program does before it starts the queue.
    func prime(_ count: Int, frames: Int) throws {
        for _ in 0..<count { Self.refill(filler, queue, try buffer(frames * filler.bytesPerFrame)) }
    }

    @discardableResult
    func enqueue(
        _ buffer: AudioQueueBufferRef, trim: (UInt32, UInt32) = (0, 0), _ values: [AudioQueueParameterEvent] = [],
        at time: Float64? = nil
    ) -> (status: OSStatus, start: Float64) {
        var stamp = AudioTimeStamp(), actual = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (time ?? 0, .sampleTimeValid)
        let status = withUnsafePointer(to: &stamp) { stamp in
            AudioQueueEnqueueBufferWithParameters(
                queue, buffer, 0, nil, trim.0, trim.1, UInt32(values.count), values, time == nil ? nil : stamp, &actual)
        }
        return (status, actual.mSampleTime)
    }

    /// Renders without a device until nothing comes, as channels of single precision.
    func render(rate: Double = 44_100, channels: UInt32 = 2, slice: UInt32 = 300) throws -> [[Float]] {
        var format = pcm(32, float, rate: rate, channels: channels), stamp = AudioTimeStamp()
        try #require(AudioQueueSetOfflineRenderFormat(queue, &format, nil) == noErr)
        try #require(AudioQueueStart(queue, nil) == noErr)
        let target = try buffer(Int(slice * 4 * channels))
        var sound: [[Float]] = Array(repeating: [], count: Int(channels))
        while AudioQueueOfflineRender(queue, &stamp, target, slice) == noErr, target.pointee.mAudioDataByteSize > 0 {
            let count = Int(target.pointee.mAudioDataByteSize) / 4
            let samples = target.pointee.mAudioData.assumingMemoryBound(to: Float.self)
            for index in 0..<count { sound[index % Int(channels)].append(samples[index]) }
        }
        return sound
    }

    func get<Value>(_ id: AudioQueuePropertyID, _ start: Value) -> (OSStatus, Value) {
        var value = start, size = UInt32(MemoryLayout<Value>.size)
        let status = withUnsafeMutableBytes(of: &value) {
            AudioQueueGetProperty(queue, id, $0.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1)!, &size)
        }
        return (status, value)
    }
}
