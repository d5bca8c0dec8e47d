import AudioFiles
import Glibc
import Reports

/// Workers that do jobs side by side: threads with a closure, or processes. One thread runs it, and gets all that they report.
package final class Pool<Job, Answer> {
    /// The end of a job.
    package enum Ending {
        case answer(Answer)
        case death(WorkerDeath)
        /// It took longer than its limit, and its worker was ended. The text says how far it had come.
        case timeout(position: String)
    }

    private final class Place {
        let worker: any PoolWorker<Job, Answer>
        var job: Job?
        var deadline: SuspendingClock.Instant?

        init(_ worker: any PoolWorker<Job, Answer>) { self.worker = worker }
    }

    private var size: Int
    private var places: [Place] = []
    /// A job that has no worker yet.
    private var held: (job: Job, limit: Double?)?

    /// - Parameter size: the most workers.
    package init(size: Int) { self.size = size }

    /// Does the jobs of a list.
    ///
    /// - Parameters:
    ///   - hire: makes a worker.
    ///   - look: called ten times a second.
    ///   - done: gets each job and its answer, in the order in which they end.
    package func run(
        _ jobs: [Job], hire: () throws(Fault) -> any PoolWorker<Job, Answer>, look: () -> Void = {},
        done: (Job, Answer) -> Void
    ) throws(Fault) {
        var left = jobs[...]
        try run(
            hire: hire, next: { left.popFirst().map { ($0, nil) } }, isOver: { left.isEmpty }, interval: 100, look: look,
            done: { job, ending in if case .answer(let answer) = ending { done(job, answer) } })
    }

    /// Does jobs until there are no more.
    ///
    /// - Parameters:
    ///   - hire: makes a worker, once there is a job for it. If it fails, the workers there are do all jobs.
    ///   - next: the next job, with the seconds that it may take; nil means there is none yet.
    ///   - isOver: true once `next` gives no more.
    ///   - source: a descriptor that is readable once `next` may give a job again.
    ///   - interval: milliseconds after which it looks at the latest; -1: only when something happens.
    ///   - look: called before each wait.
    ///   - done: gets each job and its end.
    /// - Throws: also what `next` and `look` throw. Workers finish the jobs that they have.
    package func run(
        hire: () throws(Fault) -> any PoolWorker<Job, Answer>,
        next: () throws(Fault) -> (job: Job, limit: Double?)?, isOver: () -> Bool, source: () -> Int32? = { nil },
        interval: Int32 = -1, look: () throws(Fault) -> Void, done: (Job, Ending) -> Void
    ) throws(Fault) {
        defer {
            places.forEach { $0.worker.finish() }
            places.forEach { _ = $0.worker.death() }
            places = []
        }
        while true {
            try feed(hire, next)
            if places.allSatisfy({ $0.job == nil }), held == nil, isOver() { return }
            try look()
            try wait(interval, places.contains { $0.job == nil } || places.count < size ? source() : nil)
            for place in places { hear(place, done) }
        }
    }

    private func feed(
        _ hire: () throws(Fault) -> any PoolWorker<Job, Answer>,
        _ next: () throws(Fault) -> (job: Job, limit: Double?)?
    ) throws(Fault) {
        while true {
            var place = places.first { $0.job == nil }
            if place == nil, places.count >= size { return }
            if held == nil { held = try next() }
            guard let (job, limit) = held else { return }
            if place == nil {
                do {
                    let new = Place(try hire())
                    places.append(new)
                    place = new
                } catch {
                    if places.isEmpty { throw error }
                    size = places.count
                    return
                }
            }
            guard let place else { return }
            (held, place.job) = (nil, job)
            place.deadline = limit.map { SuspendingClock().now + .seconds($0) }
            place.worker.begin(job)
        }
    }

    private func wait(_ interval: Int32, _ source: Int32?) throws(Fault) {
        let descriptors = places.flatMap(\.worker.reports) + (source.map { [$0] } ?? [])
        var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, patience = interval
        if let first = places.compactMap(\.deadline).min() {
            let left = (first - SuspendingClock().now) / .milliseconds(1)
            let milliseconds = Int32(min(max(left, 0), 3_600_000).rounded(.up))
            patience = interval < 0 ? milliseconds : min(interval, milliseconds)
        }
        if poll(&waiting, nfds_t(waiting.count), patience) < 0, errno != EINTR {
            throw Fault("the processes cannot be waited for (\(SystemFault(code: errno)))", .system)
        }
    }

    private func hear(_ place: Place, _ done: (Job, Ending) -> Void) {
        let (answer, isOver) = place.worker.take(), job = place.job
        var ending = answer.map(Ending.answer), isGone = isOver
        if ending == nil, !isOver, let deadline = place.deadline, deadline < SuspendingClock().now {
            place.deadline = nil
            ending = place.worker.kill().map(Ending.timeout)
            isGone = ending != nil
        }
        if isGone {
            places.removeAll { $0 === place }
            let death = place.worker.death()
            ending = ending ?? .death(death)
        }
        if let job, let ending {
            (place.job, place.deadline) = (nil, nil)
            done(job, ending)
        }
    }
}
