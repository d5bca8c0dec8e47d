internal import RealtimeCore
import Synchronization

/// An audio queue: its buffers, and the output unit that plays them or captures for them.
///
/// Calls of the program hold the handle's lock; callbacks run under `calls` and take the handle's lock inside, never the other way
/// round.
final class QueueObject: HandledObject, @unchecked Sendable {
    enum Run { case stopped, running, paused }
    typealias Listener = (id: AudioQueuePropertyID, proc: AudioQueuePropertyListenerProc, data: UnsafeMutableRawPointer?)

    let isInput: Bool
    let feed: QueueFeed
    /// A slice that is captured, or rendered without a device.
    let slice: SliceMemory
    /// Runs callbacks where the program wants them, now or soon.
    private let post: (@escaping @Sendable () -> Void) -> Void
    private let give: AudioQueueInputCallbackBlock
    private let calls = NSRecursiveLock()
    var handle: AudioQueueRef?
    /// How often each buffer is in the queue, or waits for its callback.
    var buffers: [AudioQueueBufferRef: Int] = [:]
    var listeners: [Listener] = []
    var device = AudioDevices.usual
    var deviceName: NSString
    /// What converts the sound of a queue without a device.
    var offline: PCMPipe?
    nonisolated(unsafe) private(set) var unit: AudioUnit?
    private(set) var run = Run.stopped
    private(set) var starts = 0
    /// The number of the next buffer, and the frame on which the last one ends.
    private var number = 0
    private(set) var end: Int64 = 0
    private var isServed = false, isResetting = false, isDisposing = false
    private let isClosed = Atomic<Bool>(false)

    init(
        _ layout: PCMLayout, isInput: Bool, _ give: @escaping AudioQueueInputCallbackBlock,
        _ post: @escaping (@escaping @Sendable () -> Void) -> Void
    ) {
        (self.isInput, self.post, self.give, feed) = (isInput, post, give, QueueFeed(layout))
        deviceName = NSString(string: AudioDevices.name(of: device, capturing: isInput) ?? "default")
        slice = SliceMemory(isInput ? layout : .planar(rate: layout.rate, channels: feed.channels), frames: QueueFeed.block)
    }

    deinit { for buffer in buffers.keys { free(buffer) } }

    /// Runs a call on a queue alone, unless it is disposed of, or is about to be.
    static func on(_ handle: AudioQueueRef?, _ body: (QueueObject) throws -> Void) -> OSStatus {
        Handles.run(handle, QueueObject.self) { queue in
            if queue.isDisposing { throw Refusal(kAudioQueueErr_DisposalPending) }
            try body(queue)
        }
    }

    private func alone(_ body: () -> Void) -> OSStatus { Handles.run(handle, QueueObject.self) { _ in body() } }

    /// Puts a buffer at the end, without some frames at either side. The entry gets its place in time.
    func enqueue(_ buffer: AudioQueueBufferRef, trimming trim: (start: Int, end: Int), _ entry: inout QueuedBuffer) throws {
        guard let count = buffers[buffer] else { throw Refusal(kAudioQueueErr_InvalidBuffer) }
        if isResetting { throw Refusal(kAudioQueueErr_EnqueueDuringReset) }
        if isInput, count > 0 { throw Refusal(kAudioQueueErr_BufferEnqueuedTwice) }
        if buffers.values.reduce(0, +) == QueueFeed.capacity { throw Refusal(kAudio_MemFullError) }
        let room = buffer.pointee.mAudioDataBytesCapacity, size = feed.layout.bytesPerFrame
        let bytes = isInput ? room : buffer.pointee.mAudioDataByteSize
        guard bytes <= room else { throw Refusal(kAudio_ParamError) }
        entry.frames = Int(bytes) / size - trim.start - trim.end
        guard entry.frames > 0 else { throw Refusal(kAudioQueueErr_BufferEmpty) }
        (entry.buffer, entry.data, entry.number) = (buffer, buffer.pointee.mAudioData + trim.start * size, number)
        entry.start = max(end, feed.clock.load(ordering: .relaxed), entry.start)
        (number, end, buffers[buffer]) = (number + 1, entry.start + Int64(entry.frames), count + 1)
        if !feed.pending.push(entry) { throw Refusal(kAudio_MemFullError) }
    }

