import Glibc
import Testing

@testable import SoundFonts

/// Threads that load samples: the one that waits for them can be asked how long they have computed.
@Suite struct SampleDecoderTests {
    @Test func theWorkOfEachThreadCountsForTheOneThatWaits() {
        let owner = pthread_self()
        // Each job computes until its time is seen, 5 s of processor time at most; others are asked for in vain.
        let jobs = (0..<4).map { number in
            SampleDecoder.Job(indices: [number]) { () throws(SoundFontError) in
                let limit = clock(CLOCK_THREAD_CPUTIME_ID) + 5
                while SampleDecoder.longestWork(for: owner) < 2_000_000 {
                    if clock(CLOCK_THREAD_CPUTIME_ID) > limit { throw .changed(path: "unseen") }
                }
                if SampleDecoder.longestWork(for: owner &+ 1) != 0 { throw .changed(path: "another's") }
                return [.whole(SampleBlock(borrowing: UnsafeRawPointer(bitPattern: 64)!, frames: number))]
            }
        }
        let frames = SampleDecoder.decode(jobs).map {
            if case .success(.whole(let block)) = $0.result { block.frames } else { -1 }
        }
        #expect(frames == [0, 1, 2, 3])
        #expect(SampleDecoder.longestWork(for: owner) == 0)
    }
}

private func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
