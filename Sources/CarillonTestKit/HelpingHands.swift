import Glibc
import Graph
import RTProbe
import Synchronization

/// Threads that take part in what a rig renders, wherever the system lets them run.
final class HelpingHands: @unchecked Sendable {
    let crew = RenderCrew()
    private var threads: [pthread_t] = []
    private let work: Work

    /// What the threads share.
    private final class Work: @unchecked Sendable {
        let crew: RenderCrew
        let isOver = Atomic<Bool>(false)
        let violations = Mutex(RenderViolations())

        init(_ crew: RenderCrew) { self.crew = crew }

        func run() {
            _ = rt_probe_take()
            // Many tests run at a time: whoever has nothing to do leaves the processors to others.
            while !isOver.load(ordering: .acquiring) { if !crew.help() { usleep(50) } }
            let first = String(cString: rt_probe_first()), seen = rt_probe_take()
            violations.withLock { $0.add(seen, first: first) }
        }
    }

    init(_ count: Int) {
        work = Work(crew)
        for _ in 0..<count {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(work)
            let code = pthread_create(&thread, nil, { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
            precondition(code == 0, "no thread to be had: \(code)")
            threads.append(thread)
        }
    }

    /// Ends them. Returns what they did on the render side that they must not.
    func stop() -> RenderViolations {
        work.isOver.store(true, ordering: .releasing)
        for thread in threads { pthread_join(thread, nil) }
        threads = []
        return work.violations.withLock { $0 }
    }

    deinit { _ = stop() }
}