    // MARK: - Running

    /// - Parameter due: the host time of the first frame.
    func start(due: UInt64) throws {
        if run == .running { return }
        feed.due.store(due, ordering: .relaxed)
        if offline == nil { try startUnit() }
        if run == .stopped { offline?.reset() }
        (run, starts) = (.running, starts + 1)
    }

    func pause() {
        if run != .running { return }
        if let unit { AudioOutputUnitStop(unit) }
        run = .paused
    }

    func stop(now: Bool) -> OSStatus {
        var isOver = false
        let status = Self.on(handle) { _ in
            isOver = run != .stopped && (now || run == .paused || isInput)
            feed.ends.store(run == .running && !isOver, ordering: .releasing)
            if isOver {
                halt()
                offline?.reset()
            }
        }
        if isOver { settle(kAudioQueueProperty_IsRunning) }
        return status
    }

    private func halt() {
        if let unit { AudioOutputUnitStop(unit) }
        run = .stopped
        giveBack()
        feed.rewind()
    }

    /// All buffers come back, that of an input queue with what it has.
    private func giveBack() {
        (isResetting, end) = (true, 0)
        feed.firstNumber.store(number, ordering: .releasing)
        if run != .running || offline != nil { feed.discard() }
    }

    func reset() -> OSStatus {
        let status = Self.on(handle) { _ in giveBack() }
        if status == noErr { settle() }
        return status
    }

    /// The callbacks of a reset run before it returns, where they may run on this thread.
    private func settle(_ changed: AudioQueuePropertyID? = nil) {
        post { [weak self] in self?.deliver() }
        _ = alone { isResetting = false }
        if let changed { tell(changed) }
    }

    func dispose(now: Bool) -> OSStatus {
        var waits = false
        let status = alone {
            waits = !now && run == .running && !isInput && offline == nil
            isDisposing = true
            if waits { return feed.ends.store(true, ordering: .releasing) }
            halt()
            if let unit { AudioComponentInstanceDispose(unit) }
            unit = nil
        }
        if waits { return noErr }
        guard status == noErr, Handles.remove(handle, QueueObject.self) != nil else { return kAudio_ParamError }
        // No callback comes after the call, unless it is made by one.
        calls.withLock { isClosed.store(true, ordering: .releasing) }
        feed.signal.announce()
        return noErr
    }

    private func startUnit() throws {
        let unit = try unit ?? makeUnit()
        if !isServed { Thread.detachNewThread { [self] in serve() } }
        isServed = true
        try UnitFaults.check(AudioOutputUnitStart(unit))
    }

