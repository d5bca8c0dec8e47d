import Glibc
import Synchronization

/// Loads samples that take time, several at once: each is a stream of its own. Control side.
package enum SampleDecoder {
    struct Job: Sendable {
        /// The samples that it loads.
        let indices: [Int]
        let work: @Sendable () throws(SoundFontError) -> [LoadedSample]
    }

    /// A thread that loads a sample now: the thread that waits for it, its clock, and what that showed at the sample's beginning.
    private typealias Worker = (owner: pthread_t, clock: clockid_t, start: Int64)
    private static let workers = Mutex<[Worker]>([])

    /// The processor time that a sample has taken which is being loaded for a thread, the most of all, in nanoseconds. Waits for
    /// no thread; any thread.
    package static func longestWork(for owner: pthread_t) -> Int64 {
        workers.withLockIfAvailable { $0.map { $0.owner == owner ? time($0.clock) - $0.start : 0 }.max() ?? 0 } ?? 0
    }

    private static func time(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    typealias Decoded = (index: Int, result: Result<LoadedSample, SoundFontError>)

    /// Does all of them on as many threads as there are processors. Results are in the order of their indices.
    static func decode(_ jobs: [Job]) -> [Decoded] {
        guard !jobs.isEmpty else { return [] }
        let work = Work(jobs)
        let helpers = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), jobs.count) - 1
        var threads: [pthread_t] = []
        for _ in 0..<helpers {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(work).toOpaque()
            let code = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context)
            // Fewer threads take longer, no more.
            guard code == 0 else {
                Unmanaged<Work>.fromOpaque(context).release()
                break
            }
            threads.append(thread)
        }
        work.run()
        for thread in threads { pthread_join(thread, nil) }
        return work.results
    }

    private final class Work: Sendable {
        private let jobs: [Job], owner = pthread_self()
        private let next = Atomic(0)
        private let done = Mutex<[Decoded]>([])

        init(_ jobs: [Job]) { self.jobs = jobs }

        var results: [Decoded] { done.withLock { $0.sorted { $0.index < $1.index } } }

        func run() {
            var clock = CLOCK_THREAD_CPUTIME_ID
            pthread_getcpuclockid(pthread_self(), &clock)
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < jobs.count else { return }
                let job = jobs[number]
                SampleDecoder.workers.withLock { $0.append((owner, clock, SampleDecoder.time(clock))) }
                let result = Result { () throws(SoundFontError) in try job.work() }
                SampleDecoder.workers.withLock { $0.removeAll { $0.clock == clock } }
                done.withLock { done in
                    switch result {
                    case .success(let samples): done += zip(job.indices, samples).map { ($0, .success($1)) }
                    case .failure(let error): done.append((job.indices[0], .failure(error)))
                    }
                }
            }
        }
    }
}

/// A sample that can be played: whole in memory, or streamed.
enum LoadedSample: Sendable {
    case whole(SampleBlock)
    /// A channel of a stream.
    case streamed(SampleStream, channel: Int)
}
