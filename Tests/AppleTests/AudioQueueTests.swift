import AudioToolbox
import Testing

/// Queues that are rendered without a device, so that each frame is known.
@Suite struct AudioQueueTests {
    @Test func constantsAreApples() {
        QueueTable.forEach { name, value, fact in #expect(value == fact, "\(name)") }
    }

    /// Frames of a tone in several formats, through buffers that their callback fills again, to the last one.
    @Test(arguments: [(16, integer, 1), (24, integer | big, 2), (32, float, 2), (32, integer | 24 << 7, 1), (64, float | big, 3)])
    func everyFrameComesOnce(_ bits: UInt32, _ flags: AudioFormatFlags, _ channels: Int) throws {
        let frames = 10_007, format = pcm(bits, flags, channels: UInt32(channels))
        var planar = pcm(32, float, planar: false), other = format, converter: AudioConverterRef?
        planar.mChannelsPerFrame = UInt32(channels)
        (planar.mBytesPerFrame, planar.mBytesPerPacket) = (UInt32(4 * channels), UInt32(4 * channels))
        try #require(AudioConverterNew(&planar, &other, &converter) == noErr)
        let made = try #require(converter)
        defer { AudioConverterDispose(made) }
        let rig = try QueueRig(format, frames: frames) { data, first, count in
            let tone = (first..<first + count).flatMap { frame in
                (0..<channels).map { toneSample(frame, rate: 44_100) / Float($0 + 1) }
            }
            var size = UInt32(count) * format.mBytesPerFrame
            AudioConverterConvertBuffer(made, UInt32(4 * tone.count), tone, &size, data)
        }
        try rig.prime(3, frames: 1_000)
        var waiting: UInt32 = 0
        #expect(AudioQueuePrime(rig.queue, 0, &waiting) == noErr && waiting == 3_000)
        let sound = try rig.render(channels: UInt32(max(2, channels)))
        #expect(sound[0].count == frames && rig.callbacks == 11)
        for channel in 0..<max(2, channels) {
            let part: Float = channel < channels ? Float(channel + 1) : 1
            let worst = sound[channel].indices.reduce(Float(0)) {
                max($0, abs(sound[channel][$1] - toneSample($1, rate: 44_100) / part))
            }
            #expect(worst <= (bits == 16 ? 1 / 65_536 : 1e-7), "channel \(channel)")
        }
        var time = AudioTimeStamp()
        #expect(AudioQueueOfflineRender(rig.queue, &time, try rig.buffer(64), 1) == kAudioQueueErr_InvalidRunState)
    }

    @Test func ratesAreConverted() throws {
        let rig = try QueueRig(pcm(32, float, rate: 22_050, channels: 1), frames: 22_050) { data, first, count in
            for index in 0..<count {
                data.assumingMemoryBound(to: Float.self)[index] = toneSample(first + index, rate: 22_050)
            }
        }
        try rig.prime(3, frames: 512)
        let sound = try rig.render(rate: 48_000, channels: 1)[0]
        #expect(abs(sound.count - 48_000) <= 2)
        #expect(worstError(sound, rate: 48_000, 2_000..<46_000) < 1e-4)
    }

    /// Trimmed, quieter, on one side, later: each at its frame.
    @Test func buffersBringParametersAndTimes() throws {
        let rig = try QueueRig(pcm(32, float)), ones = [Float](repeating: 1, count: 200)
        let volume = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.25)
        let pan = AudioQueueParameterEvent(mID: kAudioQueueParam_Pan, mValue: 1)
        #expect(rig.enqueue(try rig.buffer(ones), trim: (10, 20)) == (noErr, 0))
        #expect(rig.enqueue(try rig.buffer(ones), [volume]) == (noErr, 70))
        #expect(rig.enqueue(try rig.buffer(ones), [pan], at: 400) == (noErr, 400))
        #expect(rig.enqueue(try rig.buffer(ones), at: 5) == (noErr, 500))
        let sound = try rig.render(slice: 64)
        let left = Array(repeating: Float(1), count: 70) + Array(repeating: 0.25, count: 100) + Array(repeating: 0, count: 430)
        let right = left.indices.map { $0 < 400 ? left[$0] : 0.25 }
        #expect(sound[0] == left && sound[1] == right)
        var value: Float = 0
        #expect(AudioQueueGetParameter(rig.queue, kAudioQueueParam_Pan, &value) == noErr && value == 1)
    }

