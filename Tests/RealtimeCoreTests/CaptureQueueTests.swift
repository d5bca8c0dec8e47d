import Glibc
import RealtimeCore
import Testing

/// Blocks of sound between two real threads; `tools/test` runs this under ThreadSanitizer, too.
@Suite struct CaptureQueueTests {
    @Test func blocksCrossWholeAndInOrder() {
        let queue = CaptureQueue(channels: 2, frames: 1_024, blockFrames: 64), slices = 5_000, frames = 100
        let pusher = TestThread {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
            let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
            channels.initialize(to: samples)
            (channels + 1).initialize(to: samples + frames)
            for slice in 0..<slices {
                samples.initialize(repeating: Float(slice), count: 2 * frames)
                while queue.room < 2 { sched_yield() }
                queue.push(channels, channelCount: 2, frames: frames, at: SampleTime(Int64(slice * frames)))
            }
            samples.deallocate()
            channels.deallocate()
        }
        var next = 0, wrong = 0
        while next < slices * frames {
            let came = queue.drain { time, samples, count in
                if time != SampleTime(Int64(next)) { wrong += 1 }
                for i in 0..<count where samples[i] != Float((next + i) / frames) || samples[64 + i] != samples[i] { wrong += 1 }
                next += count
            }
            if !came { sched_yield() }
        }
        pusher.join()
        #expect(wrong == 0 && queue.droppedFrames == 0)
    }
}
