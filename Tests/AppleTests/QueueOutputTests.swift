import AudioToolbox
import Synchronization
import Testing

@testable import AudioFiles

/// Queues on what the environment names.
extension OutputUnitTests {
    private final class Runs: Sendable {
        let count = Atomic(0), seen = Atomic(0)

        static let listener: AudioQueuePropertyListenerProc = { data, queue, id in
            guard let data else { return }
            let runs = Unmanaged<Runs>.fromOpaque(data).takeUnretainedValue()
            var value: UInt32 = 9, size: UInt32 = 4
            AudioQueueGetProperty(queue, id, &value, &size)
            runs.seen.store(10 * runs.seen.load(ordering: .relaxed) + Int(value), ordering: .relaxed)
            runs.count.add(1, ordering: .releasing)
        }
    }

    enum Place: CaseIterable { case own, loop, dispatch }

    /// A queue plays into a file, refilled on its own thread, on a run loop or on a dispatch queue, and ends by itself.
    @Test(arguments: Place.allCases) func queuePlaysToItsEnd(_ place: Place) throws {
        let folder = try SoundFolder(), runs = Runs(), queue = DispatchQueue(label: "queue")
        setenv("CARILLON_OUTPUT", folder.path + "/out.wav", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        do {
            let rig = try QueueRig(
                pcm(16, integer), frames: 20_000, loop: place == .loop ? CFRunLoopGetCurrent() : nil,
                queue: place == .dispatch ? queue : nil
            ) { data, first, count in
                let samples = data.assumingMemoryBound(to: Int16.self)
                for index in 0..<2 * count {
                    samples[index] = Int16((toneSample(first + index / 2, rate: 44_100) * 32_767).rounded())
                }
            }
            let data = Unmanaged.passUnretained(runs).toOpaque()
            #expect(AudioQueueAddPropertyListener(rig.queue, kAudioQueueProperty_IsRunning, Runs.listener, data) == noErr)
            try rig.prime(3, frames: 2_000)
            #expect(AudioQueueStart(rig.queue, nil) == noErr)
            for _ in 0..<500 where runs.count.load(ordering: .acquiring) < 2 {
                if place == .loop { CFRunLoopRunInMode(.defaultMode, 0.01, false) } else { usleep(10_000) }
            }
            #expect(runs.seen.load(ordering: .relaxed) == 10 && rig.callbacks == 10)
            var time = AudioTimeStamp(), other = AudioTimeStamp()
            #expect(AudioQueueDeviceGetCurrentTime(rig.queue, &time) == noErr)
            time.mFlags = .sampleTimeValid
            #expect(AudioQueueDeviceTranslateTime(rig.queue, &time, &other) == noErr)
            #expect(abs(Double(other.mHostTime) - Double(time.mHostTime)) < 1e6)
        }
        let sound = try folder.read("out.wav")[0], first = try #require(sound.firstIndex { abs($0) > 1e-3 }) - 1
        #expect(sound.count >= first + 20_000)
        for start in 0..<20_000 where abs(sound[first + start] - toneSample(start, rate: 44_100)) > 1e-4 {
            Issue.record("frame \(start)")
            break
        }
    }

    /// A queue records a file in a microphone's place: every frame once, the last buffer as far as it is filled.
    @Test func queueRecords() throws {
        let folder = try SoundFolder()
        try folder.write("in.wav", .wav, .float32, frames: 44_100, channels: 1)
        setenv("CARILLON_INPUT", folder.path + "/in.wav", 1)
        defer { unsetenv("CARILLON_INPUT") }
        final class Heard {
            var samples: [Int16] = [], times: [Float64] = []
            let count = Atomic(0)
        }
        let heard = Heard(),
            callback: AudioQueueInputCallback = { data, queue, buffer, time, packets, _ in
                guard let data else { return }
                let heard = Unmanaged<Heard>.fromOpaque(data).takeUnretainedValue()
                let samples = buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self)
                heard.samples += (0..<Int(packets)).map { samples[$0] }
                if packets > 0 { heard.times.append(time.pointee.mSampleTime) }
                heard.count.store(heard.samples.count, ordering: .releasing)
                AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
            }
        var format = pcm(16, integer, channels: 1), made: AudioQueueRef?
        let data = Unmanaged.passUnretained(heard).toOpaque()
        #expect(AudioQueueNewInput(&format, callback, data, nil, nil, 0, &made) == noErr)
        let queue = try #require(made)
        defer { AudioQueueDispose(queue, true) }
        for index in 0..<4 {
            var buffer: AudioQueueBufferRef?
            #expect(AudioQueueAllocateBuffer(queue, 2_000, &buffer) == noErr)
            guard let buffer else { continue }
            #expect(AudioQueueEnqueueBuffer(queue, buffer, 0, nil) == noErr)
            if index == 3 { #expect(AudioQueueEnqueueBuffer(queue, buffer, 0, nil) == kAudioQueueErr_BufferEnqueuedTwice) }
        }
        #expect(AudioQueueStart(queue, nil) == noErr)
        for _ in 0..<500 where heard.count.load(ordering: .acquiring) < 20_000 { usleep(10_000) }
        #expect(AudioQueueStop(queue, true) == noErr)
        let first = try #require(heard.samples.firstIndex { $0 != 0 }), tone = SoundFolder.tone(44_100, channels: 1)[0]
        #expect((0..<18_000).allSatisfy { abs(Float(heard.samples[first + $0]) - tone[$0 + 1] * 32_768) <= 0.51 })
        #expect(heard.times == heard.times.indices.map { Double(1_000 * $0) })
    }

    /// Calls in any order, from two threads and from callbacks.
    @Test func everyCallOfAQueueAnswers() async throws {
        setenv("CARILLON_OUTPUT", "null", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let counts = await withTaskGroup { group in
            for seed in 0..<2 { group.addTask { Self.calls(UInt64(seed), Dice.sequences(200) / 2) } }
            return await group.reduce((good: 0, bad: 0)) { ($0.good + $1.good, $0.bad + $1.bad) }
        }
        #expect(min(counts.good, counts.bad) > 2 * Dice.sequences(200), "\(counts)")
    }

    private final class Wild {
        var dice: Dice
        init(_ seed: UInt64) { dice = Dice(state: seed) }
    }

    private static func calls(_ seed: UInt64, _ sequences: Int) -> (good: Int, bad: Int) {
        var dice = Dice(state: seed), good = 0, bad = 0
        let wild = Wild(seed), memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 12, alignment: 16)
        defer { memory.deallocate() }
        let callback: AudioQueueOutputCallback = { data, queue, buffer in
            guard let data else { return }
            let wild = Unmanaged<Wild>.fromOpaque(data).takeUnretainedValue()
            switch wild.dice.next(8) {
            case 0: AudioQueueStop(queue, wild.dice.next(2) == 0)
            case 1: AudioQueueReset(queue)
            case 2: AudioQueueDispose(queue, wild.dice.next(2) == 0)
            case 3: AudioQueueFreeBuffer(queue, buffer)
            case 4: AudioQueueSetOfflineRenderFormat(queue, nil, nil)
            default: AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
            }
        }
        let formats = [
            pcm(16, integer), pcm(32, float, channels: 1), pcm(16, integer, rate: 8_000), pcm(32, float, planar: true),
        ]
        let ids = [
            kAudioQueueProperty_IsRunning, kAudioQueueProperty_StreamDescription, kAudioQueueProperty_CurrentLevelMeterDB,
            kAudioQueueProperty_EnableLevelMetering, kAudioQueueProperty_MagicCookie, kAudioQueueProperty_ChannelLayout, 0,
        ]
        for _ in 0..<sequences {
            var queues = [AudioQueueRef(bitPattern: 0x20)!], buffers: [AudioQueueBufferRef] = []
            var format = formats[0], made: AudioQueueRef?, time = AudioTimeStamp()
            let data = Unmanaged.passUnretained(wild).toOpaque()
            if AudioQueueNewOutput(&format, callback, data, nil, nil, 0, &made) == noErr, let made { queues.append(made) }
            for _ in 0..<20 {
                let queue = dice.next(4) == 0 ? dice.pick(queues) : queues[queues.count - 1], id = dice.pick(ids)
                var buffer: AudioQueueBufferRef?, size = UInt32(dice.pick([0, 4, 8, 40, 4_096])), value: Float = 0
                var frames: UInt32 = 0
                format = dice.pick(formats)
                memset(memory, 0, 1 << 12)
                let status: OSStatus
                switch dice.next(18) {
                case 0, 1:
                    status = AudioQueueAllocateBuffer(queue, UInt32(dice.pick([0, 64, 4_096, 1 << 31])), &buffer)
                    if let buffer {
                        buffer.pointee.mAudioDataByteSize = UInt32(dice.pick([0, 64, 64, 64, 9_999]))
                        buffers.append(buffer)
                    }
                case 2, 3, 4:
                    guard let buffer = buffers.last else { continue }
                    status = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
                case 5: status = AudioQueueSetOfflineRenderFormat(queue, &format, nil)
                case 6, 7: status = AudioQueueSetOfflineRenderFormat(queue, &format, nil) | AudioQueueStart(queue, nil)
                case 8, 9:
                    guard let buffer = buffers.first else { continue }
                    status = AudioQueueOfflineRender(queue, &time, buffer, UInt32(dice.pick([0, 8, 500, 1 << 20])))
                case 10: status = AudioQueueStop(queue, dice.next(2) == 0)
                case 11: status = AudioQueuePause(queue)
                case 12: status = AudioQueueGetProperty(queue, id, memory, &size)
                case 13: status = AudioQueueSetProperty(queue, id, memory, size)
                case 14: status = AudioQueueSetParameter(queue, UInt32(dice.next(15)), dice.pick([0, 1, -1, .nan, 9]))
                case 15: status = AudioQueueGetParameter(queue, UInt32(dice.next(15)), &value)
                case 16: status = dice.pick([AudioQueueReset, AudioQueueFlush])(queue) | AudioQueuePrime(queue, 0, &frames)
                default: status = AudioQueueDispose(queue, dice.next(2) == 0)
                }
                if status == noErr { good += 1 } else { bad += 1 }
            }
            for queue in queues { AudioQueueDispose(queue, true) }
        }
        return (good, bad)
    }
}
