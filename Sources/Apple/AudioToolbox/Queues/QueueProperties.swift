internal import DSP

/// A property of queues: its bytes, and what setting it means; nil for one that is only read.
private struct QueueProperty: Sendable {
    var get: @Sendable (QueueObject) -> PropertyAnswer = { _ in .bytes([]) }
    var set: (@Sendable (QueueObject, UnsafeRawPointer) throws -> Void)?

    static func value<Value>(
        _ get: @escaping @Sendable (QueueObject) -> Value, set: (@Sendable (QueueObject, Value) throws -> Void)? = nil
    ) -> QueueProperty {
        var row = QueueProperty(get: { .value(get($0)) })
        if let set { row.set = { try set($0, UnitProperty.load(Value.self, $1)) } }
        return row
    }

    static func levels(_ scale: @escaping @Sendable (Float) -> Float) -> QueueProperty {
        QueueProperty(get: { queue in
            .bytes((0..<2 * queue.feed.layout.channels).flatMap { UnitProperty.bytes(scale(queue.feed[3 + $0])) })
        })
    }

    /// Nil for one that answers `kAudio_UnimplementedError`.
    static let all: [AudioQueuePropertyID: QueueProperty?] = [
        kAudioQueueProperty_IsRunning: .value { UInt32($0.run == .stopped ? 0 : 1) },
        kAudioQueueDeviceProperty_SampleRate: .value(\.feed.layout.rate),
        kAudioQueueDeviceProperty_NumberChannels: .value { UInt32($0.slice.layout.channels) },
        kAudioQueueProperty_CurrentDevice: QueueProperty(
            get: { .object($0.deviceName) },
            set: { queue, data in
                let name = UnitProperty.load(Unmanaged<NSString>.self, data).takeUnretainedValue()
                guard let number = AudioDevices.number(named: "\(name)") else { throw Refusal(kAudioQueueErr_InvalidDevice) }
                if queue.unit != nil { throw Refusal(kAudioQueueErr_InvalidRunState) }
                (queue.device, queue.deviceName) = (number, name)
            }),
        kAudioQueueProperty_MagicCookie: QueueProperty(),
        kAudioQueueProperty_MaximumOutputPacketSize: .value { UInt32($0.feed.layout.bytesPerFrame) },
        kAudioQueueProperty_StreamDescription: .value(\.feed.layout.description),
        kAudioConverterCurrentInputStreamDescription: .value(\.feed.layout.description),
        kAudioConverterCurrentOutputStreamDescription: .value(\.feed.layout.description),
        kAudioQueueProperty_ChannelLayout: nil,
        kAudioQueueProperty_EnableLevelMetering: .value(
            { UInt32($0.feed.isMetering.load(ordering: .relaxed) ? 1 : 0) },
            set: { $0.feed.isMetering.store($1 != 0, ordering: .relaxed) }),
        kAudioQueueProperty_CurrentLevelMeter: .levels { $0 > -120 ? Decibels.amplitude($0) : 0 },
        kAudioQueueProperty_CurrentLevelMeterDB: .levels { $0 },
        kAudioQueueProperty_DecodeBufferSizeFrames: nil,
        kAudioQueueProperty_ConverterError: .value { _ in UInt32(0) },
        kAudioQueueProperty_EnableTimePitch: .value(
            { _ in UInt32(0) }, set: { if $1 != 0 { throw Refusal(kAudio_UnimplementedError) } }),
        kAudioQueueProperty_TimePitchAlgorithm: nil,
        kAudioQueueProperty_TimePitchBypass: nil,
    ]

    static func on(
        _ handle: AudioQueueRef, _ id: AudioQueuePropertyID, _ body: (QueueObject, QueueProperty) throws -> Void
    ) -> OSStatus {
        QueueObject.on(handle) { queue in
            guard let row = all[id] else { throw Refusal(kAudioQueueErr_InvalidProperty) }
            guard let row else { throw Refusal(kAudio_UnimplementedError) }
            try body(queue, row)
        }
    }
}

/// Reads a property; the name of the device is the caller's to release. Levels are before volume and pan, 1, or 0 dB,
/// for full scale: peaks fall by 20 dB in 1.7 s, averages are over 300 ms.
@discardableResult public func AudioQueueGetProperty(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer,
    _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    QueueProperty.on(inAQ, inID) { queue, row in
        try UnitFaults.check(row.get(queue).give(ioDataSize, outData, tooSmall: kAudioQueueErr_InvalidPropertySize))
    }
}

/// Sets a property: metering, or the device before the first start.
@discardableResult public func AudioQueueSetProperty(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer, _ inDataSize: UInt32
) -> OSStatus {
    QueueProperty.on(inAQ, inID) { queue, row in
        guard let set = row.set else { throw Refusal(kAudioQueueErr_InvalidPropertyValue) }
        var size: UInt32 = 0
        try UnitFaults.check(row.get(queue).giveSize(&size))
        guard inDataSize == size else { throw Refusal(kAudioQueueErr_InvalidPropertySize) }
        try set(queue, inData)
    }
}

/// The size of a property in bytes.
@discardableResult public func AudioQueueGetPropertySize(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus { QueueProperty.on(inAQ, inID) { try UnitFaults.check($1.get($0).giveSize(outDataSize)) } }

/// Calls a function when `kAudioQueueProperty_IsRunning` changes: on the thread that starts or stops the queue, or with its
/// callbacks where it ends by itself.
@discardableResult public func AudioQueueAddPropertyListener(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inProc: @escaping AudioQueuePropertyListenerProc,
    _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus { QueueProperty.on(inAQ, inID) { queue, _ in queue.listeners.append((inID, inProc, inUserData)) } }

/// Ends the calls of a function for a property.
@discardableResult public func AudioQueueRemovePropertyListener(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inProc: @escaping AudioQueuePropertyListenerProc,
    _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    QueueProperty.on(inAQ, inID) { queue, _ in
        queue.listeners.removeAll {
            ($0.id, unsafeBitCast($0.proc, to: UInt.self), $0.data) == (inID, unsafeBitCast(inProc, to: UInt.self), inUserData)
        }
    }
}

/// Reads a parameter.
@discardableResult public func AudioQueueGetParameter(
    _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID, _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>
) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        guard let value = QueueSetting.all[inParamID].map({ queue.feed[$0.place] }) ?? QueueSetting.fixed[inParamID] else {
            throw Refusal(kAudioQueueErr_InvalidParameter)
        }
        outValue.pointee = value
    }
}

/// Sets a parameter with the next slice: volume (0 to 1), the seconds in which the volume follows (to 3 600), pan (−1 to 1). Values
/// beyond count as the ends. A rate other than 1, or a pitch other than 0, is `kAudio_UnimplementedError`.
@discardableResult public func AudioQueueSetParameter(
    _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID, _ inValue: AudioQueueParameterValue
) -> OSStatus {
    QueueObject.on(inAQ) { queue in
        if QueueSetting.fixed[inParamID] == inValue { return }
        if QueueSetting.fixed[inParamID] != nil { throw Refusal(kAudio_UnimplementedError) }
        guard let setting = QueueSetting.all[inParamID], inValue.isFinite else { throw Refusal(kAudioQueueErr_InvalidParameter) }
        queue.feed[setting.place] = setting.hold(inValue)
    }
}