    private func makeUnit() throws -> AudioUnit {
        var wanted = AudioComponentDescription(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
        guard let component = AudioComponentFindNext(nil, &wanted), AudioComponentInstanceNew(component, &unit) == noErr, let unit
        else { throw Refusal(kAudioQueueErr_CannotStart) }
        let callback = AURenderCallbackStruct(inputProc: slices, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        let status = UnitCalls.on(unit) { unit in
            unit.device.number = device
            unit.inputs[0].format = PCMLayout.planar(rate: feed.layout.rate, channels: feed.channels).description
            if isInput {
                (unit.device.plays, unit.device.captures, unit.device.inputCallback) = (false, true, callback)
                unit.outputs[1].format = feed.layout.description
            } else {
                unit.inputs[0].source = .callback(callback)
            }
            return unit.initialize()
        }
        if status != noErr {
            AudioComponentInstanceDispose(unit)
            self.unit = nil
        }
        try UnitFaults.check(status)
        return unit
    }

    /// Renders frames without a device into a buffer. Callbacks run inside.
    func render(_ frames: Int, into buffer: AudioQueueBufferRef) -> OSStatus {
        calls.withLock { Handles.use(handle, QueueObject.self) { _ in renderAlone(frames, buffer) } }
    }

    private func renderAlone(_ frames: Int, _ buffer: AudioQueueBufferRef) -> OSStatus {
        guard let pipe = offline else { return kAudioQueueErr_InvalidOfflineMode }
        if run != .running, pipe.readyFrames == 0 { return kAudioQueueErr_InvalidRunState }
        let size = pipe.output.bytesPerFrame
        guard buffers[buffer] != nil, frames * size <= buffer.pointee.mAudioDataBytesCapacity else {
            return kAudioQueueErr_InvalidBuffer
        }
        repeat {
            while pipe.readyFrames < frames, run == .running {
                let wanted = min(QueueFeed.block, pipe.inputFrames(for: frames - pipe.readyFrames))
                slice.clear(wanted)
                let made = feed.play(slice.list, wanted, nil)
                let planes = UnsafeMutableAudioBufferListPointer(slice.list).compactMap { UnsafeRawPointer($0.mData) }
                if !pipe.push(planes, frames: made) { return kAudio_ParamError }
                if made < wanted { break }
            }
        } while deliver() && pipe.readyFrames < frames
        if run == .stopped, !pipe.flush() { return kAudio_ParamError }
        guard buffers[buffer] != nil else { return kAudioQueueErr_InvalidBuffer }
        let made = pipe.pull([buffer.pointee.mAudioData], frames: frames)
        buffer.pointee.mAudioDataByteSize = UInt32(made * size)
        return noErr
    }

    // MARK: - Callbacks

    private func serve() {
        while !isClosed.load(ordering: .acquiring) {
            let seen = feed.signal.number
            if !feed.finished.isEmpty || feed.hasEnded.load(ordering: .acquiring) { post { [weak self] in self?.deliver() } }
            if !isClosed.load(ordering: .acquiring) { feed.signal.wait(past: seen) }
        }
    }

    /// Calls the program for each buffer that is done with. False where there was none, and the queue has not ended either.
    @discardableResult private func deliver() -> Bool {
        calls.lock()
        defer { calls.unlock() }
        var isAny = false
        while !isClosed.load(ordering: .acquiring), let entry = feed.finished.pop(), let buffer = entry.buffer, let handle {
            _ = alone { buffers[buffer]? -= 1 }
            if isInput { buffer.pointee.mAudioDataByteSize = UInt32(entry.frames * feed.layout.bytesPerFrame) }
            var stamp = AudioTimeStamp(mSampleTime: Float64(entry.start), mHostTime: entry.host)
            give(handle, buffer, &stamp, UInt32(entry.frames), nil)
            isAny = true
        }
        guard feed.hasEnded.exchange(false, ordering: .acquiring) else { return isAny }
        var isOver = false, isLast = false
        _ = alone {
            isOver = run == .running && feed.ends.load(ordering: .acquiring)
            isLast = isOver && isDisposing
            if isOver { halt() }
            isResetting = false
        }
        if isOver { tell(kAudioQueueProperty_IsRunning) }
        if isLast { _ = dispose(now: true) }
        return true
    }

    func tell(_ id: AudioQueuePropertyID) {
        var all: [Listener] = []
        _ = alone { all = listeners }
        for listener in all where listener.id == id { if let handle { listener.proc(listener.data, handle, id) } }
    }
}

private let slices: AURenderCallback = { data, flags, stamp, _, frames, list in
    Unmanaged<QueueObject>.fromOpaque(data)._withUnsafeGuaranteedRef { queue in
        if let list {
            _ = queue.feed.play(list, Int(frames), stamp)
            return noErr
        }
        guard let unit = queue.unit else { return kAudio_ParamError }
        queue.slice.clear(Int(frames))
        let status = AudioUnitRender(unit, flags, stamp, 1, frames, queue.slice.list)
        if status == noErr, let bytes = queue.slice.list.pointee.mBuffers.mData { queue.feed.capture(bytes, Int(frames), stamp) }
        return status
    }
}
