/// What notices that a queue began anew: how often it had.
private final class TimelineObject: HandledObject, @unchecked Sendable {
    var starts: Int

    init(starts: Int) { self.starts = starts }
}

extension AudioTimeStamp {
    init(mSampleTime sample: Float64? = nil, mHostTime host: UInt64? = nil) {
        self.init()
        (mSampleTime, mHostTime) = (sample ?? 0, host ?? 0)
        if sample != nil { mFlags.insert(.sampleTimeValid) }
        if host != nil { mFlags.insert(.hostTimeValid) }
    }
}

extension QueueObject {
    /// A sample time of the device with its host time, from whichever is there; before the device ran, its time begins now.
    func deviceTime(_ given: AudioTimeStamp) -> AudioTimeStamp? {
        let known = feed.deviceZero.load(ordering: .relaxed), zero = known == 0 ? mach_absolute_time() : known
        var time = given
        if given.mFlags.contains(.hostTimeValid) {
            time.mSampleTime = Double(Int64(bitPattern: given.mHostTime &- zero)) / 1e9 * feed.layout.rate
        } else {
            guard given.mFlags.contains(.sampleTimeValid), abs(given.mSampleTime) < 1e12 else { return nil }
            time.mHostTime = zero &+ UInt64(bitPattern: Int64(given.mSampleTime / feed.layout.rate * 1e9))
        }
        (time.mRateScalar, time.mFlags) = (1, [.sampleTimeValid, .hostTimeValid, .rateScalarValid])
        return time
    }
}

private func answer(
    _ handle: AudioQueueRef, _ out: UnsafeMutablePointer<AudioTimeStamp>, _ time: (QueueObject) -> AudioTimeStamp?
) -> OSStatus {
    QueueObject.on(handle) { queue in
        if queue.feed.deviceZero.load(ordering: .relaxed) == 0 { throw Refusal(kAudioQueueErr_InvalidRunState) }
        guard let time = time(queue) else { throw Refusal(kAudio_ParamError) }
        out.pointee = time
    }
}

/// Makes what notices interruptions of a queue's time.
@discardableResult public func AudioQueueCreateTimeline(
    _ inAQ: AudioQueueRef, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>
) -> OSStatus { QueueObject.on(inAQ) { outTimeline.pointee = Handles.add(TimelineObject(starts: $0.starts)) } }

/// Ends what noticed interruptions.
@discardableResult public func AudioQueueDisposeTimeline(_ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef) -> OSStatus {
    Handles.remove(inTimeline, TimelineObject.self) == nil ? kAudio_ParamError : noErr
}

/// The frames that a queue has played or captured since its start, and whether it was started since the timeline was last asked;
/// `kAudioQueueErr_InvalidRunState` while it is stopped.
@discardableResult public func AudioQueueGetCurrentTime(
    _ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef?, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outTimelineDiscontinuity: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        if queue.run == .stopped { throw Refusal(kAudioQueueErr_InvalidRunState) }
        if inTimeline != nil {
            guard let timeline = Handles.find(inTimeline, TimelineObject.self) else { throw Refusal(kAudio_ParamError) }
            outTimelineDiscontinuity?.pointee = DarwinBoolean(timeline.starts != queue.starts)
            timeline.starts = queue.starts
        }
        outTimeStamp?.pointee = AudioTimeStamp(mSampleTime: Float64(queue.feed.clock.load(ordering: .relaxed)))
    }
}

/// The device's time: frames at the queue's rate, and host time; `kAudioQueueErr_InvalidRunState` before it ran.
@discardableResult public func AudioQueueDeviceGetCurrentTime(
    _ inAQ: AudioQueueRef, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus { answer(inAQ, outTimeStamp) { $0.deviceTime(AudioTimeStamp(mHostTime: mach_absolute_time())) } }

/// The device's sample time of a host time, or the host time of a sample time.
@discardableResult public func AudioQueueDeviceTranslateTime(
    _ inAQ: AudioQueueRef, _ inTime: UnsafePointer<AudioTimeStamp>, _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus { answer(inAQ, outTime) { $0.deviceTime(inTime.pointee) } }

/// The next time at which the device can start: the one that is asked for, or now.
@discardableResult public func AudioQueueDeviceGetNearestStartTime(
    _ inAQ: AudioQueueRef, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>, _ inFlags: UInt32
) -> OSStatus {
    answer(inAQ, ioRequestedStartTime) { queue in
        guard let wanted = queue.deviceTime(ioRequestedStartTime.pointee)?.mHostTime else { return nil }
        return queue.deviceTime(AudioTimeStamp(mHostTime: max(wanted, mach_absolute_time())))
    }
}
