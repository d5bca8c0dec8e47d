import Glibc
import Graphs
import RTProbe
import Synchronization

/// Threads that take part in the rendering of a rig, on any processor.
final class HelpingHands: @unchecked Sendable {
    let crew = RenderCrew()
    private var threads: [pthread_t] = []
    private let work: Work

    private final class Work: @unchecked Sendable {
        let crew: RenderCrew
        /// The violations of each thread, written at its end.
        let violations: UnsafeMutablePointer<RenderViolations>
        private let count: Int
        private let begun = Atomic<Int>(0)

        init(_ crew: RenderCrew, count: Int) {
            self.crew = crew
            self.count = count
            violations = .allocate(capacity: max(count, 1))
            violations.initialize(repeating: RenderViolations(), count: count)
        }

        deinit {
            violations.deinitialize(count: count)
            violations.deallocate()
        }

        func run() {
            let number = begun.add(1, ordering: .relaxed).oldValue
            _ = rt_probe_take()
            crew.attend()
            let first = String(cString: rt_probe_first()), seen = rt_probe_take()
            violations[number].add(seen, first: first)
        }
    }

    init(_ count: Int) {
        work = Work(crew, count: count)
        for _ in 0..<count {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(work)
            let code = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context.toOpaque())
            precondition(code == 0, "no thread can be started: \(code)")
            threads.append(thread)
        }
    }

    /// Ends them. Returns what they did on the render side that they must not.
    func stop() -> RenderViolations {
        crew.dismiss()
        var all = RenderViolations()
        for thread in threads { pthread_join(thread, nil) }
        for number in threads.indices { all.add(work.violations[number]) }
        threads = []
        return all
    }

    deinit { _ = stop() }
}
