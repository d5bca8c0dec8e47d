import Glibc
import Synchronization

/// Loads samples that take time, several at once: each is a stream of its own. Control side.
enum SampleDecoder {
    struct Job: Sendable {
        /// The samples that it loads.
        let indices: [Int]
        let work: @Sendable () throws(SoundFontError) -> [LoadedSample]
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
        private let jobs: [Job]
        private let next = Atomic(0)
        private let done = Mutex<[Decoded]>([])

        init(_ jobs: [Job]) { self.jobs = jobs }

        var results: [Decoded] { done.withLock { $0.sorted { $0.index < $1.index } } }

        func run() {
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < jobs.count else { return }
                let job = jobs[number]
                let result = Result { () throws(SoundFontError) in try job.work() }
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