    @Test func volumeFollowsInItsTime() throws {
        let rig = try QueueRig(pcm(32, float, channels: 1)), volume = AudioQueueParameterEvent(mID: 1, mValue: 0)
        #expect(AudioQueueSetParameter(rig.queue, kAudioQueueParam_VolumeRampTime, 441 / 44_100) == noErr)
        rig.enqueue(try rig.buffer([Float](repeating: 1, count: 1_000)), [volume])
        let sound = try rig.render()[0]
        #expect((0..<441).allSatisfy { abs(sound[$0] - (1 - Float($0) / 441)) < 1e-4 } && sound[442...].allSatisfy { $0 == 0 })
    }

    @Test func levelsAreMeasured() throws {
        let rig = try QueueRig(pcm(32, float))
        var on: UInt32 = 1
        #expect(AudioQueueSetProperty(rig.queue, kAudioQueueProperty_EnableLevelMetering, &on, 4) == noErr)
        // Four seconds: the average is over 300 ms.
        rig.enqueue(try rig.buffer((0..<360_000).map { Float($0 % 2 == 0 ? 0.5 : ($0 / 2) % 2 == 0 ? 1 : 0) }))
        var format = rig.format, time = AudioTimeStamp()
        #expect(AudioQueueSetOfflineRenderFormat(rig.queue, &format, nil) == noErr && AudioQueueStart(rig.queue, nil) == noErr)
        #expect(AudioQueueOfflineRender(rig.queue, &time, try rig.buffer(8 * 176_400), 176_400) == noErr)
        let zero = AudioQueueLevelMeterState()
        let (status, levels) = rig.get(kAudioQueueProperty_CurrentLevelMeter, (zero, zero))
        #expect(
            status == noErr && abs(levels.0.mAveragePower - 0.5) < 1e-5 && abs(levels.0.mPeakPower - 0.5) < 1e-6
                && levels.1.mPeakPower == 1)
        #expect(abs(levels.1.mAveragePower - Float(0.5).squareRoot()) < 1e-4)
        #expect(abs(rig.get(kAudioQueueProperty_CurrentLevelMeterDB, (zero, zero)).1.1.mAveragePower + 3.0103) < 1e-3)
    }

    /// A reset gives the buffers back, and the queue runs on; what the callback enqueues meanwhile is refused.
    @Test func aResetGivesBuffersBack() throws {
        let rig = try QueueRig(pcm(32, float), frames: 100_000) { _, _, _ in }
        try rig.prime(4, frames: 500)
        var format = rig.format, time = AudioTimeStamp(), waiting: UInt32 = 1
        #expect(AudioQueueSetOfflineRenderFormat(rig.queue, &format, nil) == noErr && AudioQueueStart(rig.queue, nil) == noErr)
        let target = try rig.buffer(8_000), first = try rig.buffer([Float](repeating: 1, count: 10))
        #expect(AudioQueueOfflineRender(rig.queue, &time, target, 600) == noErr && rig.callbacks == 1)
        #expect(AudioQueueEnqueueBuffer(rig.queue, first, 0, nil) == noErr)
        #expect(AudioQueueFreeBuffer(rig.queue, first) == kAudioQueueErr_BufferInQueue)
        #expect(AudioQueueReset(rig.queue) == noErr && rig.callbacks == 6)
        #expect(AudioQueuePrime(rig.queue, 0, &waiting) == noErr && waiting == 0)
        #expect(AudioQueueFreeBuffer(rig.queue, first) == noErr)
        #expect(AudioQueueFreeBuffer(rig.queue, first) == kAudioQueueErr_InvalidBuffer)
        #expect(rig.get(kAudioQueueProperty_IsRunning, UInt32(0)).1 == 1)
    }

    /// The queue's time: it begins with each start, and a timeline notices that once.
    @Test func timeBeginsWithAStart() throws {
        let rig = try QueueRig(pcm(32, float))
        var timeline: AudioQueueTimelineRef?, time = AudioTimeStamp(), isNew = DarwinBoolean(false), format = rig.format
        #expect(AudioQueueCreateTimeline(rig.queue, &timeline) == noErr)
        #expect(AudioQueueGetCurrentTime(rig.queue, timeline, &time, &isNew) == kAudioQueueErr_InvalidRunState)
        #expect(AudioQueueDeviceGetCurrentTime(rig.queue, &time) == kAudioQueueErr_InvalidRunState)
        #expect(AudioQueueSetOfflineRenderFormat(rig.queue, &format, nil) == noErr)
        let target = try rig.buffer(8_000)
        for _ in 0..<2 {
            rig.enqueue(try rig.buffer([Float](repeating: 1, count: 500)))
            #expect(AudioQueueStart(rig.queue, nil) == noErr)
            #expect(AudioQueueOfflineRender(rig.queue, &time, target, 200) == noErr)
            #expect(AudioQueueGetCurrentTime(rig.queue, timeline, &time, &isNew) == noErr)
            #expect(time.mSampleTime == 200 && isNew.boolValue)
            #expect(AudioQueueGetCurrentTime(rig.queue, timeline, nil, &isNew) == noErr && !isNew.boolValue)
            #expect(AudioQueueStop(rig.queue, true) == noErr)
        }
        #expect(AudioQueueDisposeTimeline(rig.queue, try #require(timeline)) == noErr)
        #expect(AudioQueueDisposeTimeline(rig.queue, try #require(timeline)) == kAudio_ParamError)
    }

    @Test func refusalsHaveApplesCodes() throws {
        let rig = try QueueRig(pcm(16, integer)), other = try QueueRig(pcm(16, integer))
        var made: AudioQueueRef?, size: UInt32 = 3, word: UInt32 = 1, volume: Float = 0
        for format in [
            pcm(32, float, planar: true), AudioStreamBasicDescription(), pcm(16, integer, rate: 10),
            pcm(16, integer, channels: 65),
        ] {
            var format = format
            #expect(
                AudioQueueNewOutput(&format, QueueRig.callback, nil, nil, nil, 0, &made)
                    == kAudioFormatUnsupportedDataFormatError)
        }
        let empty = try rig.buffer(8), strange = try other.buffer([Int16(1), 1])
        #expect(AudioQueueEnqueueBuffer(rig.queue, empty, 0, nil) == kAudioQueueErr_BufferEmpty)
        empty.pointee.mAudioDataByteSize = 9
        #expect(AudioQueueEnqueueBuffer(rig.queue, empty, 0, nil) == kAudio_ParamError)
        empty.pointee.mAudioDataByteSize = 8
        #expect(rig.enqueue(empty, trim: (1, 1)).status == kAudioQueueErr_BufferEmpty)
        #expect(rig.enqueue(empty, [AudioQueueParameterEvent(mID: 99, mValue: 0)]).status == kAudioQueueErr_InvalidParameter)
        #expect(rig.enqueue(empty, [AudioQueueParameterEvent(mID: 1, mValue: .nan)]).status == kAudioQueueErr_InvalidParameter)
        #expect(rig.enqueue(empty, at: .nan).status == kAudio_ParamError)
        #expect(AudioQueueEnqueueBuffer(rig.queue, strange, 0, nil) == kAudioQueueErr_InvalidBuffer)
        let status = AudioQueueGetProperty(rig.queue, kAudioQueueProperty_IsRunning, &word, &size)
        #expect(status == kAudioQueueErr_InvalidPropertySize)
        #expect(AudioQueueGetPropertySize(rig.queue, 1, &size) == kAudioQueueErr_InvalidProperty)
        #expect(AudioQueueGetPropertySize(rig.queue, kAudioQueueProperty_ChannelLayout, &size) == kAudio_UnimplementedError)
        #expect(AudioQueueSetProperty(rig.queue, kAudioQueueProperty_EnableTimePitch, &word, 4) == kAudio_UnimplementedError)
        let text = NSString(string: "no such card")
        var name = Unmanaged.passUnretained(text)
        #expect(AudioQueueSetProperty(rig.queue, kAudioQueueProperty_CurrentDevice, &name, 8) == kAudioQueueErr_InvalidDevice)
        #expect(AudioQueueSetParameter(rig.queue, kAudioQueueParam_PlayRate, 2) == kAudio_UnimplementedError)
        #expect(AudioQueueSetParameter(rig.queue, kAudioQueueParam_Volume, .infinity) == kAudioQueueErr_InvalidParameter)
        #expect(AudioQueueSetParameter(rig.queue, kAudioQueueParam_Volume, 7) == noErr)
        #expect(AudioQueueGetParameter(rig.queue, kAudioQueueParam_Volume, &volume) == noErr && volume == 1)
        var time = AudioTimeStamp()
        #expect(AudioQueueOfflineRender(rig.queue, &time, empty, 1) == kAudioQueueErr_InvalidOfflineMode)
        let gone = try QueueRig(pcm(16, integer))
        #expect(AudioQueueDispose(gone.queue, true) == noErr)
        #expect(AudioQueueDispose(gone.queue, true) == kAudio_ParamError && AudioQueueStart(gone.queue, nil) == kAudio_ParamError)
    }
}
